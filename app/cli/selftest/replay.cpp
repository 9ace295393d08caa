// SPDX-License-Identifier: Apache-2.0
#include "app/cli/selftest/replay.h"

#include <vector>

namespace shardlens::selftest {

Result<RankEpoch> Planner::rankEpoch(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  if (!last_ || !(last_->spec() == spec) || rank_ != rank) {
    Result<Plan> plan = Plan::make(spec, rank);
    if (!plan) return plan.error();
    if (!last_ || !(last_->spec() == spec)) last_ = std::move(*plan);
    rank_ = rank;
  }
  return last_->rankEpoch(epoch, rank);
}

std::span<const Replay> replays() {
  static const std::vector<Replay> kReplays = [] {
    std::vector<Replay> all;
    for (const auto part : {lightningSamplerReplays(), lightningSeedReplays(), torchPrimitiveReplays(),
                            torchSamplerReplays(), torchLoaderReplays()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }();
  return kReplays;
}

Verdict replay(const VectorRow& row, Planner& planner) {
  for (const Replay& known : replays()) {
    if (known.framework == row.framework && known.sampler == row.sampler) return known.run(row, planner);
  }
  return unsupported("no rule of this build is called " + row.framework + " " + row.sampler);
}

std::string torchRelease(const std::string& version) {
  const std::string release = version.substr(0, version.find('.', version.find('.') + 1));
  return release == "1.13" || release == "2.6" ? release : "2.9";
}

}  // namespace shardlens::selftest
