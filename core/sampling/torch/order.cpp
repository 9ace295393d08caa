// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/torch/order.h"

#include <utility>

namespace shardlens::sampling {

TorchRandpermRule randpermRule(const PipelineSpec& spec, std::int64_t n) {
  return torchRandpermRule(spec.framework.torch, static_cast<std::uint64_t>(n));
}

TorchGenerator generatorAt(const TorchStream& stream) {
  TorchGenerator generator(stream.seed);
  generator.skip(stream.skip);
  return generator;
}

std::uint64_t permutationOutputs(const PipelineSpec& spec, std::int64_t n) {
  return torchRandpermOutputs(randpermRule(spec, n), static_cast<std::uint64_t>(n));
}

Result<LargeArray<std::uint32_t>> torchPermutation(const PipelineSpec& spec, std::int64_t n, TorchGenerator& generator,
                                                   const Work& work) {
  auto ids = LargeArray<std::uint32_t>::make(static_cast<std::size_t>(n), "an order");
  if (!ids) return ids;
  if (auto done = torchRandperm(generator, ids->items(), work, randpermRule(spec, n)); !done) return done.error();
  return ids;
}

Result<OrderPtr> torchOrder(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const std::int64_t size = spec.dataset.size;
  if (key.recipe == kSequential) return Order::identity(size);
  TorchGenerator generator = generatorAt({key.seed, key.skip});
  auto ids = torchPermutation(spec, size, generator, work);
  if (!ids) return ids.error();
  return Order::of(std::move(*ids));
}

Result<std::optional<OrderPlaces>> torchPlaces(const PipelineSpec& spec, const OrderKey& key, SampleIndex sample,
                                               const Work& work) {
  const std::int64_t size = spec.dataset.size;
  if (key.recipe == kSequential) return std::optional(OrderPlaces{size, {sample}});
  const auto place = torchRandpermPlace(generatorAt({key.seed, key.skip}), static_cast<std::uint64_t>(size),
                                        static_cast<std::uint64_t>(sample), work, randpermRule(spec, size));
  if (!place) return place.error();
  return std::optional(OrderPlaces{size, {static_cast<std::int64_t>(*place)}});
}

}  // namespace shardlens::sampling
