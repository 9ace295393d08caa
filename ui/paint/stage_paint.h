// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/paint/stage_layer.h"
#include "ui/scene/stage/layout.h"

#include <QPainter>

#include <vector>

namespace shardlens::ui {

/// What stays while playing, beside the cells: the panel, rank names, step numbers, overviews.
void paintStageChrome(QPainter& painter, const StageLayout& layout, const StageInput& input, const StageAxis& steps,
                      const StageAxis& ranks, const StageLayer* layer, const Theme& theme);

/// The cells of `layer` where `steps` and `ranks` have them now: dealt before pixel `dealt`, outlines after. While a
/// newer layer is computed the old one is stretched to where its cells belong; `veiled` shows it as an older picture.
void paintStageCells(QPainter& painter, const QRect& cells, const StageLayer& layer, const StageAxis& steps,
                     const StageAxis& ranks, double dealt, bool veiled);

/// A ring around one cell, at least a few pixels large so that it can be found in a sea of small ones.
void paintCellRing(QPainter& painter, const QRect& cells, const StageAxis& steps, const StageAxis& ranks,
                   CellAddress cell, const QColor& colour, double width);

/// Rings around those of the cells that are in view; `marked` is sorted by rank and step. However many there are, the
/// cost is that of what can be told apart: of cells closer than a few pixels in a row one has a ring for all.
void paintMarkedCells(QPainter& painter, const QRect& cells, const StageAxis& steps, const StageAxis& ranks,
                      const std::vector<CellAddress>& marked, const QColor& colour, double width);

/// The number of the step under way, bold over the plain one, where the axis names it. numberOfStep() says which pixels
/// that touches.
void paintStepUnderWay(QPainter& painter, const StageLayout& layout, const StageAxis& steps, qint64 step,
                       const Theme& theme);
QRect numberOfStep(const StageLayout& layout, const StageAxis& steps, qint64 step);

/// The line of now with its triangle on top.
void paintPlayhead(QPainter& painter, const StageLayout& layout, double pixel, const Theme& theme);

/// The sentence in the middle of an empty Stage, with a thin bar below while something is computed (progress 0..1).
void paintStageNotice(QPainter& painter, const QRect& area, const QString& title, const QString& text, double progress,
                      const Theme& theme);

/// A bar along the bottom edge of the panel while something is computed and the picture need not be hidden.
void paintThinProgress(QPainter& painter, const QRect& frame, double progress, const Theme& theme);

}  // namespace shardlens::ui
