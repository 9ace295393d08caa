// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/spec/field.h"
#include "core/spec/pipeline_spec.h"

#include <cstdint>
#include <optional>
#include <string>

namespace shardlens::sampling {

/// What the script of this rank hands to torch.manual_seed, np.random.seed and random.seed, modulo 2^64. Every rule
/// except base+rank+epoch seeds once, before epoch 0; that one seeds again at the start of each epoch.
std::uint64_t scriptSeed(const PipelineSpec& spec, Epoch epoch, Rank rank);

/// Whether the rule seeds again at the start of each epoch.
bool seedsEachEpoch(const PipelineSpec& spec);

/// Whether it is known that ranks begin with different numbers.
bool seedsRanksApart(const PipelineSpec& spec);

/// A sampler's seed that may be another one on each rank: a whole number, or base+rank or base+local_rank, which add
/// to seeds.base what the process is. With the fallback none, it may also have none. Where it differs
/// between ranks, a rule that divides claims needs_equal_seeds.
Field rankSeedField(std::string path, Value fallback, std::int64_t min, std::int64_t max, std::string help);
/// The same field where only a number will do.
Field withoutRankSeeds(Field field);

/// Whether a seed, given to a rankSeedField, is base+rank or base+local_rank.
inline bool isRankSeed(const Value& seed) {
  const auto* const name = std::get_if<std::string>(&seed);
  return name != nullptr && (*name == "base+rank" || *name == "base+local_rank");
}
/// The number that the script of this rank gives to such a field; nothing when it gives none.
std::optional<std::int64_t> seedOfRank(const PipelineSpec& spec, const Value& seed, Rank rank);

/// The path of the sampler's seed that is another one on each rank, "sampler.seed"; empty when there is none.
std::string rankSeedPath(const PipelineSpec& spec);
/// The spec with numbers in place of such seeds, as the script of this rank makes its sampler.
PipelineSpec seededAs(PipelineSpec spec, Rank rank);

}  // namespace shardlens::sampling
