// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/detectron2/samplers.h"
#include "core/sampling/python.h"
#include "core/sampling/torch/endless_stream.h"
#include "core/sampling/torch/order.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <utility>

namespace shardlens::sampling {
namespace detectron2_repeat_factor_sampler {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "detectron2.RepeatFactorTrainingSampler",
      marked("samplers",
             "TrainingSampler that repeats each sample as often as its factor says, rounding the fraction up at random "
             "on every lap."),
      {Field{.path = "sampler.repeat_factors",
             .kind = FieldKind::Numbers,
             .fallback = std::string("ones"),
             .min = 0,
             .max = 1'000'000,
             .choices = {"ones"},
             .help = marked("fields",
                            "How often each sample occurs in a lap; kept in single precision. ones is the same as "
                            "TrainingSampler.")},
       boolField("sampler.shuffle", true, marked("fields", "Permute each lap.")),
       seedField("sampler.seed", 0, INT64_MIN, INT64_MAX, marked("fields", "Seed of the stream, used once.")),
       samplesPerEpochField()},
      {marked("samplers", "Laps differ in length, so each lap begins on a different rank."),
       marked("samplers", "A sample with a factor below 1 is left out of some laps.")},
  };
  return kInfo;
}

/// Factors as torch holds them: a whole part, and the chance of one more.
struct Factors {
  std::vector<float> whole;
  std::vector<float> chance;
};

Factors factorsOf(const PipelineSpec& spec) {
  const auto size = static_cast<std::size_t>(spec.dataset.size);
  Factors factors{std::vector<float>(size, 1), std::vector<float>(size, 0)};
  const auto found = spec.sampler.parameters.find("repeat_factors");
  const auto* list = found == spec.sampler.parameters.end() ? nullptr : std::get_if<NumberList>(&found->second);
  for (std::size_t i = 0; list != nullptr && i < std::min(size, list->size()); ++i) {
    const auto factor = static_cast<float>((*list)[i]);
    factors.whole[i] = std::trunc(factor);
    factors.chance[i] = factor - factors.whole[i];
  }
  return factors;
}

Result<void> check(const PipelineSpec& spec) {
  const auto found = spec.sampler.parameters.find("repeat_factors");
  const auto* list = found == spec.sampler.parameters.end() ? nullptr : std::get_if<NumberList>(&found->second);
  const auto wrong = [](std::string message, std::string hint) {
    return Error{ErrorCode::BadInput, std::move(message), {{}, 0, 0, "sampler.repeat_factors"}, std::move(hint)};
  };
  if (list != nullptr && static_cast<std::int64_t>(list->size()) != spec.dataset.size) {
    return wrong(filled(worded("checks", "There are %1 factors for %2."), std::to_string(list->size()),
                        wordedCount(spec.dataset.size, "sample")),
                 worded("checks", "give one for each sample"));
  }
  const Factors factors = factorsOf(spec);
  const bool draws_always = std::ranges::any_of(factors.whole, [](float part) { return part > 0; });
  const bool draws_often = std::ranges::any_of(factors.chance, [](float part) { return part > 1e-3F; });
  if (!draws_always && !draws_often)
    return wrong(list != nullptr && std::ranges::none_of(*list, [](double factor) { return factor > 0; })
                     ? worded("checks", "Every factor is 0: the sampler would search forever.")
                     : worded("checks", "No factor is above 0.001: the sampler would search too long."),
                 worded("checks", "raise a factor to 1"));
  return checkEndless(spec, {true, 0, samplesPerEpoch(spec, info())});
}

std::int64_t stretch(const PipelineSpec& spec) {
  return samplesPerEpoch(spec, info()) * spec.worldSize();
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  return {info().type, static_cast<std::uint64_t>(intParameter(spec, info(), "seed")),
          static_cast<std::uint64_t>(epoch.value * stretch(spec))};
}

/// One lap: every sample as often as the dice say, then permuted.
Result<std::vector<std::uint32_t>> lapOf(const PipelineSpec& spec, const Factors& factors, TorchGenerator& generator,
                                         const Work& work) {
  constexpr float kUnit = 1.0F / 16777216.0F;
  std::vector<std::uint32_t> ids;
  for (std::size_t i = 0; i < factors.whole.size(); ++i) {
    const float dice = static_cast<float>(generator.random24()) * kUnit;
    const float times = factors.whole[i] + (dice < factors.chance[i] ? 1.0F : 0.0F);
    ids.insert(ids.end(), static_cast<std::size_t>(times), static_cast<std::uint32_t>(i));
  }
  if (!boolParameter(spec, info(), "shuffle")) return ids;
  const auto count = static_cast<std::int64_t>(ids.size());
  auto places = torchPermutation(count, randpermRule(spec, count), generator, work);
  if (!places) return places.error();
  std::vector<std::uint32_t> lap;
  lap.reserve(ids.size());
  for (const std::uint32_t place : places->items()) lap.push_back(ids[place]);
  return lap;
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const Factors factors = factorsOf(spec);
  TorchGenerator generator(key.seed);
  std::int64_t skip = static_cast<std::int64_t>(key.skip);
  const std::int64_t count = stretch(spec);
  std::vector<std::uint32_t> out;
  out.reserve(static_cast<std::size_t>(count));
  while (static_cast<std::int64_t>(out.size()) < count) {
    if (work.stopped()) return cancelled();
    const auto lap = lapOf(spec, factors, generator, {work.stop, {}});
    if (!lap) return lap.error();
    const auto size = static_cast<std::int64_t>(lap->size());
    const std::int64_t from = std::min(skip, size);
    skip -= from;
    const std::int64_t taken = std::min(size - from, count - static_cast<std::int64_t>(out.size()));
    out.insert(out.end(), lap->begin() + from, lap->begin() + from + taken);
    work.progress(static_cast<double>(out.size()) / static_cast<double>(count));
  }
  return Order::of(std::move(out));
}

Slice slice(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank, OrderPtr order) {
  return {std::move(order), rank.value, spec.worldSize(), samplesPerEpoch(spec, info()),
          std::numeric_limits<std::int64_t>::max()};
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank /*rank*/) {
  return {samplesPerEpoch(spec, info()), 0};
}

SamplerClaims claims(const PipelineSpec& spec) {
  const Factors factors = factorsOf(spec);
  const bool repeats = std::ranges::any_of(factors.whole, [](float whole) { return whole > 1; }) ||
                       std::ranges::any_of(factors.chance, [](float chance) { return chance > 0; });
  return {.divides = true, .in_order = repeats ? RepeatCause::RepeatFactor : RepeatCause::AnotherPass};
}

LeftOutCause leftOut(const PipelineSpec& spec, Epoch /*epoch*/) {
  return [factors = factorsOf(spec)](SampleIndex sample) {
    const auto i = static_cast<std::size_t>(sample);
    return factors.whole[i] + factors.chance[i] > 0 ? MissingCause::NotDrawn : MissingCause::WeightZero;
  };
}

}  // namespace
}  // namespace detectron2_repeat_factor_sampler

std::vector<float> repeatFactorsFromCategories(const std::vector<std::vector<std::int64_t>>& categories_per_image,
                                               double repeat_thresh, bool square_root) {
  using namespace detectron2_repeat_factor_sampler;
  std::map<std::int64_t, std::int64_t> images;
  for (const auto& categories : categories_per_image) {
    for (const std::int64_t category : std::set<std::int64_t>(categories.begin(), categories.end())) ++images[category];
  }
  const auto total = static_cast<double>(categories_per_image.size());
  const auto factor_of = [&](std::int64_t category) {
    const double ratio = repeat_thresh / (static_cast<double>(images[category]) / total);
    return std::max(1.0, square_root ? std::sqrt(ratio) : ratio);
  };
  std::vector<float> factors;
  for (const auto& categories : categories_per_image) {
    double most = 1;
    for (const std::int64_t category : categories) most = std::max(most, factor_of(category));
    factors.push_back(static_cast<float>(most));
  }
  return factors;
}

SamplerRule detectron2RepeatFactorTrainingSampler() {
  using namespace detectron2_repeat_factor_sampler;
  return {.info = info(),
          .traits = {.shuffle = "shuffle", .seed = "seed", .per_epoch = "samples_per_epoch"},
          .claims = claims,
          .left_out = leftOut,
          .check = check,
          .key = key,
          .order = order,
          .slice = slice,
          .shape = shape};
}

}  // namespace shardlens::sampling
