// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/random/torch_randperm.h"
#include "core/sampling/sampler_rule.h"

#include <cstdint>
#include <vector>

namespace shardlens::sampling {

/// The parameters of both multi-source samplers.
Field mmdetRatioField();
Field mmdetShuffleField();
Field mmdetSeedField();

/// Samples of a batch from each dataset, by source_ratio.
std::vector<std::int64_t> mmdetCounts(const PipelineSpec& spec, const SamplerInfo& info);

/// What both classes raise, or would search for without end, when they are made for these datasets.
Result<void> checkMmdetSources(const PipelineSpec& spec, const SamplerInfo& info);

/// Laps over a list of samples, one behind the other, from a generator of their own.
class MmdetLaps {
 public:
  MmdetLaps(const PipelineSpec& spec, std::vector<SampleIndex> samples, std::uint64_t seed, bool shuffle);

  /// The sample at this place of the stream; places ascend from call to call. Not for an empty list.
  SampleIndex at(std::int64_t place);

 private:
  std::vector<SampleIndex> samples_;
  TorchRandpermRule rule_;
  TorchGenerator generator_;
  bool shuffle_;
  std::int64_t lap_ = 0;
  std::vector<std::int64_t> places_;
};

}  // namespace shardlens::sampling
