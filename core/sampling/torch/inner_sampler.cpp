// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/torch/inner_sampler.h"

#include "core/base/phrase.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/torch/order.h"
#include "core/sampling/torch/samplers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace shardlens::sampling {
namespace {

struct Inner {
  std::string name;
  SamplerRule rule;
};

const std::vector<Inner>& inners() {
  static const std::vector<Inner> kInners = {
      {"weighted", torchWeightedRandomSampler()}, {"subset_random", torchSubsetRandomSampler()}, {"list", pythonList()},
      {"random", torchRandomSampler()},           {"sequential", torchSequentialSampler()},
  };
  return kInners;
}

Field nameField() {
  std::vector<std::string> names;
  for (const Inner& inner : inners()) names.push_back(inner.name);
  return choiceField("sampler.inner", names.front(), names,
                     marked("fields", "The sampler that the script passed to the DataLoader."));
}

/// What innerSamplerFields() puts together, for the translation.
[[maybe_unused]] constexpr std::array kHelpTogether = {
    marked("fields", "Whether a sample can be drawn again within an epoch. The default with inner: random is false."),
    marked("fields", "Number of samples per epoch on each rank. The default with inner: random is none."),
};

const Inner& innerOf(const PipelineSpec& spec) {
  const auto* named = spec.sampler.said<std::string>("inner");
  const auto found = named == nullptr ? inners().begin() : std::ranges::find(inners(), *named, &Inner::name);
  return found == inners().end() ? inners().front() : *found;
}

}  // namespace

Field& joinField(std::vector<Field>& fields, const Field& field) {
  const auto known = std::ranges::find(fields, field.path, &Field::path);
  if (known == fields.end()) return fields.emplace_back(field);
  for (const std::string& choice : field.choices) {
    if (std::ranges::find(known->choices, choice) == known->choices.end()) known->choices.push_back(choice);
  }
  return *known;
}

std::vector<Field> innerSamplerFields() {
  std::vector<Field> fields = {nameField()};
  for (const Inner& inner : inners()) {
    for (const Field& own : inner.rule.info.parameters) {
      Field& field = joinField(fields, own);
      // innerSamplerVariants() has them.
      if (field.fallback != own.fallback)
        field.help += " The default with inner: " + inner.name + " is " + valueText(own.fallback) + ".";
    }
  }
  return fields;
}

std::vector<SamplerInfo::Variant> innerSamplerVariants() {
  const std::vector<Field> merged = innerSamplerFields();
  std::vector<SamplerInfo::Variant> variants;
  for (const Inner& inner : inners()) {
    for (const Field& own : inner.rule.info.parameters) {
      Field field = *std::ranges::find(merged, own.path, &Field::path);
      if (field.fallback == own.fallback) continue;
      field.fallback = own.fallback;
      variants.push_back({"inner", inner.name, std::move(field)});
    }
  }
  return variants;
}

SamplerTraits innerSamplerTraits() {
  return {.shuffle = "shuffle",
          .seed = "seed",
          .set_epoch = "set_epoch",
          .indices = "indices",
          .replacement = "replacement",
          .num_samples = "num_samples",
          .generator = "generator"};
}

std::string innerNameOf(const std::string& type) {
  const auto found = std::ranges::find(inners(), type, [](const Inner& inner) { return inner.rule.info.type; });
  return found == inners().end() ? "" : found->name;
}

InnerSampler::InnerSampler(const PipelineSpec& spec) : spec_(&spec), rule_(&innerOf(spec).rule) {}

Result<void> InnerSampler::check() const {
  return rule_->check(*spec_);
}

SamplerClaims InnerSampler::claims() const {
  return rule_->claims(*spec_);
}

LeftOutCause InnerSampler::leftOut(Epoch epoch) const {
  return rule_->left_out == nullptr ? always(MissingCause::NotExplained) : rule_->left_out(*spec_, epoch);
}

bool InnerSampler::followsSeeds() const {
  PipelineSpec apart = *spec_;
  apart.seeds.rule = "base+rank";
  return rule_->key(apart, Epoch{0}, Rank{0}) != rule_->key(apart, Epoch{0}, Rank{1});
}

OrderKey InnerSampler::key(Epoch epoch, Rank rank) const {
  return rule_->key(*spec_, epoch, rank);
}

OrderKey InnerSampler::keyAt(const TorchStream& stream) const {
  OrderKey key = rule_->key(*spec_, Epoch{0}, Rank{0});
  if (sharedOutputs() == 0) return key;
  const bool draws_seed = rule_->traits.loader_part == LoaderPart::Random;
  key.seed = draws_seed ? static_cast<std::uint64_t>(generatorAt(stream).random63()) & 0xFFFF'FFFFU : stream.seed;
  key.skip = draws_seed ? 0 : stream.skip;
  return key;
}

std::int64_t InnerSampler::size() const {
  return rule_->shape(*spec_, Epoch{0}, Rank{0}).count;
}

Result<OrderPtr> InnerSampler::order(const OrderKey& key, const Work& work) const {
  return rule_->order(*spec_, key, work);
}

std::uint64_t InnerSampler::sharedOutputs() const {
  return rule_->shared_outputs(*spec_, Rank{0});
}

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
    places = torchPermutation(spec, size, generator, work.part(0.5, 1));
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

}  // namespace shardlens::sampling
