// SPDX-License-Identifier: Apache-2.0
#include "core/collect/observed_ranks.h"

#include "core/capture/recorded_job.h"
#include "core/record/frame.h"

namespace shardlens {

std::vector<RankState> observedRanks(const std::filesystem::path& recording, const Work& work) {
  std::vector<RankState> ranks;
  const auto job = capture::readJob(recording, work);
  if (!job) return ranks;
  for (const capture::JobLoader& loader : job->loaders) {
    if (loader.programs > 1 || loader.world_size > frame::kMostRanks) continue;
    for (auto rank = static_cast<std::int64_t>(ranks.size()); rank < loader.world_size; ++rank)
      ranks.emplace_back().rank = rank;
    for (const capture::RankLoader& one : loader.ranks) {
      if (one.rank < 0 || one.rank >= loader.world_size) continue;
      const capture::ProcessFacts& process = job->processes[one.process];
      RankState& rank = ranks[static_cast<std::size_t>(one.rank)];
      rank.host = process.host;
      rank.pid = process.pid;
      rank.status = process.has_end ? RankStatus::Done : RankStatus::Ended;
    }
  }
  return ranks;
}

void addObserved(const std::vector<RankState>& ranks, RunState& state) {
  if (state.world_size > 0) return;
  state.world_size = static_cast<std::int64_t>(ranks.size());
  state.ranks = ranks;
  for (RankState& rank : state.ranks) {
    state.recent.lanes.push_back({rank.rank, {}});
    if (isUnderWay(state.status)) rank.status = RankStatus::Unheard;  // how it ends is not known at this moment
    if (rank.status == RankStatus::Done && state.status != JobStatus::Finished) rank.status = RankStatus::Ended;
    if (rank.status != RankStatus::Unheard) rank.since_ns = state.elapsed_ns;
  }
}

}  // namespace shardlens
