// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"

#include <QtGlobal>

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

}  // namespace shardlens::ui
