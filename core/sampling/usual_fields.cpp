// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/usual_fields.h"

#include "core/base/phrase.h"

namespace shardlens::sampling {

Field shuffleField(bool fallback) {
  return boolField("sampler.shuffle", fallback, marked("fields", "Permute the dataset in every epoch."));
}

Field dropTailField() {
  return boolField(
      "sampler.drop_last", false,
      marked("fields", "Cut the tail that does not divide evenly instead of padding it with repeated samples."));
}

Field setEpochField() {
  return boolField(
      "sampler.set_epoch", true,
      marked("fields",
             "Whether the script calls sampler.set_epoch(epoch); if it does not, every epoch repeats epoch 0."));
}

Field replacementField() {
  return boolField(
      "sampler.replacement", false,
      marked("fields", "Draw with replacement, so that some samples are read several times and others never."));
}

Field numSamplesField(std::int64_t least) {
  return intOrNameField(
      "sampler.num_samples", "none", least, kMostToDraw, "samples",
      marked("fields", "Number of samples per epoch on each rank; none means the size of the dataset."));
}

}  // namespace shardlens::sampling
