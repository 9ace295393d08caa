// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/work.h"
#include "core/plan/plan.h"
#include "ui/scene/stage/cell_bits.h"
#include "ui/scene/stage/epoch_facts.h"

#include <memory>
#include <optional>

namespace shardlens::ui {

/// Which batches of an epoch are not, id for id, those of another plan's epoch at the same rank and step. Immutable.
class StageDifferences {
 public:
  /// One pass over the items of both. A batch that only one of them has differs. Null when stopped.
  static std::shared_ptr<const StageDifferences> compute(const EpochPlan& epoch, const EpochPlan& reference,
                                                         const Work& work = {});

  /// How many batches of a rank in the steps [first, last) differ.
  [[nodiscard]] qint64 cells(qint64 rank, qint64 first, qint64 last) const { return bits_.count(rank, first, last); }
  [[nodiscard]] qint64 batches() const { return batches_; }      ///< ranks and steps that either has
  [[nodiscard]] qint64 differing() const { return differing_; }  ///< of these
  /// The earliest step that differs, and its lowest rank.
  [[nodiscard]] std::optional<CellAddress> first() const { return first_; }

 private:
  CellBits bits_;
  qint64 batches_ = 0;
  qint64 differing_ = 0;
  std::optional<CellAddress> first_;
};

}  // namespace shardlens::ui
