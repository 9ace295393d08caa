// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
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

}  // namespace shardlens
