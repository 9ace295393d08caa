// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace shardlens::ui {

class ThinSlider;

/// The steps of the interrupted epoch above all strips, with the one mark of the stop: it says where the run stops, and
/// is dragged to stop it elsewhere. The seams of the strips stand below it.
class ResumeAxis : public QWidget {
  Q_OBJECT

 public:
  explicit ResumeAxis(QWidget* parent = nullptr);

  void setSteps(qint64 steps, qint64 stop);
  /// Where the strips begin and end, in this widget's coordinates.
  void setSpan(int left, int right);
  [[nodiscard]] ThinSlider* slider() const { return slider_; }
  [[nodiscard]] QSize sizeHint() const override;

 signals:
  void stepsWanted(qint64 steps);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void placeSlider();

  ThinSlider* slider_;
  qint64 steps_ = 0;
  qint64 stop_ = 0;
  int left_ = 0;
  int right_ = 0;
};

}  // namespace shardlens::ui
