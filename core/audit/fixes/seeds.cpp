// SPDX-License-Identifier: Apache-2.0
// Processes that draw the same random numbers.
#include "core/audit/fixes/remedies.h"
#include "core/audit/fixes/sampler_remedies.h"
#include "core/base/phrase.h"
#include "core/sampling/script_seed.h"
#include "core/spec/pipeline_spec.h"

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::fixes {

using sampling::SamplerTraits;

namespace {

constexpr std::int64_t kBasesTried = 16;

/// A later base with which no two workers collide; the present one when a few tries find none. Bases nearer than the
/// world size would give most ranks a neighbour's present seed.
std::int64_t freeBase(const Facts& facts) {
  const std::int64_t now = facts.spec().seeds.base;
  for (std::int64_t i = 1; i <= kBasesTried; ++i) {
    const std::int64_t step = i * facts.worldSize();
    if (now > std::numeric_limits<std::int64_t>::max() - step - facts.worldSize()) break;
    PipelineSpec spec = facts.spec();
    spec.seeds.base = now + step;
    const auto plan = Plan::make(std::move(spec));
    if (plan && seedTable(*plan, 1).colliding_workers == 0) return now + step;
  }
  return now;
}

/// The rule by which each copy of the model has seeds of its own.
std::string apartRule(const Facts& facts) {
  return facts.dataParallelSize() == facts.worldSize() ? "base+rank" : "base+data_parallel_rank";
}

/// Whether ranks draw one order only if their scripts seed alike.
bool needsEqualScripts(const Facts& facts) {
  return facts.claims().needs_equal_seeds && sampling::rankSeedPath(facts.spec()).empty();
}

/// What gives all ranks one order, whatever they seed torch with: each as a list of edits.
std::vector<std::vector<Edit>> commonOrders(const Facts& facts) {
  const std::int64_t base = facts.spec().seeds.base;
  const Value none = std::string("none");
  std::vector<std::vector<Edit>> ways;
  if (facts.isOn(&SamplerTraits::common_seed_flag) && facts.parameter(&SamplerTraits::common_seed) == none)
    ways.push_back({{facts.fieldOf(&SamplerTraits::common_seed), base}});
  if (const std::string_view seed = remediesOf(facts).order_seed; !seed.empty())
    ways.push_back({{"sampler." + std::string(seed), base}});
  if (facts.parameter(&SamplerTraits::generator) == none)
    ways.push_back(
        {{facts.fieldOf(&SamplerTraits::generator), std::string("sampler")}, {"sampler.generator_seed", base}});
  return ways;
}

std::string apartLabel(const std::string& rule) {
  return rule == "base+rank" ? worded("fixes", "Give each rank its own seed: base+rank")
                             : worded("fixes", "Give each data-parallel rank its own seed: base+data_parallel_rank");
}

std::string oneOrderLabel(const std::string& field) {
  return filled(worded("fixes", "Draw one order for all ranks: %1"), field);
}

}  // namespace

void seedRanksApart(const Facts& facts, const Finding& /*finding*/, std::vector<Fix>& proposed) {
  if (facts.worldSize() == 1 || !isSeeded(facts.spec())) return;
  const std::string rule = apartRule(facts);
  const Edit apart{"seeds.rule", rule};
  if (!needsEqualScripts(facts)) proposed.push_back({apartLabel(rule), {apart}});
  for (std::vector<Edit>& edits : commonOrders(facts)) {
    const std::string label = filled(worded("fixes", "%1; keep the order by %2"), apartLabel(rule), edits.back().path);
    edits.push_back(apart);
    proposed.push_back({label, std::move(edits)});
  }
}

void seedTheScript(const Facts& facts, const Finding& /*finding*/, std::vector<Fix>& proposed) {
  const bool moves_order = facts.spec().seeds.base != 0 && !sampling::rankSeedPath(facts.spec()).empty();
  if (moves_order) return;
  const std::string rule = facts.worldSize() == 1 || needsEqualScripts(facts) ? "same" : apartRule(facts);
  const Edit by_rule{"seeds.rule", rule};
  proposed.push_back({rule == "same"        ? worded("fixes", "Seed with 0")
                      : rule == "base+rank" ? worded("fixes", "Seed with 0 + rank")
                                            : worded("fixes", "Seed with 0 + data_parallel_rank"),
                      {{"seeds.base", std::int64_t{0}}, by_rule}});
}

void drawOneOrder(const Facts& facts, const Finding& /*finding*/, std::vector<Fix>& proposed) {
  if (facts.worldSize() == 1) return;
  if (const std::string own = sampling::rankSeedPath(facts.spec()); !own.empty()) {
    if (facts.claims().divides) proposed.push_back({oneOrderLabel(own), {{own, facts.spec().seeds.base}}});
    return;
  }
  if (facts.spec().seeds.rule == "same" || !isSeeded(facts.spec())) return;
  for (std::vector<Edit>& edits : commonOrders(facts)) {
    const std::string label = oneOrderLabel(edits.back().path);
    proposed.push_back({label, std::move(edits)});
  }
  proposed.push_back({worded("fixes", "Give all ranks the same seed"), {{"seeds.rule", std::string("same")}}});
}

void seedWorkersApart(const Facts& facts, const Finding& finding, std::vector<Fix>& proposed) {
  if (finding.where.field != "seeds.base") {
    proposed.push_back(
        {worded("fixes", "Pass no generator to the loader"), {{finding.where.field, std::string("none")}}, {}});
    proposed.push_back(
        {worded("fixes", "Give the generator only to the sampler"), {{finding.where.field, std::string("sampler")}}});
    return;
  }
  const std::int64_t base = freeBase(facts);
  if (base != facts.spec().seeds.base) {
    proposed.push_back({setField("seeds.base", std::to_string(base)), {{"seeds.base", base}}});
  }
}

namespace {

std::string bySeedAndEpoch(const std::string& field) {
  return filled(worded("fixes", "Shuffle by seed + epoch: %1"), field);
}

void useClassThatShuffles(const Facts& facts, std::vector<Fix>& proposed) {
  if (!facts.spec().dataset.shards.empty() || remediesOf(facts).for_ranks != "torch.DistributedSampler") return;
  if (!facts.shuffles()) return;
  Fix fix = changeTo(facts, "torch.DistributedSampler",
                     filled(worded("fixes", "Shuffle in every epoch: use %1"), "DistributedSampler"));
  fix.edits.push_back({"sampler.shuffle", true});
  fix.edits.push_back({"sampler.set_epoch", true});
  proposed.push_back(std::move(fix));
}

}  // namespace

void renewEpochs(const Facts& facts, const Finding& /*finding*/, std::vector<Fix>& proposed) {
  if (facts.takes(&SamplerTraits::set_epoch)) {
    const Edit told{facts.fieldOf(&SamplerTraits::set_epoch), true};
    proposed.push_back({worded("fixes", "Call set_epoch(epoch) in every epoch"), {told}});
  }
  // Copies of the dataset in workers that are made anew begin with epoch 0 again.
  const Edit kept{"loader.persistent_workers", true};
  const bool forgets = facts.spec().loader.num_workers > 0 && !facts.spec().loader.persistent_workers;
  if (forgets) proposed.push_back({worded("fixes", "Keep the workers: loader.persistent_workers"), {kept}});
  if (const auto renewed = made(facts, remediesOf(facts).renews)) {
    proposed.push_back({bySeedAndEpoch(renewed->path), {*renewed}});
    if (forgets)
      proposed.push_back(
          {filled(worded("fixes", "%1, and keep the workers"), bySeedAndEpoch(renewed->path)), {*renewed, kept}, {}});
  }
  useClassThatShuffles(facts, proposed);
}

}  // namespace shardlens::fixes
