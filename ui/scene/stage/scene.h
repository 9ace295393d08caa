// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/work.h"
#include "core/plan/batch_differences.h"
#include "core/plan/plan.h"
#include "ui/scene/stage/axis.h"
#include "ui/scene/stage/epoch_facts.h"
#include "ui/scene/theme.h"

#include <QColor>
#include <QString>

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace shardlens::ui {

/// What the colour of a cell says.
enum class StageColour { SamplePosition, Worker, Rank, Duplicates, Padding };
inline constexpr std::array kStageColours = {StageColour::SamplePosition, StageColour::Worker, StageColour::Rank,
                                             StageColour::Duplicates, StageColour::Padding};
/// "sample position", as the menu names it.
QString stageColourName(StageColour colour);

/// One epoch as the Stage and the dataset strip draw it: the assignment and the world it belongs to. A cheap value.
struct StageInput {
  quint64 generation = 0;  ///< of the plan; another number means another picture
  std::shared_ptr<const EpochPlan> epoch;
  qint64 dataset_size = 0;
  qint64 epochs = 1;
  qint64 nodes = 1;
  qint64 ranks_per_node = 1;
  qint64 workers = 0;
  qint64 steps = 0;                                     ///< batches of the rank that has most
  std::shared_ptr<const BatchDifferences> differences;  ///< from another plan, marked in the picture; may be null

  [[nodiscard]] bool isEmpty() const { return epoch == nullptr; }
  [[nodiscard]] qint64 ranks() const { return epoch ? std::ssize(epoch->ranks) : 0; }
  [[nodiscard]] qint64 epochNumber() const { return epoch ? epoch->epoch.value : 0; }
  [[nodiscard]] qint64 nodeOf(qint64 rank) const { return rank / ranks_per_node; }
};

StageInput stageInput(quint64 generation, const PipelineSpec& spec, std::shared_ptr<const EpochPlan> epoch);

/// One bin of the Stage: a batch, or the worst of all batches that share it.
struct StageCell {
  QRgb colour = 0;
  float fill = 0;          ///< 1: a full batch; less: a short one; 0: no rank of the bin has a batch here
  bool padding = false;    ///< some item only repeats a sample so that the order divides evenly
  float padded = 0;        ///< the share of such items, or of batches that have any
  bool duplicate = false;  ///< some sample is handed out more than once in this epoch
  bool differs = false;    ///< some batch is not the one of the plan that this one is compared with
  QString ids;             ///< the batch's sample ids, where a cell has room for enough of them
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

/// The first batch of a rank that holds padding, or its number of batches: padding stands at the end of a slice.
qint64 firstPaddedStep(const RankEpoch& rank);

/// A note beside the ragged edge: "ranks 2, 3 run out: no batch from step 12 on"; empty when all ranks have equally
/// many.
QString raggedNote(const StageInput& input);

/// What the mouse rests on: "rank 2 · epoch 0 · step 6", worker, number of samples, the first twelve ids, and what is
/// wrong with them. Lines separated by '\n'.
QString cellTip(const StageInput& input, const EpochFacts* facts, CellAddress cell);

}  // namespace shardlens::ui
