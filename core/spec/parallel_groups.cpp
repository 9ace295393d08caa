// SPDX-License-Identifier: Apache-2.0
#include "core/spec/parallel_groups.h"

#include "core/base/text.h"

#include <algorithm>
#include <cassert>

namespace shardlens {
namespace {

/// "tensor 2, data 4": one number along each group that there is, and along the data-parallel ones.
std::string numbersText(const ParallelGroups& groups, const RankCoordinates& numbers) {
  std::vector<std::string> parts;
  for (const Parallelism along : kParallelisms) {
    if (along == Parallelism::Data || groups.sizeAlong(along, 0) > 1)
      parts.push_back(std::string(nameOf(along)) + " " + grouped(numbers[along]));
  }
  return join(parts, ", ");
}

}  // namespace

std::string_view nameOf(Parallelism along) {
  constexpr std::array<std::string_view, 4> kNames = {"tensor", "context", "data", "pipeline"};
  return kNames[static_cast<std::size_t>(along)];
}

Parallelism parallelismNamed(std::string_view name) {
  const auto* const found = std::ranges::find(kParallelisms, name, nameOf);
  assert(found != kParallelisms.end());
  return *found;
}

std::array<Parallelism, 4> ParallelGroups::fastestFirst() const {
  using enum Parallelism;
  if (order == kPipelineThenData) return {Tensor, Context, Pipeline, Data};
  return {Tensor, Context, Data, Pipeline};
}

std::int64_t ParallelGroups::sizeAlong(Parallelism along, std::int64_t world_size) const {
  switch (along) {
    case Parallelism::Tensor:
      return tensor;
    case Parallelism::Context:
      return context;
    case Parallelism::Pipeline:
      return pipeline;
    case Parallelism::Data:
      break;
  }
  return world_size / ranksOfModel();
}

RankCoordinates ParallelGroups::coordinatesOf(Rank rank, std::int64_t world_size) const {
  RankCoordinates coordinates;
  std::int64_t left = rank.value;
  for (const Parallelism along : fastestFirst()) {
    const std::int64_t size = sizeAlong(along, world_size);
    coordinates[along] = left % size;
    left /= size;
  }
  return coordinates;
}

std::vector<Rank> ParallelGroups::groupOf(Rank rank, Parallelism along, std::int64_t world_size) const {
  std::int64_t stride = 1;
  for (const Parallelism faster : fastestFirst()) {
    if (faster == along) break;
    stride *= sizeAlong(faster, world_size);
  }
  const std::int64_t first = rank.value - coordinatesOf(rank, world_size)[along] * stride;
  std::vector<Rank> group;
  for (std::int64_t place = 0; place < sizeAlong(along, world_size); ++place)
    group.push_back(Rank{first + place * stride});
  return group;
}

std::string ParallelGroups::text(std::int64_t world_size) const {
  RankCoordinates sizes;
  for (const Parallelism along : kParallelisms) sizes[along] = sizeAlong(along, world_size);
  return numbersText(*this, sizes);
}

std::string ParallelGroups::placesText(Rank rank, std::int64_t world_size) const {
  return numbersText(*this, coordinatesOf(rank, world_size));
}

}  // namespace shardlens
