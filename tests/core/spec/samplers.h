// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/sampler_info.h"

namespace shardlens::test {

/// Two samplers that share one parameter, `seed`; what the other is called, they mean differently.
inline SamplerCatalogue twoSamplers() {
  static const Field kSeed{"sampler.seed", FieldKind::Int};
  static const std::vector<SamplerInfo> kSamplers = {
      {"torch.A", "", {{"sampler.shuffle", FieldKind::Bool, true}, kSeed}, {}},
      {"torch.B", "", {{"sampler.shuffle", FieldKind::Int, std::int64_t{1}, 1, 100}, kSeed}, {}}};
  return kSamplers;
}

}  // namespace shardlens::test
