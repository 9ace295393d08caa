// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/plan/plan.h"
#include "core/sampling/sampler_rule.h"
#include "core/spec/pipeline_spec.h"

namespace shardlens {

/// A design whose order cannot be predicted, and what is known of it nevertheless.
struct CountedPlan {
  Plan stand_in;  ///< the same design with seeds that were made up: of it only what `known` and `common` say holds
  Error why;      ///< why the order is not predictable
  sampling::SeedFree known = sampling::SeedFree::Nothing;
  /// All ranks read one permutation of the dataset, whole or by strides: it is known which places of it are read, and
  /// how often, but not which samples are at these places.
  bool common = false;

  /// Whether an epoch of this shape has known counts: how many samples are read how often, and how many any two ranks
  /// share.
  [[nodiscard]] bool knowsReadings(const EpochShape& shape) const;
};

/// What is known of a spec that Plan::make() refuses with `why`. Returns `why` if nothing is known, or if seeds are not
/// the cause.
Result<CountedPlan> countedPlan(const PipelineSpec& spec, const Error& why);

}  // namespace shardlens
