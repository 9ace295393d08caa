// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

#include <utility>

namespace shardlens::sampling {

/// The stream of samplers that never end: permutations of the dataset (or 0 .. n-1 again and again) from one generator
/// that is seeded once, strided by rank. An epoch of the plan is its next part; laps and epochs need not end together.
struct EndlessStream {
  bool shuffle = true;
  std::uint64_t seed = 0;
  std::int64_t per_rank = 1;  ///< samples that a rank takes in an epoch of the plan
};

/// The parameter `samples_per_epoch`, and what it says: by default ceil(dataset.size / world size).
Field samplesPerEpochField();
std::int64_t samplesPerEpoch(const PipelineSpec& spec, const SamplerInfo& info);
/// The shape of a rule that yields as many on every rank.
template <const SamplerInfo& (*info)()>
SliceShape shapeOfEpoch(const PipelineSpec& spec, Epoch /*epoch*/, Rank /*rank*/) {
  return {samplesPerEpoch(spec, info()), 0};
}
/// What shuffle, samples_per_epoch and this seed of the sampler make.
EndlessStream endlessStream(const PipelineSpec& spec, const SamplerInfo& info, const char* seed = "seed");

/// BadInput when the plan reads further than 2^53 positions into the stream.
Result<void> checkEndless(const PipelineSpec& spec, const EndlessStream& stream);
/// The key's skip counts positions of the stream, not outputs.
OrderKey endlessKey(const PipelineSpec& spec, const EndlessStream& stream, Epoch epoch);
/// The part of the stream that all ranks share in that epoch; a single 0 .. n-1 when nothing is shuffled.
Result<OrderPtr> endlessOrder(const PipelineSpec& spec, const EndlessStream& stream, const OrderKey& key,
                              const Work& work);
Slice endlessSlice(const PipelineSpec& spec, const EndlessStream& stream, Epoch epoch, Rank rank, OrderPtr order);

/// The rule, which reads this stream of the whole dataset as it is.
template <EndlessStream (*stream)(const PipelineSpec&)>
SamplerRule endlessRule(SamplerRule rule) {
  rule.key = [](const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) { return endlessKey(spec, stream(spec), epoch); };
  rule.order = [](const PipelineSpec& spec, const OrderKey& key, const Work& work) {
    return endlessOrder(spec, stream(spec), key, work);
  };
  rule.slice = [](const PipelineSpec& spec, Epoch epoch, Rank rank, OrderPtr order) {
    return endlessSlice(spec, stream(spec), epoch, rank, std::move(order));
  };
  rule.shape = [](const PipelineSpec& spec, Epoch /*epoch*/, Rank /*rank*/) {
    return SliceShape{stream(spec).per_rank, 0};
  };
  return rule;
}

}  // namespace shardlens::sampling
