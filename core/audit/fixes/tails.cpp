// SPDX-License-Identifier: Apache-2.0
// What does not divide evenly: dropped or repeated, by the sampler or by the loader.
#include "core/audit/fixes/remedies.h"

namespace shardlens::fixes {

using sampling::SamplerTraits;

void dropUnevenTail(const Facts& facts, const Finding& /*finding*/, std::vector<Fix>& proposed) {
  if (!facts.takes(&SamplerTraits::drop_last)) return;
  const Edit dropped{facts.fieldOf(&SamplerTraits::drop_last), true};
  proposed.push_back({"Drop the uneven tail instead: sampler.drop_last", {dropped}, {}});
}

void padUnevenTail(const Facts& facts, const Finding& /*finding*/, std::vector<Fix>& proposed) {
  if (!facts.takes(&SamplerTraits::drop_last)) return;
  const Edit kept{facts.fieldOf(&SamplerTraits::drop_last), false};
  proposed.push_back({"Repeat some samples instead: sampler.drop_last off", {kept}, {}});
}

void keepShortBatch(const Facts& /*facts*/, const Finding& /*finding*/, std::vector<Fix>& proposed) {
  proposed.push_back({"Keep the short last batch: loader.drop_last off", {{"loader.drop_last", false}}, {}});
}

}  // namespace shardlens::fixes
