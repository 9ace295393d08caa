// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace shardlens::sampling {

/// Sequential, Random and QuasiRandom of FFCV (`ffcv/traversal_order` @3a12966).
SamplerRule ffcvSequential();
SamplerRule ffcvRandom();
SamplerRule ffcvQuasiRandom();

/// What QuasiRandom hands out for an epoch of samples that lie in pages, after it was asked for other epochs: each call
/// shuffles the stored pages in place, and the next one goes on from there.
class FfcvPages {
 public:
  /// The samples of each page, ascending, at least one in all.
  FfcvPages(std::vector<std::vector<std::int64_t>> pages, std::int64_t batch_size)
      : pages_(std::move(pages)), slots_(2 * batch_size) {}

  /// The order of this epoch, as one more call gives it.
  std::vector<std::int64_t> call(std::int64_t seed, std::int64_t epoch);

 private:
  std::vector<std::vector<std::int64_t>> pages_;
  std::int64_t slots_;
};

/// The pages of a spec of QuasiRandom before the first call.
FfcvPages ffcvPages(const PipelineSpec& spec);

}  // namespace shardlens::sampling
