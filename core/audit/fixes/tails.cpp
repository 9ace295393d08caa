// SPDX-License-Identifier: Apache-2.0
// What does not divide evenly: dropped or repeated, by the sampler or by the loader.
#include "core/audit/fixes/remedies.h"

namespace shardlens::fixes {

using sampling::SamplerTraits;

std::optional<Candidate> dropUnevenTail(const Facts& facts, const Finding& /*finding*/) {
  if (!facts.takes(&SamplerTraits::drop_last)) return std::nullopt;
  return Candidate{
      {"Drop the uneven tail instead: sampler.drop_last", {{facts.fieldOf(&SamplerTraits::drop_last), true}}},
      [](const Plan&, const EpochShape& shape) { return shape.padding == 0; }};
}

std::optional<Candidate> padUnevenTail(const Facts& facts, const Finding& /*finding*/) {
  return Candidate{
      {"Repeat some samples instead: sampler.drop_last off", {{facts.fieldOf(&SamplerTraits::drop_last), false}}}};
}

std::optional<Candidate> dropShortBatch(const Facts& /*facts*/, const Finding& /*finding*/) {
  return Candidate{{"Drop the short last batch: loader.drop_last", {{"loader.drop_last", true}}}};
}

std::optional<Candidate> keepShortBatch(const Facts& /*facts*/, const Finding& /*finding*/) {
  return Candidate{{"Keep the short last batch: loader.drop_last off", {{"loader.drop_last", false}}}};
}

}  // namespace shardlens::fixes
