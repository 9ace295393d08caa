// SPDX-License-Identifier: Apache-2.0
#include "core/plan/counted_plan.h"

#include "core/sampling/registry.h"
#include "core/sampling/script_seed.h"
#include "core/spec/field_table.h"
#include "core/spec/pipeline_spec.h"

#include <string>
#include <utility>

namespace shardlens {
namespace {

using sampling::SeedFree;

/// The spec with a seed of its own for each rank, wherever the script gives none.
PipelineSpec withSeeds(PipelineSpec spec, const sampling::SamplerRule& rule) {
  if (!isSeeded(spec)) spec.seeds = {0, "base+rank"};
  for (const Field& field : rule.info.parameters) {
    const bool takes_ranks = sampling::withoutRankSeeds(field) != field;
    if (takes_ranks && getValue(spec, field) == Value(std::string("none")))
      setValue(spec, field, std::string("base+rank"));
  }
  return spec;
}

SeedFree seedFree(const Plan& plan, const sampling::SamplerRule& rule) {
  if (rule.seed_free != nullptr) return rule.seed_free(plan.spec());
  if (!plan.knowsShapes()) return SeedFree::Nothing;
  return rule.whole(plan.spec()) ? SeedFree::Samples : SeedFree::Counts;
}

/// Whether ranks read one permutation, however they are seeded.
bool readsCommonOrder(PipelineSpec spec, const sampling::SamplerRule& rule) {
  if (!rule.reads_evenly(spec)) return false;
  spec.seeds.rule = "base+rank";
  const sampling::OrderKey first = rule.key(spec, Epoch{0}, Rank{0});
  for (Rank rank{1}; rank.value < spec.worldSize(); ++rank) {
    if (rule.key(spec, Epoch{0}, rank) != first) return false;
  }
  return true;
}

}  // namespace

bool CountedPlan::knowsReadings(const EpochShape& shape) const {
  return common || (known == SeedFree::Samples && shape.dropped == 0);
}

Result<CountedPlan> countedPlan(const PipelineSpec& spec, const Error& why) {
  const sampling::SamplerRule* const rule = sampling::findRule(spec.sampler.type);
  if (why.code != ErrorCode::Unsupported || rule == nullptr) return why;
  auto made = Plan::make(withSeeds(spec, *rule));
  if (!made) return why;
  CountedPlan counted{*std::move(made), why};
  counted.known = seedFree(counted.stand_in, *rule);
  counted.common = readsCommonOrder(counted.stand_in.spec(), *rule);
  return counted.known == SeedFree::Nothing && !counted.common ? Result<CountedPlan>(why) : counted;
}

}  // namespace shardlens
