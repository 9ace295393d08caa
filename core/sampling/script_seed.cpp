// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/script_seed.h"

#include "core/spec/seeded.h"

#include <string>

namespace shardlens::sampling {

bool seedsEachEpoch(const PipelineSpec& spec) {
  return spec.seeds.rule == "base+rank+epoch";
}

bool seedsRanksAlike(const PipelineSpec& spec) {
  if (!isSeeded(spec)) return false;
  return spec.worldSize() == 1 || spec.seeds.rule == "same" ||
         (spec.seeds.rule == "base+local_rank" && spec.world.ranks_per_node == 1);
}

bool seedsRanksApart(const PipelineSpec& spec) {
  return spec.worldSize() > 1 && (neverSeeds(spec) || (isSeeded(spec) && !seedsRanksAlike(spec)));
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
