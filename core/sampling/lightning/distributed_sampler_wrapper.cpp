// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/lightning/distributed_sampler_wrapper.h"

#include "core/sampling/distributed_share.h"
#include "core/sampling/lightning/fields.h"
#include "core/sampling/lightning/unrepeated_distributed_sampler.h"
#include "core/sampling/torch/inner_sampler.h"
#include "core/sampling/torch/order.h"
#include "core/spec/field_table.h"

#include <charconv>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace shardlens::sampling {
namespace {

constexpr std::string_view kShuffled = "lightning.shuffled:";
constexpr std::string_view kStraight = "lightning.straight:";

SamplerInfo infoOf(LightningWrapperKind kind, std::string type, std::string summary,
                   std::vector<std::string> pitfalls) {
  std::vector<Field> fields = lightningWrapperFields(kind);
  for (Field& field : innerSamplerFields()) fields.push_back(std::move(field));
  std::vector<std::string> reads = {"framework.torch_mkl"};
  return {std::move(type), std::move(summary), std::move(fields), std::move(pitfalls), std::move(reads)};
}

const SamplerInfo& paddedInfo() {
  static const SamplerInfo kInfo =
      infoOf(LightningWrapperKind::Padded, "lightning.DistributedSamplerWrapper",
             "Draws one pass of another sampler on every rank, permutes it and deals it as DistributedSampler does.",
             {"Ranks share samples unless the inner sampler draws the same on every rank: seed alike "
              "(pytorch-lightning#10946, #12866, accelerate#2865).",
              "In training the Trainer always permutes, so a curriculum or a sorted order is lost; the wrapper's own "
              "documentation says that shuffle has no effect, which is wrong (pytorch-lightning#21131, #10170).",
              "Before a WeightedRandomSampler was wrapped it was silently replaced (pytorch-lightning#1995)."});
  return kInfo;
}

const SamplerInfo& unrepeatedInfo() {
  static const SamplerInfo kInfo =
      infoOf(LightningWrapperKind::Unrepeated, "lightning.UnrepeatedDistributedSamplerWrapper",
             "Draws one pass of another sampler on every rank and deals it without padding, for predictions.",
             {"seed and drop_last are ignored: the epoch alone seeds the permutation.",
              "set_epoch is not forwarded to the inner sampler.",
              "With fewer samples than ranks the constructor fails an assertion on the ranks that would get none."});
  return kInfo;
}

Result<void> check(const PipelineSpec& spec) {
  return InnerSampler(spec).check();
}

/// The inner sampler's pass, and the seed of the permutation over it.
OrderKey keyOf(OrderKey inner, bool shuffle, std::uint64_t seed) {
  inner.recipe = shuffle ? std::string(kShuffled) + std::to_string(seed) + ":" + inner.recipe
                         : std::string(kStraight) + inner.recipe;
  return inner;
}

OrderKey paddedKey(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  const std::int64_t told = lightningSetEpoch(spec, paddedInfo(), epoch);
  const auto seed = static_cast<std::uint64_t>(intParameter(spec, paddedInfo(), "seed"));
  return keyOf(InnerSampler(spec).key(epoch, rank), boolParameter(spec, paddedInfo(), "shuffle"),
               seed + static_cast<std::uint64_t>(told));
}

OrderKey unrepeatedKey(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  const std::int64_t told = lightningSetEpoch(spec, unrepeatedInfo(), epoch);
  return keyOf(InnerSampler(spec).key(epoch, rank), boolParameter(spec, unrepeatedInfo(), "shuffle"),
               static_cast<std::uint64_t>(told));
}

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

/// What keyOf() wrote into a recipe.
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

SliceShape paddedShape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  return distributedShape(InnerSampler(spec).size(), spec.worldSize(), rank.value,
                          boolParameter(spec, paddedInfo(), "drop_last"));
}

SliceShape unrepeatedShape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  return {stridedSamples(InnerSampler(spec).size(), spec.worldSize(), rank.value), 0};
}

Result<void> checkUnrepeatedRank(const PipelineSpec& spec, Rank rank) {
  return checkUnrepeatedShare(InnerSampler(spec).size(), spec.worldSize(), rank);
}

Slice strided(const PipelineSpec& spec, Rank rank, OrderPtr order, std::int64_t count) {
  const std::int64_t size = order->size();
  return {std::move(order), rank.value, spec.worldSize(), count, size};
}

Slice paddedSlice(const PipelineSpec& spec, Epoch epoch, Rank rank, OrderPtr order) {
  return strided(spec, rank, std::move(order), paddedShape(spec, epoch, rank).count);
}

Slice unrepeatedSlice(const PipelineSpec& spec, Epoch epoch, Rank rank, OrderPtr order) {
  return strided(spec, rank, std::move(order), unrepeatedShape(spec, epoch, rank).count);
}

std::uint64_t sharedOutputs(const PipelineSpec& spec) {
  return InnerSampler(spec).sharedOutputs();
}

}  // namespace

SamplerRule lightningDistributedSamplerWrapper() {
  return {.info = paddedInfo(),
          .traits = {.shuffle = "shuffle",
                     .seed = "seed",
                     .set_epoch = "set_epoch",
                     .drop_last = "drop_last",
                     .indices = "indices",
                     .replacement = "replacement",
                     .num_samples = "num_samples",
                     .generator = "generator",
                     .loader_part = LoaderPart::Distributed},
          .check = check,
          .key = paddedKey,
          .order = order,
          .slice = paddedSlice,
          .shape = paddedShape,
          .shared_outputs = sharedOutputs};
}

SamplerRule lightningUnrepeatedDistributedSamplerWrapper() {
  return {.info = unrepeatedInfo(),
          .traits = {.shuffle = "shuffle",
                     .seed = "seed",
                     .set_epoch = "set_epoch",
                     .drop_last = "drop_last",
                     .indices = "indices",
                     .replacement = "replacement",
                     .num_samples = "num_samples",
                     .generator = "generator",
                     .loader_part = LoaderPart::Distributed},
          .check = check,
          .key = unrepeatedKey,
          .order = order,
          .slice = unrepeatedSlice,
          .shape = unrepeatedShape,
          .check_rank = checkUnrepeatedRank,
          .shared_outputs = sharedOutputs};
}

}  // namespace shardlens::sampling
