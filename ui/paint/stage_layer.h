// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/work.h"
#include "ui/scene/stage/axis.h"
#include "ui/scene/stage/epoch_facts.h"
#include "ui/scene/stage/scene.h"
#include "ui/scene/theme.h"

#include <QImage>

#include <memory>

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

}  // namespace shardlens::ui
