// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/sampling/causes.h"
#include "core/spec/value.h"

#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>

namespace shardlens {
struct PipelineSpec;
}

namespace shardlens::sampling {

/// What a sampler does by design, for those who judge a plan. Which samples are read, how often and by which rank
/// is counted from the batches; the claims only name the cause. Repetition that a rule does not claim is not explained.
struct SamplerClaims {
  /// Divides the samples among the ranks, well or badly; false: every rank reads all that the sampler has.
  bool divides = false;
  /// Into how many slices it divides, if the script says so; 0: into as many as there are ranks, or not at all.
  std::int64_t slices = 0;
  /// An iterable dataset: torch refuses a sampler with it.
  bool is_stream = false;
  /// Made for evaluation or prediction: there each repeated sample distorts the result.
  bool evaluates = false;
  /// Unless the script gives them one seed, ranks read shares of different orders, and so read some samples twice, or
  /// the batches of a step are of different kinds.
  bool needs_equal_seeds = false;
  /// Its batches are those that a job read: nothing in the spec says why they are these.
  bool is_recorded = false;
  /// Ranks with too few samples get batches without samples, and stay in step.
  bool has_empty_batches = false;
  /// The parameter by which each worker's copy of the dataset counts its own epoch, without "sampler."; or empty.
  std::string_view counted_by_worker = {};

  /// What items are that the slices mark as padding; those that the deal counts as filled fill a batch anyway.
  RepeatCause padding = RepeatCause::SamplerPadding;
  /// Several ranks read one place of an order.
  RepeatCause same_place = RepeatCause::OverlappingRanks;
  /// A sample is at several places of an order; of one share, where the order is dealt.
  RepeatCause in_order = RepeatCause::NotExplained;
  /// A sample is in several shares of a dealt order.
  RepeatCause across_shares = RepeatCause::OverlappingRanks;
};

/// The cause for a place of an order that no rank reads, or for the n-th sample that a deal left over.
using UnreadCause = std::function<MissingCause(std::int64_t place)>;
/// The cause for a sample that is in no order.
using LeftOutCause = std::function<MissingCause(SampleIndex sample)>;

/// The same cause for all.
inline std::function<MissingCause(std::int64_t)> always(MissingCause cause) {
  return [cause](std::int64_t) { return cause; };
}

/// The same in the form of a rule's `unread` or `left_out`.
template <MissingCause cause>
std::function<MissingCause(std::int64_t)> always(const PipelineSpec& /*spec*/, Epoch /*epoch*/) {
  return always(cause);
}

/// Samples that the list does not hold were not among the indices; for others it is `otherwise`.
LeftOutCause notListed(const IndexList& list, std::int64_t dataset_size, MissingCause otherwise);

}  // namespace shardlens::sampling
