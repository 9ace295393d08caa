// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/number_text.h"
#include "ui/scene/resume/answer.h"
#include "ui/scene/stage/strip.h"
#include "ui/scene/theme.h"

#include <QPainter>
#include <QPointF>
#include <QRect>
#include <QRectF>

namespace shardlens::ui {

/// The dataset strip in the colours of the Stage's mode: what is seen rises, `top` (a share, 0..1) reaching the top; a
/// red foot marks samples handed out again, a hatched one padding. Wide columns carry their sample's id.
void paintStrip(QPainter& painter, const QRect& area, const std::vector<StripColumn>& columns, double top,
                const StageInput& input, StageColour colour, const Theme& theme);

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

/// All epochs in a row, the shown one in the accent colour.
void paintEpochs(QPainter& painter, const QRectF& row, qint64 epochs, qint64 shown, const Theme& theme);
/// A small triangle that points down at its tip.
void paintTimeMark(QPainter& painter, const QPointF& tip, Tone tone, const Theme& theme);

}  // namespace shardlens::ui
