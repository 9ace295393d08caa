// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/work.h"
#include "core/random/torch_generator.h"
#include "core/random/torch_randperm.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/sampler_rule.h"
#include "core/sampling/torch/loader_seeds.h"
#include "core/spec/field_table.h"

namespace shardlens::sampling {

/// The recipe of a plain 0..n-1, and of torch.randperm(n) from a generator seeded with the key's seed after `skip`
/// outputs.
inline const std::string kSequential = "sequential";
inline const std::string kRandperm = "torch.randperm";

/// The key of a rule that always reads the dataset in its own order.
inline OrderKey sequentialKey(const PipelineSpec& /*spec*/, Epoch /*epoch*/, Rank /*rank*/) {
  return {kSequential, 0, 0};
}

/// The key of a rule that permutes the dataset by seed + epoch, unless its parameter `shuffle` is off.
template <const SamplerInfo& (*info)()>
OrderKey seededKey(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  if (!boolParameter(spec, info(), "shuffle")) return {kSequential, 0, 0};
  return {kRandperm, epochSeed(spec, info(), epoch), 0};
}

/// Computes an order of dataset.size ids by one of these recipes.
Result<OrderPtr> torchOrder(const PipelineSpec& spec, const OrderKey& key, const Work& work);

/// Where an order by one of these recipes holds the sample.
Result<std::optional<OrderPlaces>> torchPlaces(const PipelineSpec& spec, const OrderKey& key, SampleIndex sample,
                                               const Work& work);

/// torch.randperm(n) of the release that the spec names, as an order, drawn from `generator`.
Result<LargeArray<std::uint32_t>> torchPermutation(const PipelineSpec& spec, std::int64_t n, TorchGenerator& generator,
                                                   const Work& work);
/// How many outputs of the generator it consumes, and how it draws.
std::uint64_t permutationOutputs(const PipelineSpec& spec, std::int64_t n);
TorchRandpermRule randpermRule(const PipelineSpec& spec, std::int64_t n);

/// The generator at that place of its stream.
TorchGenerator generatorAt(const TorchStream& stream);

/// The key of a rule that draws from where torchSamplerStream() is.
template <const SamplerInfo& (*info)()>
OrderKey samplerStreamKey(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  const TorchStream stream = torchSamplerStream(spec, epoch, rank);
  return {info().type, stream.seed, stream.skip};
}
/// The same of a rule that may have a generator of its own, of which a pass takes so many outputs.
template <const SamplerInfo& (*info)(), std::uint64_t (*outputs)(const PipelineSpec&)>
OrderKey generatorKey(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  const TorchStream stream = torchGeneratorStream(spec, epoch, rank, outputs(spec));
  return {info().type, stream.seed, stream.skip};
}
/// What it takes of the rank's stream, or of the loader's.
template <std::uint64_t (*outputs)(const PipelineSpec&)>
std::uint64_t outputsUnlessOwn(const PipelineSpec& spec, Rank /*rank*/) {
  return torchGeneratorUse(spec) == TorchGeneratorUse::Sampler ? 0 : outputs(spec);
}
/// The pass that `draw` makes at the key's place of its stream.
template <Result<OrderPtr> (*draw)(const PipelineSpec&, TorchGenerator&, const Work&)>
Result<OrderPtr> drawnOrder(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  TorchGenerator generator = generatorAt({key.seed, key.skip});
  return draw(spec, generator, work);
}

}  // namespace shardlens::sampling
