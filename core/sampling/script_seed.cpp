// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/script_seed.h"

#include <string>

namespace shardlens::sampling {

bool seedsEachEpoch(const PipelineSpec& spec) {
  return spec.seeds.rule == "base+rank+epoch";
}

std::uint64_t scriptSeed(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  auto seed = static_cast<std::uint64_t>(spec.seeds.base);
  const std::string& rule = spec.seeds.rule;
  if (rule == "base+rank" || seedsEachEpoch(spec)) seed += static_cast<std::uint64_t>(rank.value);
  if (rule == "base+local_rank") seed += static_cast<std::uint64_t>(spec.localRankOf(rank));
  if (seedsEachEpoch(spec)) seed += static_cast<std::uint64_t>(epoch.value);
  return seed;
}

}  // namespace shardlens::sampling
