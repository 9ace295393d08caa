// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/work.h"
#include "core/plan/plan.h"

#include <QtGlobal>

#include <memory>
#include <vector>

namespace shardlens::ui {

/// A rank that has something in some of its steps: the first of them, and the last.
struct MarkedRank {
  qint64 rank = 0;
  qint64 first = 0;
  qint64 last = 0;
  bool operator==(const MarkedRank&) const = default;
};

/// What all ranks of an epoch tell together without a look at their samples: counted once, off the GUI thread, so that
/// no frame asks every rank. An immutable value.
struct EpochOutline {
  qint64 steps = 0;                ///< batches of the rank that has most
  qint64 fewest_steps = 0;         ///< batches of the rank that has fewest
  qint64 items = 0;                ///< that the samplers yield
  qint64 handed_out = 0;           ///< of these, in batches
  qint64 most_in_first_batch = 0;  ///< samples of the largest first batch
  std::vector<MarkedRank> padded;  ///< ranks with padding, and the steps that have some; by rank
  std::vector<MarkedRank> ragged;  ///< ranks that run out, and the steps in which they have no batch; by rank
  std::vector<qint64> alike;       ///< ranks that begin a run of ranks whose batches have equal sizes; ascending

  /// Looks through every rank once, and lists its padding. Null when stopped.
  static std::shared_ptr<const EpochOutline> of(const EpochPlan& epoch, const Work& work = {});
  /// The samples that the ranks [first, last) get in a step of this epoch. Costs one look for each run of alike ranks:
  /// few, unless the sampler lists its batches.
  [[nodiscard]] qint64 samplesOf(const EpochPlan& epoch, Step step, qint64 first, qint64 last) const;
};

}  // namespace shardlens::ui
