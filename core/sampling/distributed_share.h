// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace shardlens::sampling {

/// a / b, rounded up.
constexpr std::int64_t ceilDiv(std::int64_t a, std::int64_t b) {
  return a / b + (a % b == 0 ? 0 : 1);
}

/// num_samples as DistributedSampler.__init__ computes it (torch/utils/data/distributed.py): every replica gets the
/// same number; the last ones are padding unless drop_last cuts the tail.
constexpr std::int64_t distributedSamples(std::int64_t size, std::int64_t replicas, bool drop_last) {
  return drop_last ? size / replicas : ceilDiv(size, replicas);
}

/// Positions replica, replica + replicas, ... below `size`: what a replica gets without padding.
constexpr std::int64_t stridedSamples(std::int64_t size, std::int64_t replicas, std::int64_t replica) {
  return replica < size ? (size - replica - 1) / replicas + 1 : 0;
}

/// Consecutive positions.
struct Run {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// What a replica gets when `size` positions are cut into one run for each, the first size % replicas runs one longer.
constexpr Run evenRun(std::int64_t size, std::int64_t replicas, std::int64_t replica) {
  const std::int64_t longer = size % replicas;
  return {size / replicas * replica + std::min(replica, longer), size / replicas + (replica < longer ? 1 : 0)};
}

/// The epoch that the script gives to the sampler: 0 where the parameter set_epoch is off.
inline Epoch givenEpoch(const PipelineSpec& spec, Epoch epoch) {
  const bool* told = spec.sampler.said<bool>("set_epoch");
  return told == nullptr || *told ? epoch : Epoch{0};
}

/// The parameter `seed` plus that epoch, modulo 2^64.
inline std::uint64_t epochSeed(const PipelineSpec& spec, const SamplerInfo& info, Epoch epoch,
                               const char* seed = "seed") {
  return static_cast<std::uint64_t>(intParameter(spec, info, seed)) +
         static_cast<std::uint64_t>(givenEpoch(spec, epoch).value);
}

/// The slice of a sampler that divides nothing: every rank reads its order to the end.
inline Slice wholeOrder(const PipelineSpec& /*spec*/, Epoch /*epoch*/, Rank /*rank*/, OrderPtr order) {
  const std::int64_t count = order->size();
  return {std::move(order), 0, 1, count, count};
}

/// The slice of a sampler that gives each rank every world-size-th place of its order, as many as `shape` says.
template <auto shape>
Slice stridedSlice(const PipelineSpec& spec, Epoch epoch, Rank rank, OrderPtr order) {
  const std::int64_t size = order->size();
  return {std::move(order), rank.value, spec.worldSize(), shape(spec, epoch, rank).count, size};
}

/// An order of so many ids: id(0), id(1), ..., asked for in this order. Cancelled, or Environment when memory does not
/// suffice.
template <class Id>
Result<OrderPtr> orderOfIds(std::int64_t count, const Work& work, Id id) {
  auto ids = LargeArray<std::uint32_t>::make(static_cast<std::size_t>(count), "an order");
  if (!ids) return ids.error();
  for (std::int64_t i = 0; i < count; ++i) {
    if (i % kItemsBetweenLooks == 0 && work.stopped()) return cancelled();
    ids->items()[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(id(i));
  }
  return Order::of(std::move(*ids));
}

inline std::int64_t datasetSize(const PipelineSpec& spec) {
  return spec.dataset.size;
}

/// The shape of a sampler that yields this many items on every rank in every epoch, none of them padding.
template <std::int64_t (*count)(const PipelineSpec&)>
SliceShape sameShape(const PipelineSpec& spec, Epoch /*epoch*/, Rank /*rank*/) {
  return {count(spec), 0};
}

/// The shape of a sampler with this slice, which draws as many ids as the dataset has samples.
template <Slice (*slice)(const PipelineSpec&, Epoch, Rank, OrderPtr)>
SliceShape shapeOfSlice(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  const Slice own = slice(spec, epoch, rank, Order::identity(spec.dataset.size));
  return {own.size(), own.size() - own.countBelow(own.addedFrom())};
}

/// The number that the script passes on this rank: `passed`, or what this names, as "world_size".
inline std::int64_t numberPassed(const PipelineSpec& spec, const Value& passed, Rank rank) {
  const auto* number = std::get_if<std::int64_t>(&passed);
  return number != nullptr ? *number : spec.world.numberNamed(std::get<std::string>(passed), rank);
}

/// The numbers of slices into which processes divide by this num_replicas: one, or one for each node where nodes have
/// different numbers of ranks.
inline std::vector<std::int64_t> replicasOfNodes(const PipelineSpec& spec, const Value& num_replicas) {
  if (spec.world.ranks_per_node.ofEveryNode()) return {numberPassed(spec, num_replicas, Rank{0})};
  std::vector<std::int64_t> all;
  for (std::int64_t node = 0; node < spec.world.nodes; ++node)
    all.push_back(numberPassed(spec, num_replicas, Rank{spec.world.firstRankOn(node)}));
  return all;
}

/// What a replica of DistributedSampler yields.
constexpr SliceShape distributedShape(std::int64_t size, std::int64_t replicas, std::int64_t replica, bool drop_last) {
  const std::int64_t count = distributedSamples(size, replicas, drop_last);
  return {count, std::max<std::int64_t>(0, count - stridedSamples(size, replicas, replica))};
}

}  // namespace shardlens::sampling
