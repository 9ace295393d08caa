// SPDX-License-Identifier: Apache-2.0
// Processes that draw the same random numbers.
#include "core/audit/fixes/remedies.h"

#include <limits>
#include <string>
#include <utility>

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

}  // namespace

void seedRanksApart(const Facts& facts, const Finding& /*finding*/, std::vector<Fix>& proposed) {
  Fix fix{"Seed each rank apart: base+rank", {{"seeds.rule", std::string("base+rank")}}, {}};
  // A sampler that permutes by torch's seed unless it has data_seed needs that one, or the ranks lose their common
  // order.
  if (facts.isOn(&SamplerTraits::common_seed_flag) &&
      facts.parameter(&SamplerTraits::common_seed) == Value(std::string("none"))) {
    fix.label += "; keep the order by " + std::string(facts.traits().common_seed);
    fix.edits.push_back({facts.fieldOf(&SamplerTraits::common_seed), facts.spec().seeds.base});
  }
  proposed.push_back(std::move(fix));
}

void seedWorkersApart(const Facts& facts, const Finding& finding, std::vector<Fix>& proposed) {
  if (finding.where.field != "seeds.base") {
    proposed.push_back({"Hand the loader no generator", {{finding.where.field, std::string("none")}}, {}});
    return;
  }
  const std::int64_t base = freeBase(facts);
  if (base != facts.spec().seeds.base) {
    proposed.push_back({"Set seeds.base to " + std::to_string(base), {{"seeds.base", base}}, {}});
  }
}

}  // namespace shardlens::fixes
