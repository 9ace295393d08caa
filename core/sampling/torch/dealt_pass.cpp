// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/torch/dealt_pass.h"

#include "core/sampling/distributed_share.h"
#include "core/sampling/torch/inner_sampler.h"
#include "core/sampling/torch/order.h"

#include <charconv>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace shardlens::sampling {
namespace torch_dealt_pass {
namespace {

constexpr std::string_view kShuffled = "dealt pass, shuffled:";
constexpr std::string_view kStraight = "dealt pass:";

/// The items of a pass that stand at these places, in the memory of the places.
Result<OrderPtr> itemsAt(const OrderPtr& pass, LargeArray<std::uint32_t> places, const Work& work) {
  constexpr std::size_t kLookEvery = std::size_t{1} << 20;
  const std::span<std::uint32_t> ids = places.items();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i % kLookEvery == 0 && work.stopped()) return cancelled();
    ids[i] = static_cast<std::uint32_t>((*pass)[ids[i]]);
  }
  return Order::of(std::move(places));
}

/// The first `size` places, for a pass of which only these count.
Result<LargeArray<std::uint32_t>> firstPlaces(std::int64_t size) {
  auto places = LargeArray<std::uint32_t>::make(static_cast<std::size_t>(size), "an order");
  if (places) std::iota(places->items().begin(), places->items().end(), 0U);
  return places;
}

/// What dealtPassKey() wrote into a recipe.
struct Recipe {
  std::string inner;
  std::optional<std::uint64_t> shuffle_seed;
};

Recipe readRecipe(std::string_view recipe) {
  if (recipe.starts_with(kStraight)) return {std::string(recipe.substr(kStraight.size())), {}};
  recipe.remove_prefix(kShuffled.size());
  std::uint64_t seed = 0;
  const char* const after = std::from_chars(recipe.data(), recipe.data() + recipe.size(), seed).ptr;
  recipe.remove_prefix(static_cast<std::size_t>(after - recipe.data()) + 1);
  return {std::string(recipe), seed};
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const InnerSampler sampler(spec);
  const Recipe recipe = readRecipe(key.recipe);
  auto pass = sampler.order({recipe.inner, key.seed, key.skip}, work.part(0, 0.5));
  const std::int64_t size = sampler.size();
  if (!pass || (!recipe.shuffle_seed && (*pass)->size() == size)) return pass;
  auto places = firstPlaces(size);
  if (recipe.shuffle_seed) {
    TorchGenerator generator(*recipe.shuffle_seed);
    places = torchPermutation(size, randpermRule(spec, size), generator, work.part(0.5, 1));
  }
  if (!places) return places.error();
  return itemsAt(*pass, std::move(*places), work);
}

LeftOutCause leftOut(const PipelineSpec& spec, Epoch epoch) {
  return InnerSampler(spec).leftOut(epoch);
}

std::uint64_t sharedOutputs(const PipelineSpec& spec, Rank /*rank*/) {
  return InnerSampler(spec).sharedOutputs();
}

}  // namespace
}  // namespace torch_dealt_pass

SamplerRule dealtPassRule(SamplerInfo info, const SamplerTraits& traits) {
  using namespace torch_dealt_pass;
  return {.info = std::move(info),
          .traits = traits,
          .claims = dealtPassClaims,
          .unread = always<MissingCause::CutBySampler>,
          .left_out = leftOut,
          .check = [](const PipelineSpec& spec) { return InnerSampler(spec).check(); },
          .order = order,
          .shared_outputs = sharedOutputs};
}

SamplerClaims dealtPassClaims(const PipelineSpec& spec) {
  const InnerSampler inner(spec);
  return {.divides = true, .needs_equal_seeds = inner.followsSeeds(), .in_order = inner.claims().in_order};
}

OrderKey dealtPassKey(const PipelineSpec& spec, Epoch epoch, Rank rank, std::optional<std::uint64_t> shuffle_seed) {
  using namespace torch_dealt_pass;
  OrderKey key = InnerSampler(spec).key(epoch, rank);
  key.recipe = shuffle_seed ? std::string(kShuffled) + std::to_string(*shuffle_seed) + ":" + key.recipe
                            : std::string(kStraight) + key.recipe;
  return key;
}

SliceShape dealtPassShape(const PipelineSpec& spec, Rank rank, bool drop_last) {
  return distributedShape(InnerSampler(spec).size(), spec.worldSize(), rank.value, drop_last);
}

SliceShape unpaddedPassShape(const PipelineSpec& spec, Rank rank) {
  return {stridedSamples(InnerSampler(spec).size(), spec.worldSize(), rank.value), 0};
}

Slice dealtPassSlice(const PipelineSpec& spec, Rank rank, OrderPtr order, std::int64_t count) {
  const std::int64_t size = order->size();
  return {std::move(order), rank.value, spec.worldSize(), count, size};
}

}  // namespace shardlens::sampling
