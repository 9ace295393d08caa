// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/work.h"
#include "ui/scene/stage/axis.h"
#include "ui/scene/stage/cell_colour.h"
#include "ui/scene/stage/epoch_facts.h"
#include "ui/scene/stage/stage_input.h"
#include "ui/scene/theme.h"

#include <QRgb>
#include <QString>

#include <vector>

namespace shardlens::ui {

/// One bin of the Stage: a batch, or the worst of all batches that share it.
struct StageCell {
  QRgb colour = 0;
  qint64 rank = 0;  ///< the rank whose colour it has
  float fill = 0;   ///< 1: a full batch; less: a short one; 0: no rank of the bin has a batch here
  float low = -1;   ///< what 5 to 95 % of the batch span of the dataset, 0..1; negative where that is not shown
  float high = -1;
  bool padding = false;          ///< some item only repeats a sample so that slices or batches come out even
  float padded = 0;              ///< the share of such items, or of batches that have any
  bool duplicate = false;        ///< some sample is handed out more than once in this epoch
  bool differs = false;          ///< some batch is not the one of the plan that this one is compared with
  bool never = false;            ///< the plan that this one is compared with has a batch where this one has none
  QString label;                 ///< ids of the batch, or its worker, where there is room for a line
  std::vector<StageChip> chips;  ///< its samples, where there is room for all of them
  qint64 places = 0;             ///< how many chips a full batch of the rank would have
};

/// The bins in view, row by row.
struct StageGrid {
  StageAxis steps;
  StageAxis ranks;
  int columns = 0;
  int rows = 0;
  std::vector<StageCell> cells;
  qint64 samples_read = 0;  ///< how many sample ids were looked up: what the picture cost

  [[nodiscard]] const StageCell& at(int row, int column) const {
    return cells[static_cast<std::size_t>(row) * columns + column];
  }
};

/// Computes the bins in view. The cost depends on how many there are, never on samples or steps; `facts` may be null
/// (not known yet: nothing is a duplicate). An empty grid when `work` stopped it.
StageGrid stageGrid(const StageInput& input, const EpochFacts* facts, const StageAxis& steps, const StageAxis& ranks,
                    StageColour colour, const Theme& theme, const Work& work = {});

/// A note beside the ragged edge: "ranks 2 and 3 run out after 12 steps"; empty when all ranks have equally
/// many.
QString raggedNote(const StageInput& input);

/// What the mouse rests on: "rank 2 · epoch 0 · step 6", worker, number of samples, the first twelve ids, and what is
/// wrong with them. Lines separated by '\n'.
QString cellTip(const StageInput& input, const EpochFacts* facts, CellAddress cell);

}  // namespace shardlens::ui
