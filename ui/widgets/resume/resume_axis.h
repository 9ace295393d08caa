// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace shardlens::ui {

/// The steps of the interrupted epoch above all strips: its first and its last, and the stop with its number.
class ResumeAxis : public QWidget {
  Q_OBJECT

 public:
  explicit ResumeAxis(QWidget* parent = nullptr);

  void setSteps(qint64 steps, qint64 stop, double stop_share);
  /// Where the strips begin and end, in this widget's coordinates.
  void setSpan(int left, int right);
  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  qint64 steps_ = 0;
  qint64 stop_ = 0;
  double share_ = 0;
  int left_ = 0;
  int right_ = 0;
};

}  // namespace shardlens::ui
