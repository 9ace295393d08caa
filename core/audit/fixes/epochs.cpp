// SPDX-License-Identifier: Apache-2.0
// Epochs that repeat each other.
#include "core/audit/fixes/remedies.h"

namespace shardlens::fixes {

std::optional<Candidate> callSetEpoch(const Facts& facts, const Finding& /*finding*/) {
  return Candidate{
      {"Call sampler.set_epoch(epoch) in every epoch", {{facts.fieldOf(&sampling::SamplerTraits::set_epoch), true}}}};
}

}  // namespace shardlens::fixes
