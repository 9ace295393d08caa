// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QAbstractSlider>

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

/// A thin line with a round handle. A click moves the handle there; while it is dragged nothing else moves it.
class ThinSlider : public QAbstractSlider {
  Q_OBJECT

 public:
  explicit ThinSlider(const QString& name, QWidget* parent = nullptr);
  /// The handle between two whole values, for a playhead that glides.
  void setFraction(double fraction);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void dragTo(double x);
  [[nodiscard]] double handle() const;

  double fraction_ = 0;
};

}  // namespace shardlens::ui
