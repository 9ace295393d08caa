// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/spec/value.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace shardlens {

/// Why an item is handed out although its sample was handed out before in the same epoch.
enum class RepeatCause {
  SamplerPadding,      ///< the sampler repeats samples so that its slices are equally long
  BatchFilling,        ///< the last batch, or the last round of batches, is filled up
  Replacement,         ///< each draw is from the whole dataset
  RepeatFactor,        ///< the sampler was asked to repeat samples
  ClassBalance,        ///< drawn again so that classes come equally often
  ListedTwice,         ///< the list of samples holds it more than once
  TwoStreams,          ///< the second stream starts over, or both hold the sample
  AnotherPass,         ///< the epoch is longer than one pass over the samples
  ShuffleDefect,       ///< a known defect of the framework's shuffle
  OverlappingRanks,    ///< another rank reads it, too
  DuplicatingWorkers,  ///< each worker of the rank reads it
  Replication,         ///< ranks are meant to read the same
  NotExplained,
};
constexpr std::size_t kRepeatCauses = 13;

/// Why a sample of the dataset is handed out to no rank in an epoch.
enum class MissingCause {
  CutBySampler,      ///< the sampler leaves out what does not divide evenly
  CutByLoader,       ///< loader.drop_last throws a short batch away
  NoWholeStep,       ///< a global batch is smaller than one micro batch of every rank, so no step takes anything
  NotAmongIndices,   ///< not in the list of samples that the sampler was given
  OutsideSubset,     ///< not in the part of the dataset that the sampler picked
  WeightZero,        ///< its weight or repeat factor is 0
  WithoutWeight,     ///< the list of weights ends before it
  NotDrawn,          ///< the epoch draws fewer samples, or draws by chance
  NotHandedOut,      ///< in no batch that a recorded loop got; whether it was drawn is not known
  HandedOutBefore,   ///< read before the state was saved from which this run continues
  CountCarriedOver,  ///< the epoch begins where a count of consumed samples says, which is not reset between epochs
  WaitingInBuffer,   ///< read, but kept for a batch of a later epoch
  RankThatNobodyIs,  ///< in the slice of a rank that no process has
  DividedTwice,      ///< in a share of a share that no process reads
  DifferentOrders,   ///< ranks take shares of different orders, and its share of each is another rank's
  ShuffleDefect,     ///< a known defect of the framework's shuffle
  NotExplained,
};
constexpr std::size_t kMissingCauses = 17;

/// "sampler_padding": stable, for reports.
std::string_view causeName(RepeatCause cause);
std::string_view causeName(MissingCause cause);

struct PipelineSpec;

}  // namespace shardlens

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

/// Those of a sampler that divides nothing, and hands out samples again for this cause, in an order or on other ranks.
inline SamplerClaims repeatsFor(RepeatCause cause) {
  return {.in_order = cause, .across_shares = cause};
}

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
