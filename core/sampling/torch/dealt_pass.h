// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

#include <cstdint>
#include <optional>

namespace shardlens::sampling {

/// What the published DistributedSamplerWrapper does in every framework that adopted it: each rank draws one pass of
/// the sampler inside (InnerSampler), permutes its places and takes every world-size-th of them.

/// A rule that does this; its key, slice and shape are the framework's own, made from the functions below.
SamplerRule dealtPassRule(SamplerInfo info, const SamplerTraits& traits);

/// What such a rule claims: ranks that draw different passes do not read shares of the same one.
SamplerClaims dealtPassClaims(const PipelineSpec& spec);

/// The pass of this rank, permuted with the seed; as it is without one.
OrderKey dealtPassKey(const PipelineSpec& spec, Epoch epoch, Rank rank, std::optional<std::uint64_t> shuffle_seed);

/// A rank's share with padding, or with the tail cut as DistributedSampler cuts it.
SliceShape dealtPassShape(const PipelineSpec& spec, Rank rank, bool drop_last);
/// A rank's share without padding.
SliceShape unpaddedPassShape(const PipelineSpec& spec, Rank rank);
/// The rank's first `count` places of a pass.
Slice dealtPassSlice(const PipelineSpec& spec, Rank rank, OrderPtr order, std::int64_t count);

}  // namespace shardlens::sampling
