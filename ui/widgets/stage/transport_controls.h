// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/number_text.h"

#include <QAbstractButton>
#include <QAbstractSlider>

#include <vector>

namespace shardlens::ui {

/// A button with a painted sign, crisp at every scale.
class TransportButton : public QAbstractButton {
  Q_OBJECT

 public:
  enum class Sign { ToStart, StepBack, Play, Pause, StepOn, ToEnd, Loop };

  TransportButton(Sign sign, const QString& name, const QString& keys, QWidget* parent = nullptr);
  void setSign(Sign sign, const QString& name, const QString& keys);
  [[nodiscard]] Sign sign() const { return sign_; }
  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  Sign sign_;
};

/// A place on a slider that a finding names.
struct SliderMark {
  int value = 0;
  Tone tone = Tone::Note;
  QString title;
  bool operator==(const SliderMark&) const = default;
};

/// A thin line with a round handle. A click moves the handle there; while it is dragged nothing else moves it.
class ThinSlider : public QAbstractSlider {
  Q_OBJECT

 public:
  explicit ThinSlider(const QString& name, QWidget* parent = nullptr);
  /// The handle between two whole values, for a playhead that glides.
  void setFraction(double fraction);
  /// Triangles above the line; their titles are the tip there.
  void setMarks(std::vector<SliderMark> marks);
  /// Where the handle stands for a value.
  [[nodiscard]] double pixelOf(double value) const;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void dragTo(double x);

  double fraction_ = 0;
  double painted_at_ = -1;  ///< where the handle was when it was painted last
  std::vector<SliderMark> marks_;
};

}  // namespace shardlens::ui
