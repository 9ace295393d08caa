// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/resume/answer.h"
#include "ui/scene/theme.h"

#include <QPainter>
#include <QRectF>

namespace shardlens::ui {

/// The colours of a resume strip, for its legend too.
QColor trainedColor(const Theme& theme);
QColor aheadColor(const Theme& theme);

/// The planned epoch in time: what was trained calm, what was to come lighter; repeated samples rise from the foot,
/// lost ones hatched above them, as high as their share of the worst piece and apart from what is behind them. `area`
/// holds scene.columns at `scale` device pixels per unit.
void paintResumeStrip(QPainter& painter, const QRectF& area, const ResumeStripScene& scene, double scale,
                      const Theme& theme);

/// Nothing is known of this strip.
void paintUnknownStrip(QPainter& painter, const QRectF& area, const Theme& theme);

/// The seam between the stopped run and the one that goes on: a thin line through the strip; `x` in the painter's
/// units.
void paintSeam(QPainter& painter, const QRectF& area, double x, const Theme& theme);

}  // namespace shardlens::ui
