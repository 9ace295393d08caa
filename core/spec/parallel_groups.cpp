// SPDX-License-Identifier: Apache-2.0
#include "core/spec/parallel_groups.h"

#include "core/base/text.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace shardlens {
namespace {

constexpr std::array<std::string_view, 7> kNames = {"tensor",        "context", "data",       "pipeline",
                                                    "expert_tensor", "expert",  "expert_data"};

/// "tensor 2, data 4": one number along each group that there is, and along the data-parallel ones.
std::string numbersText(const ParallelGroups& groups, const RankCoordinates& numbers) {
  std::vector<std::string> parts;
  for (const Parallelism along : kParallelisms) {
    if (along == Parallelism::Data || groups.sizeAlong(along, 0) > 1)
      parts.push_back(std::string(nameOf(along)) + " " + grouped(numbers[along]));
  }
  for (const Parallelism along : kExpertParallelisms) {
    if (groups.hasExperts() && (along != Parallelism::ExpertTensor || groups.tensorOfExperts() > 1))
      parts.push_back(std::string(nameOf(along)) + " " + grouped(numbers[along]));
  }
  return join(parts, ", ");
}

}  // namespace

std::string_view nameOf(Parallelism along) {
  return kNames[static_cast<std::size_t>(along)];
}

Parallelism parallelismNamed(std::string_view name) {
  const auto* const found = std::ranges::find(kNames, name);
  assert(found != kNames.end());
  return static_cast<Parallelism>(found - kNames.begin());
}

std::array<Parallelism, 4> ParallelGroups::fastestFirst(bool of_experts) const {
  using enum Parallelism;
  std::array<Parallelism, 4> dimensions = {Tensor, Context, Data, Pipeline};
  if (of_experts) dimensions = {ExpertTensor, Expert, ExpertData, Pipeline};
  if (order == kPipelineThenData) std::swap(dimensions[2], dimensions[3]);
  return dimensions;
}

std::int64_t ParallelGroups::sizeAlong(Parallelism along, std::int64_t world_size) const {
  switch (along) {
    case Parallelism::Tensor:
      return tensor;
    case Parallelism::Context:
      return context;
    case Parallelism::Pipeline:
      return pipeline;
    case Parallelism::ExpertTensor:
      return tensorOfExperts();
    case Parallelism::Expert:
      return expert;
    case Parallelism::ExpertData:
      return world_size / ranksOfExperts();
    case Parallelism::Data:
      break;
  }
  return world_size / ranksOfModel();
}

RankCoordinates ParallelGroups::coordinatesOf(Rank rank, std::int64_t world_size) const {
  RankCoordinates coordinates;
  for (const bool of_experts : {true, false}) {  // the place along the pipeline is that of the dense layers
    std::int64_t left = rank.value;
    for (const Parallelism along : fastestFirst(of_experts)) {
      const std::int64_t size = sizeAlong(along, world_size);
      coordinates[along] = left % size;
      left /= size;
    }
  }
  return coordinates;
}

std::vector<Rank> ParallelGroups::groupOf(Rank rank, Parallelism along, std::int64_t world_size) const {
  std::int64_t stride = 1;
  for (const Parallelism faster : fastestFirst(along >= Parallelism::ExpertTensor)) {
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
  for (const Parallelism along : kExpertParallelisms) sizes[along] = sizeAlong(along, world_size);
  return numbersText(*this, sizes);
}

std::string ParallelGroups::placesText(Rank rank, std::int64_t world_size) const {
  return numbersText(*this, coordinatesOf(rank, world_size));
}

}  // namespace shardlens
