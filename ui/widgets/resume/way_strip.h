// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/resume/answer.h"

#include <QWidget>

#include <vector>

namespace shardlens::ui {

/// The planned epoch of one way in time: the run until the stop, the seam, the run that goes on. A click or a drag asks
/// for another stop.
class WayStrip : public QWidget {
  Q_OBJECT

 public:
  explicit WayStrip(QWidget* parent = nullptr);

  /// Empty pieces: nothing is known of it, and it is hatched. `stop_share`: of the pieces that lie before the stop.
  void setPieces(std::vector<ResumeSpan> pieces, double stop_share);
  /// Where the stop is shown, 0..1; ahead of the answer the pieces are those of the last one.
  void setStop(double place);
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
  double split_ = 0;  ///< the share of the pieces before the stop
  double stop_ = 0;
};

}  // namespace shardlens::ui
