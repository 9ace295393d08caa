// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

#include <cstdint>
#include <vector>

namespace shardlens::sampling {

/// timm.data.distributed_sampler.RepeatAugSampler (pytorch-image-models @aa4b585): each sample of the permuted dataset
/// several times in a row, padded, strided by rank, and of that only the first num_selected_samples.
SamplerRule timmRepeatAugSampler();

/// len(sampler): num_selected_samples, also where fewer are yielded.
std::int64_t timmRepeatAugLength(const PipelineSpec& spec);

/// ScheduledBatchSampler of timm (pytorch-image-models @aa4b585): batches of several sizes, each for one choice of
/// resolution or transforms, out of another sampler.
SamplerRule timmScheduledBatchSampler();

/// A batch of the schedule: which of the choices, and of how many samples.
struct TimmScheduled {
  std::int64_t choice = 0;
  std::int64_t size = 0;
};

/// The schedule for the number that set_epoch gave; the same on every rank.
std::vector<TimmScheduled> timmSchedule(const PipelineSpec& spec, std::int64_t told);

}  // namespace shardlens::sampling
