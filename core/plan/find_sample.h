// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/plan/plan.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace shardlens {

/// One time that a rank gets a sample.
struct Sighting {
  Rank rank;
  std::optional<Step> step;  ///< none: the sampler yields it, and loader.drop_last throws it away
  std::int64_t item = 0;     ///< its place in the batch, or in the short one that is dropped, from 0
  std::int64_t worker = -1;  ///< as RankEpoch::worker; of a dropped one: the worker whose own short batch it is in
  bool padding = false;

  bool operator==(const Sighting&) const = default;
};

/// Every time that `sample` is handed out in this epoch, by rank and then in the order of reading. Follows the sample
/// through the rule if the rule can (SamplerRule::places), without any order; otherwise searches each order once and
/// holds one at a time in addition to what the plan keeps.
Result<std::vector<Sighting>> findSample(const Plan& plan, Epoch epoch, SampleIndex sample, const Work& work = {});

/// The same for `count` epochs from `first`, by epoch; several at a time if no order has to be held.
Result<std::vector<std::vector<Sighting>>> findSample(const Plan& plan, Epoch first, std::int64_t count,
                                                      SampleIndex sample, const Work& work = {});

}  // namespace shardlens
