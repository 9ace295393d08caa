// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/work.h"
#include "core/diagnose/instead.h"
#include "core/plan/plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shardlens {

/// What a run says about itself, as far as this decides which batches it reads.
struct RunShape {
  std::int64_t nodes = 0;
  std::int64_t world_size = 0;
  std::int64_t batch_size = 0;  ///< the most samples of one batch; 0 when the run does not say
};

/// A field of the spec, and the value with which the plan has other batches.
struct OtherValue {
  std::string path;  ///< "sampler.seed"
  std::string planned;
  std::string other;
  bool is_seed = false;
};

/// Looks for the spec that the batches of a run come from, when the given plan has them nowhere: with the world and the
/// batch size of the run, with one other seed, with or without shuffling or dropping, with another rule for the seeds.
/// An answer has each batch that was kept, wrong or right, and there are at least four of them; otherwise nothing. The
/// number of orders that are drawn is bounded, and smaller for large datasets.
std::optional<std::vector<OtherValue>> findOtherSpec(const Plan& plan, const WrongBatches& batches, const RunShape& run,
                                                     const Work& work = {});

/// "All compared batches match the plan with sampler.seed 7 instead of 0." What was found in the plan itself helps to
/// distinguish an epoch that is counted differently from another seed.
std::string otherSpecText(const std::vector<OtherValue>& values, const std::vector<Instead>& found);

}  // namespace shardlens
