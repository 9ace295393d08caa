// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/stage/stage_input.h"

#include <utility>

namespace shardlens::ui {

EpochPadding::EpochPadding(std::shared_ptr<const EpochPlan> epoch)
    : epoch_(std::move(epoch)),
      known_(std::make_unique<std::once_flag[]>(epoch_->ranks.size())),
      ranks_(epoch_->ranks.size()) {}

const EpochPadding::OfRank& EpochPadding::of(qint64 rank) const {
  const auto at = static_cast<std::size_t>(rank);
  std::call_once(known_[at], [&] {
    const RankEpoch& source = epoch_->ranks[at];
    OfRank& padding = ranks_[at];
    for (const std::int64_t item : source.padding()) {
      padding.items.push_back(item);
      const qint64 step = source.stepOf(item)->value;
      if (padding.steps.empty() || padding.steps.back() != step) padding.steps.push_back(step);
    }
    ++listed_;
  });
  return ranks_[at];
}

}  // namespace shardlens::ui
