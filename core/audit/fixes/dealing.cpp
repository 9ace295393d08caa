// SPDX-License-Identifier: Apache-2.0
// Which rank gets which part: ranks that read what others read, slices that no rank reads or that are empty.
#include "core/audit/fixes/remedies.h"

#include <algorithm>
#include <utility>

namespace shardlens::fixes {

using sampling::SamplerTraits;

namespace {

/// The fix, and a drop_last switched off where the slices it makes would otherwise give no batch.
Fix keepingBatches(const Facts& facts, Fix fix, std::int64_t replicas, bool sampler_drops) {
  const std::int64_t size = facts.spec().dataset.size;
  if (sampler_drops && size < replicas) fix.edits.push_back({facts.fieldOf(&SamplerTraits::drop_last), false});
  const std::int64_t samples = sampler_drops && size >= replicas ? size / replicas : (size + replicas - 1) / replicas;
  if (facts.spec().loader.drop_last && samples < facts.spec().loader.batch_size) {
    fix.edits.push_back({"loader.drop_last", false});
    fix.label += ", keep short batches";
  }
  return fix;
}

/// Replaces a sampler that knows no ranks by the one that deals to ranks.
Fix useDistributedSampler(const Facts& facts) {
  Fix fix{"Deal with DistributedSampler",
          {{"sampler.type", std::string("torch.DistributedSampler")},
           {"sampler.num_replicas", std::string("world_size")},
           {"sampler.rank", std::string("rank")},
           {"sampler.shuffle", facts.shuffles()},
           {"sampler.drop_last", false},
           {"sampler.set_epoch", true}},
          {}};
  return keepingBatches(facts, std::move(fix), facts.worldSize(), false);
}

}  // namespace

void readOwnSlices(const Facts& facts, const Finding& /*finding*/, std::vector<Fix>& proposed) {
  if (!facts.takes(&SamplerTraits::num_replicas)) return;
  Fix fix{"Pass rank and world_size to the sampler",
          {{facts.fieldOf(&SamplerTraits::num_replicas), std::string("world_size")},
           {facts.fieldOf(&SamplerTraits::rank), std::string("rank")}},
          {}};
  proposed.push_back(keepingBatches(facts, std::move(fix), facts.worldSize(), facts.isOn(&SamplerTraits::drop_last)));
}

void splitAmongRanks(const Facts& facts, const Finding& finding, std::vector<Fix>& proposed) {
  if (finding.where.field == "seeds.rule") {
    proposed.push_back({"Seed each rank apart: base+rank", {{"seeds.rule", std::string("base+rank")}}, {}});
  }
  if (facts.dealsToReplicas()) return readOwnSlices(facts, finding, proposed);
  if (facts.takes(&SamplerTraits::indices)) return;
  proposed.push_back(useDistributedSampler(facts));
}

void fillEmptySlices(const Facts& facts, const Finding& /*finding*/, std::vector<Fix>& proposed) {
  if (facts.spec().dataset.size == 0 || !facts.dealsToReplicas()) return;
  proposed.push_back(
      keepingBatches(facts, {"Let the sampler pad: sampler.drop_last off", {}, {}}, facts.replicas(), true));
}

}  // namespace shardlens::fixes
