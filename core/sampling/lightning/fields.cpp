// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/lightning/fields.h"

#include "core/base/phrase.h"
#include "core/spec/field_table.h"

#include <string>

namespace shardlens::sampling {
std::vector<Field> lightningWrapperFields(LightningWrapperKind kind) {
  const bool padded = kind == LightningWrapperKind::Padded;
  return {
      boolField("sampler.shuffle", true,
                marked("fields", "Permute in every epoch. In training the Trainer always passes true.")),
      seedField("sampler.seed", 0, INT64_MIN, INT64_MAX,
                padded ? marked("fields",
                                "Seed of the permutation; the epoch is added. The Trainer passes PL_GLOBAL_SEED, or 0.")
                       : marked("fields", "Has no effect: the epoch alone seeds the permutation.")),
      boolField("sampler.drop_last", false,
                padded ? marked("fields",
                                "Cut the tail that does not divide evenly instead of padding it with repeated samples.")
                       : marked("fields", "Has no effect: nothing is padded.")),
      boolField("sampler.set_epoch", true,
                marked("fields", "Whether set_epoch(epoch) is called; the Trainer calls it.")),
  };
}

std::int64_t lightningSetEpoch(const PipelineSpec& spec, const SamplerInfo& info, Epoch epoch) {
  return boolParameter(spec, info, "set_epoch") ? epoch.value : 0;
}

}  // namespace shardlens::sampling
