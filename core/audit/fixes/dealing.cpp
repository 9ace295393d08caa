// SPDX-License-Identifier: Apache-2.0
// Which rank gets which part: ranks that read what others read, slices that no rank reads or that are empty.
#include "core/audit/fixes/remedies.h"
#include "core/audit/fixes/sampler_remedies.h"
#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/sampling/script_seed.h"
#include "core/sampling/torch/inner_sampler.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <utility>

namespace shardlens::fixes {

using sampling::SamplerTraits;

namespace {

/// "DistributedSampler" of "torch.DistributedSampler".
std::string classNameOf(std::string_view type) {
  return std::string(type.substr(type.find('.') + 1));
}

/// The fix, and a drop_last switched off where the slices it makes would otherwise give no batch.
Fix keepingBatches(const Facts& facts, Fix fix, std::int64_t replicas, bool sampler_drops) {
  const std::int64_t size = facts.spec().dataset.size;
  if (sampler_drops && size < replicas) fix.edits.push_back({facts.fieldOf(&SamplerTraits::drop_last), false});
  const std::int64_t samples = sampler_drops && size >= replicas ? size / replicas : (size + replicas - 1) / replicas;
  if (facts.spec().loader.drop_last && samples < facts.spec().loader.batch_size) {
    fix.edits.push_back({"loader.drop_last", false});
    fix.label = keepingShortBatches(fix.label);
  }
  return fix;
}

/// What names the slices of this job, and a process's own one.
struct OwnSlice {
  std::string count = "world_size";
  std::string own = "rank";
  std::string label = worded("fixes", "Pass rank and world_size to the sampler");
};

OwnSlice ownSliceOf(const Facts& facts) {
  if (facts.dataParallelSize() == facts.worldSize()) return {};
  return {"data_parallel_size", "data_parallel_rank",
          worded("fixes", "Pass the data-parallel rank and size to the sampler")};
}

void readOwnSlices(const Facts& facts, std::vector<Fix>& proposed) {
  if (!facts.takes(&SamplerTraits::num_replicas) || facts.dealsToThisWorld()) return;
  const OwnSlice slice = ownSliceOf(facts);
  Fix fix{
      slice.label,
      {{facts.fieldOf(&SamplerTraits::num_replicas), slice.count}, {facts.fieldOf(&SamplerTraits::rank), slice.own}}};
  proposed.push_back(
      keepingBatches(facts, std::move(fix), facts.dataParallelSize(), facts.isOn(&SamplerTraits::drop_last)));
}

/// The edit, and one seed for all ranks where the sampler has one for each: shares of different orders do not fit.
std::vector<Edit> oneOrder(const Facts& facts, const Edit& divides) {
  std::vector<Edit> edits = {divides};
  const std::string own = sampling::rankSeedPath(facts.spec());
  if (!own.empty()) edits.push_back({own, facts.spec().seeds.base});
  return edits;
}

/// Streams take no sampler: they divide themselves, among ranks and among workers.
void splitStream(const Facts& facts, std::vector<Fix>& proposed) {
  const SamplerRemedies& own = remediesOf(facts);
  const auto ranks = made(facts, own.splits_ranks);
  const auto workers = facts.spec().loader.num_workers > 0 ? made(facts, own.splits_workers) : std::nullopt;
  std::vector<Edit> divided;
  if (ranks) divided = oneOrder(facts, *ranks);
  if (ranks)
    proposed.push_back(
        {filled(worded("fixes", "Divide the stream among the ranks: %1"), std::string(own.splits_ranks.key)),
         divided,
         {}});
  if (workers)
    proposed.push_back(
        {filled(worded("fixes", "Divide each rank's part among its workers: %1"), std::string(own.splits_workers.key)),
         {*workers},
         {}});
  if (ranks && workers) {
    divided.push_back(*workers);
    proposed.push_back({filled(worded("fixes", "Divide the stream among ranks and workers: %1, %2"),
                               std::string(own.splits_ranks.key), std::string(own.splits_workers.key)),
                        divided});
  }
}

/// The label of a fix, and what keeps the ranks in step beside it: so many even shards, or 0, and whether short batches
/// are dropped.
std::string keptInStep(const std::string& label, std::int64_t shards, bool drops) {
  const std::string written =
      shards > 0 ? filled(worded("fixes", "%1; rewrite the dataset in %2 even shards"), label, grouped(shards)) : label;
  return drops ? filled(worded("fixes", "%1; drop short last batches"), written) : written;
}

/// What is divided may end unevenly: the same with even shards, or without short batches.
void splitStreamInStep(const Facts& facts, std::vector<Fix>& proposed) {
  std::vector<Fix> split;
  splitStream(facts, split);
  const auto even = evenShards(facts);
  for (const Fix& fix : split) {
    proposed.push_back(fix);
    for (const bool drops : {false, true}) {
      if (drops && facts.spec().loader.drop_last) continue;
      for (const bool rewrites : {false, true}) {
        if ((rewrites && !even) || (!rewrites && !drops)) continue;
        Fix& more = proposed.emplace_back(fix);
        more.label = keptInStep(fix.label, rewrites ? shardsOf(*even) : 0, drops);
        if (rewrites) more.edits.push_back(*even);
        if (drops) more.edits.push_back({"loader.drop_last", true});
      }
    }
  }
}

bool hasDrawsOfItsOwn(const Facts& facts) {
  const auto number = facts.parameter(&SamplerTraits::num_samples);
  return facts.isOn(&SamplerTraits::replacement) || (number && std::holds_alternative<std::int64_t>(*number));
}

/// Sets a parameter of the type that the fix changes to, where that type has it.
void set(Fix& fix, const sampling::SamplerRule& rule, std::string_view key, Value value) {
  const auto has = [&](const Field& field) { return field.key() == key; };
  if (key.empty() || std::ranges::none_of(rule.info.parameters, has)) return;
  fix.edits.push_back({"sampler." + std::string(key), std::move(value)});
}

/// The class that deals the same samples to ranks.
void useClassForRanks(const Facts& facts, std::vector<Fix>& proposed) {
  const std::string type(remediesOf(facts).for_ranks);
  const sampling::SamplerRule* rule = type.empty() ? nullptr : sampling::findRule(type);
  if (rule == nullptr || hasDrawsOfItsOwn(facts)) return;
  Fix fix = changeTo(facts, type, filled(worded("fixes", "Use %1"), classNameOf(type)));
  const SamplerTraits& traits = rule->traits;
  const OwnSlice slice = ownSliceOf(facts);
  set(fix, *rule, traits.num_replicas, slice.count);
  set(fix, *rule, traits.rank, slice.own);
  if (!traits.num_replicas.empty()) set(fix, *rule, traits.shuffle, facts.shuffles());
  set(fix, *rule, traits.drop_last, false);
  set(fix, *rule, traits.set_epoch, true);
  proposed.push_back(keepingBatches(facts, std::move(fix), facts.dataParallelSize(), false));
}

/// Samplers with weights or a list of their own keep them inside of the wrapper that deals what they draw.
void wrap(const Facts& facts, std::vector<Fix>& proposed) {
  const std::string inner = sampling::innerNameOf(facts.spec().sampler.type);
  if (inner.empty() || (!remediesOf(facts).for_ranks.empty() && !hasDrawsOfItsOwn(facts))) return;
  Fix fix = changeTo(facts, "lightning.DistributedSamplerWrapper",
                     worded("fixes", "Divide what it draws: DistributedSamplerWrapper"));
  const std::vector<Edit> told = {{"sampler.inner", inner},
                                  {"sampler.shuffle", facts.shuffles()},
                                  {"sampler.drop_last", false},
                                  {"sampler.set_epoch", true}};
  fix.edits.insert(fix.edits.end(), told.begin(), told.end());
  if (const auto again = facts.parameter(&SamplerTraits::replacement))
    fix.edits.push_back({"sampler.replacement", *again});
  proposed.push_back(fix);
  if (!facts.takes(&SamplerTraits::generator)) return;
  fix.label = worded("fixes", "Divide what it draws: DistributedSamplerWrapper, with one generator for all ranks");
  fix.edits.push_back({"sampler.generator", std::string("sampler")});
  fix.edits.push_back({"sampler.generator_seed", facts.spec().seeds.base});
  proposed.push_back(std::move(fix));
}

/// accelerator.prepare() divides what the loader reads: a sampler that divides, too, leaves each rank a share of a
/// share.
void divideOnce(const Facts& facts, std::vector<Fix>& proposed) {
  const Field* inner = findField(facts.spec(), sampling::catalogue(), "sampler.inner");
  if (inner == nullptr) return;
  const Value named = getValue(facts.spec(), *inner);
  const auto* name = std::get_if<std::string>(&named);
  const sampling::SamplerRule* rule = name == nullptr ? nullptr : sampling::findRule(*name);
  if (rule == nullptr || rule->traits.num_replicas.empty()) return;
  Fix fix = changeTo(facts, "accelerate.BatchSamplerShard",
                     filled(worded("fixes", "Remove %1: accelerator.prepare() divides already"), classNameOf(*name)));
  fix.edits.push_back({"sampler.shuffle", facts.isOn(&SamplerTraits::shuffle)});
  proposed.push_back(std::move(fix));
}

}  // namespace

void divideAmongRanks(const Facts& facts, const Finding& /*finding*/, std::vector<Fix>& proposed) {
  splitStreamInStep(facts, proposed);
  if (facts.worldSize() == 1) return;
  divideOnce(facts, proposed);
  readOwnSlices(facts, proposed);
  useClassForRanks(facts, proposed);
  wrap(facts, proposed);
}

void fillEmptySlices(const Facts& facts, const Finding& /*finding*/, std::vector<Fix>& proposed) {
  if (facts.spec().dataset.size == 0 || !facts.dealsToReplicas()) return;
  proposed.push_back(keepingBatches(facts, {worded("fixes", "Let the sampler pad: turn sampler.drop_last off"), {}, {}},
                                    facts.replicas().second, true));
}

}  // namespace shardlens::fixes
