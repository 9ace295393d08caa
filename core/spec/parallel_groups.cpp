// SPDX-License-Identifier: Apache-2.0
#include "core/spec/parallel_groups.h"

namespace shardlens {

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

}  // namespace shardlens
