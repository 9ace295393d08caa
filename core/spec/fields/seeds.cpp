// SPDX-License-Identifier: Apache-2.0
#include "core/spec/fields/entry.h"

namespace shardlens::fields {

std::vector<Entry> seeds() {
  using K = FieldKind;
  using Seeds = PipelineSpec::Seeds;
  constexpr auto kSeeds = &PipelineSpec::seeds;
  return {
      row<kSeeds, &Seeds::base>(
          {.path = "seeds.base",
           .kind = K::Int,
           .help = "The number that the script hands to torch.manual_seed, and to np.random.seed, before the rule."}),
      row<kSeeds, &Seeds::rule>(
          {.path = "seeds.rule",
           .kind = K::Choice,
           .choices = {"unseeded", "same", "base+rank", "base+local_rank", "base+rank+epoch"},
           .help =
               "How the script makes each rank's seed from the base. unseeded: it never seeds, which is also what a "
               "file without seeds says."}),
  };
}

}  // namespace shardlens::fields
