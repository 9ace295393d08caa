// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/diff.h"
#include "core/plan/plan.h"
#include "ui/state/epoch_outline.h"

#include <QtGlobal>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace shardlens::ui {

/// Which items of an epoch are padding, and which batches hold some. A rank is looked through when it is first asked
/// for, and never again: frames cost what they draw. For any thread.
class EpochPadding {
 public:
  explicit EpochPadding(std::shared_ptr<const EpochPlan> epoch);

  struct OfRank {
    std::vector<qint64> items;  ///< ascending
    std::vector<qint64> steps;  ///< ascending
  };
  [[nodiscard]] const OfRank& of(qint64 rank) const;
  /// How many times a rank was looked through.
  [[nodiscard]] qint64 listed() const { return listed_; }

 private:
  std::shared_ptr<const EpochPlan> epoch_;
  std::unique_ptr<std::once_flag[]> known_;  ///< by rank
  mutable std::vector<OfRank> ranks_;
  mutable std::atomic<qint64> listed_ = 0;
};

/// One epoch as the Stage and the dataset strip draw it: the assignment and the world it belongs to. A cheap value.
struct StageInput {
  quint64 generation = 0;  ///< of the plan; another number means another picture
  std::shared_ptr<const EpochPlan> epoch;
  std::shared_ptr<const EpochPadding> padding;  ///< of that epoch; null without one
  std::shared_ptr<const EpochOutline> outline;  ///< likewise
  qint64 dataset_size = 0;
  qint64 epochs = 1;
  PipelineSpec::World world = {1, 1};
  qint64 workers = 0;
  IndexList labels;                                     ///< the class of each sample; may be empty
  qint64 steps = 0;                                     ///< batches of the rank that has most, in the plan beside too
  std::shared_ptr<const BatchDifferences> differences;  ///< from another plan, marked in the picture; may be null

  [[nodiscard]] bool isEmpty() const { return epoch == nullptr; }
  [[nodiscard]] qint64 ranks() const { return epoch ? std::ssize(epoch->ranks) : 0; }
  [[nodiscard]] qint64 epochNumber() const { return epoch ? epoch->epoch.value : 0; }
  /// Whether a rank has fewer steps than are shown.
  [[nodiscard]] bool isRagged() const { return outline != nullptr && outline->fewest_steps < steps; }
  /// The samples that the ranks [first, last) get in a step.
  [[nodiscard]] qint64 samplesOf(qint64 step, qint64 first, qint64 last) const {
    return outline->samplesOf(*epoch, Step{step}, first, last);
  }
  /// The ranks of a node, where rows stand apart by node; all ranks where nodes differ, which stand in one block.
  [[nodiscard]] qint64 blockSize() const { return world.ranks_per_node.ofEveryNode().value_or(world.size()); }
  [[nodiscard]] bool hasLabels() const { return !labels.empty(); }
  /// The class of a sample; -1 where it has none.
  [[nodiscard]] qint64 labelOf(SampleIndex sample) const {
    return sample >= 0 && sample < static_cast<qint64>(labels.size()) ? labels[static_cast<std::size_t>(sample)] : -1;
  }
  /// Where a sample stands in the dataset, 0..1.
  [[nodiscard]] double placeOf(SampleIndex sample) const {
    return static_cast<double>(sample) / static_cast<double>(std::max<qint64>(dataset_size - 1, 1));
  }
};

/// Without the outline of the epoch, it is made here: that looks through all ranks.
StageInput stageInput(quint64 generation, const PipelineSpec& spec, std::shared_ptr<const EpochPlan> epoch,
                      std::shared_ptr<const EpochOutline> outline = nullptr);

}  // namespace shardlens::ui
