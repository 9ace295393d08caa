// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/run/time_window.h"
#include "ui/widgets/run/time_input.h"

#include <QWidget>

#include <memory>
#include <optional>

namespace shardlens::ui {

/// The whole run, 32 px high, with a frame around what is in view. The frame is moved and sized with the mouse; a press
/// beside it brings it there. Keys: Left and Right move it, with Shift they move its right edge, Home shows the
/// beginning, End the latest, Space all of it.
class MinimapView : public QWidget {
  Q_OBJECT

 public:
  explicit MinimapView(TimeView& view, QWidget* parent = nullptr);

  /// Null: nothing is known of the run yet.
  void setRun(std::shared_ptr<const Overview> overview, std::vector<Stall> stalls);
  /// The moment that is shown, when the recording goes on after it.
  void setMoment(std::optional<std::int64_t> ns);
  [[nodiscard]] const Minimap& map();
  [[nodiscard]] MinimapFrame frame() const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  [[nodiscard]] QString tipAt(double x);
  void showCursor(MinimapGrip grip);

  struct Drag {
    MinimapGrip grip = MinimapGrip::None;
    double from = 0;
    TimeWindow before;
  };

  TimeView& view_;
  std::shared_ptr<const Overview> overview_;
  std::vector<Stall> stalls_;
  std::optional<std::int64_t> moment_;
  Minimap map_;
  std::shared_ptr<const Overview> mapped_;  ///< what the map is made of
  std::int64_t mapped_end_ = 0;
  int mapped_width_ = 0;
  std::vector<Stall> mapped_stalls_;
  std::optional<Drag> drag_;
};

}  // namespace shardlens::ui
