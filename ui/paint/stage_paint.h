// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/work.h"
#include "core/plan/plan.h"
#include "ui/scene/stage/flight.h"
#include "ui/scene/stage/layout.h"
#include "ui/scene/stage/scene.h"
#include "ui/scene/stage/stage_input.h"
#include "ui/scene/theme.h"

#include <QImage>
#include <QPainter>
#include <QRegion>
#include <QSize>

#include <memory>
#include <optional>
#include <vector>

namespace shardlens::ui {

/// Everything the still part of the Stage depends on. Two equal keys have the same picture.
struct LayerKey {
  quint64 generation = 0;
  const EpochPlan* epoch = nullptr;
  const EpochFacts* facts = nullptr;
  const BatchDifferences* differences = nullptr;
  StageAxis steps;
  StageAxis ranks;
  StageColour colour = StageColour::SamplePosition;
  bool dark = false;
  qreal ratio = 1;         ///< device pixels a pixel
  int steps_overview = 0;  ///< length in pixels, 0 = none
  int ranks_overview = 0;

  bool operator==(const LayerKey&) const = default;
};

/// What the overviews say about one of their pixels.
struct OverviewMark {
  bool padding = false;
  bool duplicate = false;
  bool differs = false;
  bool ragged = false;  ///< some rank has no batch any more
};

/// The still part of the Stage: all cells in view as they look once they are dealt, the same as outlines that tell
/// nothing yet, and the marks of the overviews. Playing only decides how much of which image is copied to the screen.
struct StageLayer {
  LayerKey key;
  QImage dealt;
  QImage undealt;
  std::vector<OverviewMark> steps_marks;
  std::vector<OverviewMark> ranks_marks;
  qint64 samples_read = 0;
};

/// Computes and paints the layer of a key; for any thread. Null when `work` stopped it.
std::shared_ptr<const StageLayer> stageLayer(const LayerKey& key, const StageInput& input, const EpochFacts* facts,
                                             const Work& work = {});

/// How many bins a layer would have: what it costs, in cells.
qint64 layerCost(const LayerKey& key);

/// The rectangle of a bin's cell inside its pixels, without the gap to its neighbours.
QRectF cellRect(const StageAxis::Bin& steps, const StageAxis::Bin& ranks, const StageAxis& steps_axis,
                const StageAxis& ranks_axis);

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

/// The first steps of a plan as the Stage draws them, small: all batches dealt, and none yet. A plan of one or two
/// ranks shows its first two epochs, one above the other. Epochs, nodes or ranks are named beside their cells.
struct PlanPicture {
  QImage dealt;
  QImage undealt;
};

/// A picture of `size` pixels, for any thread. Nothing when the plan cannot be drawn or `work` stopped it.
std::optional<PlanPicture> planPicture(const Plan& plan, QSize size, bool dark, qreal ratio, const Work& work = {});

/// Samples in the air with their trails, where they left and where they will land, and the glow of what has come.
void paintDeal(QPainter& painter, const DealFrame& deal, const Theme& theme);

/// The pixels that paintDeal() touches.
QRegion regionOf(const DealFrame& deal);

/// Hairs, ribbons, and the glow of batches that have just come.
void paintRibbons(QPainter& painter, const std::vector<Ribbon>& ribbons, const Theme& theme);
QRegion regionOf(const std::vector<Ribbon>& ribbons);

/// Places and batches of a step in the edges of their ranks: dashed before the batch is there, then whole.
void paintMarks(QPainter& painter, const std::vector<DealMark>& marks, const Theme& theme);
QRegion regionOf(const std::vector<DealMark>& marks);

/// Lines from the places of samples in the dataset to their places in the order of the epoch that begins.
void paintTurn(QPainter& painter, const EpochTurn& turn);
/// The pixels that paintTurn() touches.
QRegion regionOf(const EpochTurn& turn);

}  // namespace shardlens::ui
