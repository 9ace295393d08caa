// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shardlens::sampling {

/// The field of this path, added where there is none: a parameter that several inner samplers share is one field, whose
/// choices are those of all of them.
Field& joinField(std::vector<Field>& fields, const Field& field);

/// The sampler inside a wrapper of Lightning: `inner` names it, and its own parameters are next to the wrapper's,
/// under their own names.
std::vector<Field> innerSamplerFields();

/// Those of them that have another fallback with an inner sampler than elsewhere: `replacement` of a RandomSampler.
std::vector<SamplerInfo::Variant> innerSamplerVariants();

/// What the usual parameters of a wrapper and those of the sampler inside mean: shuffle, seed and set_epoch of the
/// one; indices, replacement, num_samples and generator of the other.
SamplerTraits innerSamplerTraits();

/// What `inner` says for a sampler of this type: "weighted" for torch.WeightedRandomSampler; empty for one that no
/// wrapper here knows.
std::string innerNameOf(const std::string& type);

/// The inner sampler of a wrapper's spec: a rule that is asked as if the script had handed it to the loader itself.
class InnerSampler {
 public:
  explicit InnerSampler(const PipelineSpec& spec);
  InnerSampler(const InnerSampler&) = delete;
  InnerSampler& operator=(const InnerSampler&) = delete;

  [[nodiscard]] Result<void> check() const;
  [[nodiscard]] SamplerClaims claims() const;
  [[nodiscard]] LeftOutCause leftOut(Epoch epoch) const;
  /// Whether ranks with different torch seeds draw differently.
  [[nodiscard]] bool followsSeeds() const;
  [[nodiscard]] OrderKey key(Epoch epoch, Rank rank) const;
  /// The pass that it draws when its stream, which is not one of its own, is at that place.
  [[nodiscard]] OrderKey keyAt(const TorchStream& stream) const;
  /// len(sampler)
  [[nodiscard]] std::int64_t size() const;
  /// One pass over it.
  [[nodiscard]] Result<OrderPtr> order(const OrderKey& key, const Work& work) const;
  [[nodiscard]] std::uint64_t sharedOutputs() const;

 private:
  const PipelineSpec* spec_;
  const SamplerRule* rule_;
};

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
}  // namespace shardlens::sampling
