// SPDX-License-Identifier: Apache-2.0
// Epochs that repeat each other.
#include "core/audit/fixes/remedies.h"

namespace shardlens::fixes {

using sampling::SamplerTraits;

void callSetEpoch(const Facts& facts, const Finding& /*finding*/, std::vector<Fix>& proposed) {
  if (!facts.takes(&SamplerTraits::set_epoch)) return;
  const Edit told{facts.fieldOf(&SamplerTraits::set_epoch), true};
  proposed.push_back({"Call set_epoch(epoch) in every epoch", {told}, {}});
}

}  // namespace shardlens::fixes
