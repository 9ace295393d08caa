// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/script_seed.h"

#include "core/spec/pipeline_spec.h"

#include <string>
#include <utility>

namespace shardlens::sampling {
namespace {

const std::string kByRank = "base+rank";
const std::string kByLocalRank = "base+local_rank";

/// Whether the script is known to seed all ranks with one number.
bool seedsRanksAlike(const PipelineSpec& spec) {
  if (!isSeeded(spec)) return false;
  return spec.worldSize() == 1 || spec.seeds.rule == "same" ||
         (spec.seeds.rule == "base+local_rank" && spec.world.mostRanksOnNode() == 1) ||
         (spec.seeds.rule == "base+data_parallel_rank" && spec.world.dataParallelSize() == 1);
}

}  // namespace

bool seedsEachEpoch(const PipelineSpec& spec) {
  return spec.seeds.rule == "base+rank+epoch";
}

bool seedsRanksApart(const PipelineSpec& spec) {
  return spec.worldSize() > 1 && (neverSeeds(spec) || (isSeeded(spec) && !seedsRanksAlike(spec)));
}

std::uint64_t scriptSeed(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  auto seed = static_cast<std::uint64_t>(spec.seeds.base);
  const std::string& rule = spec.seeds.rule;
  if (rule == "base+rank" || seedsEachEpoch(spec)) seed += static_cast<std::uint64_t>(rank.value);
  if (rule == "base+data_parallel_rank") seed += static_cast<std::uint64_t>(spec.world.dataParallelRankOf(rank));
  if (rule == "base+local_rank") seed += static_cast<std::uint64_t>(spec.localRankOf(rank));
  if (seedsEachEpoch(spec)) seed += static_cast<std::uint64_t>(epoch.value);
  return seed;
}

Field rankSeedField(std::string path, Value fallback, std::int64_t min, std::int64_t max, std::string help) {
  Field field = seedField(std::move(path), 0, min, max, std::move(help));
  field.kind = FieldKind::IntOrName;
  if (const auto* none = std::get_if<std::string>(&fallback)) field.choices.push_back(*none);
  field.choices.insert(field.choices.end(), {kByRank, kByLocalRank});
  field.fallback = std::move(fallback);
  return field;
}

Field withoutRankSeeds(Field field) {
  if (std::erase_if(field.choices, [](const std::string& name) { return isRankSeed(name); }) == 0) return field;
  if (field.choices.empty()) field.kind = FieldKind::Int;
  return field;
}

std::optional<std::int64_t> seedOfRank(const PipelineSpec& spec, const Value& seed, Rank rank) {
  if (const auto* number = std::get_if<std::int64_t>(&seed)) return *number;
  if (!isRankSeed(seed)) return std::nullopt;
  const std::int64_t added = seed == Value(kByRank) ? rank.value : spec.localRankOf(rank);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(spec.seeds.base) + static_cast<std::uint64_t>(added));
}

std::string rankSeedPath(const PipelineSpec& spec) {
  for (const auto& [key, value] : spec.sampler.parameters) {
    if (isRankSeed(value)) return "sampler." + key;
  }
  return {};
}

PipelineSpec seededAs(PipelineSpec spec, Rank rank) {
  for (auto& [key, value] : spec.sampler.parameters) {
    if (isRankSeed(value)) value = *seedOfRank(spec, value, rank);
  }
  return spec;
}

}  // namespace shardlens::sampling
