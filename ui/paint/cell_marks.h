// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/stage/scene.h"
#include "ui/scene/theme.h"

#include <QColor>
#include <QPainter>
#include <QRectF>

namespace shardlens::ui {

/// "Not measured": thin slanted lines, 4 px apart, clipped to the rectangle.
void paintHatch(QPainter& painter, const QRectF& rect, const QColor& colour, double radius = 0);

/// What is drawn on or instead of a cell, on the Stage and in its legend alike. `radius` rounds the cell's corners.

/// "No batch here": a dotted outline, so that the ragged edge is seen and not mistaken for the end of the epoch.
void paintNoBatch(QPainter& painter, const QRectF& cell, double radius, const Theme& theme);
/// "The plan beside it has a batch here, this one never does": an outline with a cross.
void paintNever(QPainter& painter, const QRectF& cell, double radius, const Theme& theme);
/// "Not dealt yet": an outline, so that nothing of the future is told.
void paintNotDealt(QPainter& painter, const QRectF& cell, double radius, const Theme& theme);
/// "Being dealt", in the legend: a dashed outline as cells and places have one then, in their rank's colour.
void paintInFlight(QPainter& painter, const QRectF& cell, double radius, const Theme& theme);
/// "Holds a sample that is handed out more than once": a ring of `width` inside the cell.
void paintDuplicateRing(QPainter& painter, const QRectF& cell, double radius, double width, const Theme& theme);
/// "Another batch than the plan beside it": the upper right corner folded.
void paintDogEar(QPainter& painter, const QRectF& cell, double side, const Theme& theme);
/// "The colour stands for another node than the one that has it first": `notches` cuts of 2 px in the upper edge.
void paintNotches(QPainter& painter, const QRectF& cell, int notches, const Theme& theme);

/// One sample with its number: a place in a batch, or on its way there.
void paintChip(QPainter& painter, const StageChip& chip, const QRectF& place, const Theme& theme);

}  // namespace shardlens::ui
