// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/run/board_layout.h"
#include "ui/scene/run/lanes.h"
#include "ui/scene/run/proof.h"
#include "ui/scene/run/rank_rows.h"
#include "ui/scene/run/time_window.h"
#include "ui/scene/theme.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPointF>
#include <QRectF>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace shardlens::ui {

/// One lane: rounded blocks with small gaps while they are wide enough, touching ones below that. Unmeasured time is
/// hatched; `is_dim` is for what is only predicted.
void paintLane(QPainter& painter, const QRectF& area, const std::vector<LaneBlock>& blocks, const Theme& theme,
               bool is_dim);

/// Many lanes at once, a pixel each or less.
void paintPhaseMap(QPainter& painter, const QRectF& area, const PhaseMap& scene, const Theme& theme);

/// How wide the legend is when all of it fits.
double laneLegendWidth(const QFontMetricsF& metrics);

/// "data wait", "compute", "waiting for others", "transfer", "not measured", each with its colour, from `at`
/// rightwards; stops where the width ends. Returns where it ends itself.
double paintLegend(QPainter& painter, QPointF at, double width, const Theme& theme);

/// The words of the legend.
QString phaseLabel(Phase phase);

/// The names of the board's columns.
void paintColumnNames(QPainter& painter, const BoardLayout& layout, bool has_table, const Theme& theme);

/// The band behind a row: the rank everybody waits for, and the one the user selected.
void paintRowBand(QPainter& painter, const QRectF& row, bool is_culprit, bool is_selected, const Theme& theme);

/// One rank in words: name, node, step, rate, what it does now, share of waiting.
void paintRankRow(QPainter& painter, const BoardLayout& layout, const QRectF& row, const RankRow& rank, bool has_table,
                  const Theme& theme);

QColor nowColour(NowTone tone, const Theme& theme);

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

/// The cells of a proof of assignment: green is proven, red with a stroke is another batch, hatched was never compared,
/// an outline is still ahead, plain grey is no longer kept.
void paintProof(QPainter& painter, const ProofScene& scene, const Theme& theme);
/// What the cells in view mean, from `at` rightwards; stops where the width ends.
void paintProofLegend(QPainter& painter, QPointF at, double width, const ProofScene& scene, const Theme& theme);

}  // namespace shardlens::ui
