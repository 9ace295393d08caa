// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QObject>

namespace shardlens::ui {

/// The dot left of a field whose value is not the default. Under the mouse it becomes an arrow that goes back to it.
class ResetDot : public QAbstractButton {
  Q_OBJECT

 public:
  explicit ResetDot(QWidget* parent = nullptr);

 protected:
  void paintEvent(QPaintEvent* event) override;
};

/// Lets a number be changed by dragging its label to the left and right.
class LabelScrub : public QObject {
  Q_OBJECT

 public:
  explicit LabelScrub(QWidget* label);

 signals:
  void begun();
  /// Since begun(): one for every few pixels, ten times as many with Shift.
  void movedBy(qint64 steps);
  void ended();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void move(int pixels, bool fast);

  int pressed_at_ = 0;
  bool pressed_ = false;
  bool dragged_ = false;
  qint64 steps_ = 0;
};

}  // namespace shardlens::ui
