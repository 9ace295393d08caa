// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/collective_table.h"
#include "core/diagnose/reducer_state.h"
#include "core/diagnose/run_state.h"

#include <algorithm>
#include <string>

namespace shardlens {
namespace {

constexpr std::int64_t kJudgeEveryNs = 500'000'000;
constexpr std::size_t kManyCells = 100'000;  ///< of the history: then half as often
constexpr std::int64_t kFewCollectives = 64;

/// Of the host with most ranks.
Ground groundOf(const RunState& run, std::size_t groups) {
  std::map<std::string, std::int64_t> of_host;
  std::int64_t most = 1;
  for (const RankState& rank : run.ranks) most = std::max(most, ++of_host[rank.host]);
  Ground ground;
  ground.groups = static_cast<std::int64_t>(groups);
  if (run.cores <= 0) return ground;
  ground.ranks_per_core = (most + run.cores - 1) / run.cores;
  ground.is_tight = 2 * most > run.cores;
  return ground;
}

}  // namespace

void Judgements::update(const RunState& run, const CollectiveTable& collectives, std::int64_t now_ns) {
  std::int64_t count = 0;
  std::size_t cells = 0;
  for (const auto& [group, history] : collectives.timeLost()) {
    count += history.collectives(history.all()) + history.leftOut(history.all());
    cells += history.cells();
  }
  const bool is_early = isUnderWay(run.status) && collectives_ > kFewCollectives &&
                        now_ns - at_ns_ < (cells < kManyCells ? 1 : 2) * kJudgeEveryNs;
  if (count == collectives_ || is_early) return;
  collectives_ = count;
  at_ns_ = now_ns;
  by_group_.clear();
  const Ground ground = groundOf(run, collectives.timeLost().size());
  for (const auto& [group, history] : collectives.timeLost()) by_group_[group] = judge(history, ground);
}

}  // namespace shardlens
