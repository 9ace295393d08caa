// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/run/lanes.h"
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

}  // namespace shardlens::ui
