// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/spec/fields/entry.h"

namespace shardlens::fields {

std::vector<Entry> seeds() {
  using K = FieldKind;
  using Seeds = PipelineSpec::Seeds;
  constexpr auto kSeeds = &PipelineSpec::seeds;
  return {
      row<kSeeds, &Seeds::base>({.path = "seeds.base",
                                 .kind = K::Int,
                                 .help = marked("fields",
                                                "The seed that the script passes to torch.manual_seed and "
                                                "np.random.seed, before the rule is applied. A sampler's seed "
                                                "base+rank adds the rank to it, too."),
                                 .is_seed = true}),
      row<kSeeds, &Seeds::rule>(
          {.path = "seeds.rule",
           .kind = K::Choice,
           .choices = {"unseeded", "same", "base+rank", "base+local_rank", "base+data_parallel_rank", "base+rank+epoch",
                       "unknown"},
           .help = marked("fields",
                          "How the script derives each rank's seed from the base. unseeded: the "
                          "script never seeds, as in a file without the section seeds. unknown: it may, and "
                          "nobody knows how.")}),
  };
}

}  // namespace shardlens::fields
