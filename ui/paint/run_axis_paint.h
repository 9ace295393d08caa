// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/run/time_window.h"
#include "ui/scene/theme.h"

#include <QPainter>
#include <QRectF>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace shardlens::ui {

/// The hairs of ticks and steps over the lanes' area.
void paintTimeGrid(QPainter& painter, const QRectF& area, const std::vector<TimeTick>& ticks,
                   const std::vector<StepMark>& steps, const Theme& theme);
/// The ticks' words in a row; those that would be cut off at its left edge begin there. `latest`, in bold at the right
/// end, takes the place of those that it would cover; it may be empty.
void paintTimeTicks(QPainter& painter, const QRectF& row, const std::vector<TimeTick>& ticks, const QString& latest,
                    const Theme& theme);
/// The steps' words in a row.
void paintStepMarks(QPainter& painter, const QRectF& row, const std::vector<StepMark>& steps, const Theme& theme);

/// The band over a time that is selected, where it is in view. Returns where it was painted; empty: it is not in view.
QRectF paintSelectedTime(QPainter& painter, const QRectF& area, const TimeWindow& window,
                         const std::optional<std::pair<std::int64_t, std::int64_t>>& time, const Theme& theme);

/// The longest step of each column: what is computed below, the rest above it; red where nothing went on.
void paintMinimap(QPainter& painter, const QRectF& area, const Minimap& map, const Theme& theme);
/// The accent frame around what is in view.
void paintMinimapFrame(QPainter& painter, const QRectF& area, const MinimapFrame& frame, const Theme& theme);
/// In pixels from the left edge of a lane.
struct PixelRange {
  double from = 0, to = 0;
};
/// Frames the time in which this rank keeps a job standing still; `words` stand in it where they fit.
void paintStall(QPainter& painter, const QRectF& lane, const PixelRange& range, const QString& words,
                const Theme& theme);

/// A rank's death at this place of its lane.
void paintDeath(QPainter& painter, const QRectF& lane, double x, const Theme& theme);

}  // namespace shardlens::ui
