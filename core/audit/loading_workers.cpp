// SPDX-License-Identifier: Apache-2.0
#include "core/audit/loading_workers.h"

#include <algorithm>
#include <optional>
#include <set>

namespace shardlens {
namespace {

/// Workers that load a batch, where the order itself says which one loads which: of the rank with most of them.
std::optional<std::int64_t> namedWorkers(const Plan& plan, Epoch epoch, const Work& work) {
  std::size_t most = 0;
  for (Rank rank{0}; rank.value < plan.worldSize(); ++rank) {
    const auto rank_epoch = plan.rankEpoch(epoch, rank, work);
    if (!rank_epoch) return std::nullopt;
    const auto& deal = rank_epoch->slice().order()->deal();
    if (deal == nullptr || deal->batch_workers.empty()) return std::nullopt;
    const Deal::Share& share = deal->shareOf(rank);
    const auto first = deal->batch_workers.begin() + static_cast<std::ptrdiff_t>(share.first_batch);
    most = std::max(most, std::set<std::int32_t>(first, first + share.batches).size());
    if (deal->shares.size() == 1) break;
  }
  return static_cast<std::int64_t>(most);
}

}  // namespace

LoadingWorkers loadingWorkers(const Plan& plan, const EpochShape& shape, const Work& work) {
  const auto named = namedWorkers(plan, shape.epoch, work);
  return {named.value_or(std::min(plan.spec().loader.num_workers, shape.steps)), named.has_value()};
}

}  // namespace shardlens
