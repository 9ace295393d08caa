// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/resume/answer.h"
#include "ui/scene/resume/strip.h"

#include <QWidget>

#include <vector>

namespace shardlens::ui {

/// The planned epoch of one way in time, with its stop. A click or a drag asks for another stop.
class WayStrip : public QWidget {
  Q_OBJECT

 public:
  explicit WayStrip(QWidget* parent = nullptr);

  /// Empty pieces: nothing is known of it, and it is hatched.
  void setPieces(std::vector<ResumeSpan> pieces, double stop_share);
  /// Moves the line alone, ahead of the answer.
  void setStop(double share);
  [[nodiscard]] double stop() const { return stop_; }
  [[nodiscard]] bool isKnown() const { return !pieces_.empty(); }
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 signals:
  void stopWanted(double share);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  bool event(QEvent* event) override;

 private:
  [[nodiscard]] QRectF bar() const;
  [[nodiscard]] QString tipAt(double share) const;
  void ask(double x);

  std::vector<ResumeSpan> pieces_;
  double answered_stop_ = 0;  ///< that the pieces are of
  double stop_ = 0;
};

}  // namespace shardlens::ui
