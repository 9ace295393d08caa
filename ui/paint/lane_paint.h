// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/run/board_layout.h"
#include "ui/scene/run/lanes.h"
#include "ui/scene/run/rank_rows.h"
#include "ui/scene/theme.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QRectF>

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

}  // namespace shardlens::ui
