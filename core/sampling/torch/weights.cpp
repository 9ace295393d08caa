// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/torch/weights.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/random/torch_multinomial.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/python.h"
#include "core/sampling/torch/arguments.h"
#include "core/sampling/torch/loader_seeds.h"
#include "core/sampling/torch/order.h"
#include "core/sampling/torch/samplers.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace shardlens::sampling {
namespace {

struct Pattern {
  const char* name;
  double (*weight)(std::int64_t i);
};

double real(std::int64_t number) {
  return static_cast<double>(number);
}

constexpr std::array<Pattern, 5> kPatterns = {{
    {"uniform", [](std::int64_t) { return 1.0; }},
    {"ramp", [](std::int64_t i) { return real(i + 1); }},
    {"inverse", [](std::int64_t i) { return 1 / real(i + 1); }},
    {"long_tail", [](std::int64_t i) { return 1 / real((i % 10 + 1) * (i % 10 + 1)); }},
    {"zeros_mixed", [](std::int64_t i) { return i % 3 == 0 ? 0 : real(i % 5 + 1) / 7; }},
}};

TorchMultinomialPath pathOf(const PipelineSpec& spec, const WeightedDraw& draw) {
  return torchMultinomialPath(spec.framework.torch, draw.num_samples, draw.replacement, spec.framework.torch_mkl);
}

}  // namespace

Field weightsField() {
  std::vector<std::string> names;
  for (const Pattern& pattern : kPatterns) names.emplace_back(pattern.name);
  return {.path = "sampler.weights",
          .kind = FieldKind::Numbers,
          .fallback = names.front(),
          .choices = names,
          .help = marked("fields", "Weight of each sample: a list, or a named pattern over the whole dataset.")};
}

std::vector<Field> weightedFields() {
  return {
      weightsField(),
      intOrNameField("sampler.num_samples", "len(weights)", -kMostToDraw, kMostToDraw, "samples",
                     marked("fields", "Number of samples per epoch on each rank.")),
      boolField("sampler.replacement", true, marked("fields", "Whether a sample can be drawn again within an epoch."))};
}

Result<Weights> weightsOf(const Value& value, std::int64_t size) {
  const auto* list = std::get_if<NumberList>(&value);
  auto weights = Weights::make(list != nullptr ? list->size() : static_cast<std::size_t>(size), "the weights");
  if (!weights) return weights;
  const std::span<double> items = weights->items();
  if (list != nullptr) {
    std::copy(list->begin(), list->end(), items.begin());
    return weights;
  }
  const auto named = [&value](const Pattern& pattern) { return std::get<std::string>(value) == pattern.name; };
  const auto* const pattern = std::ranges::find_if(kPatterns, named);
  assert(pattern != kPatterns.end());
  for (std::size_t i = 0; i < items.size(); ++i) items[i] = pattern->weight(static_cast<std::int64_t>(i));
  return weights;
}

const Value& givenWeights(const PipelineSpec& spec, const SamplerInfo& info) {
  const auto found = spec.sampler.parameters.find("weights");
  return found == spec.sampler.parameters.end() ? info.parameters.front().fallback : found->second;
}

std::int64_t categoriesOf(const PipelineSpec& spec, const SamplerInfo& info) {
  const auto* list = std::get_if<NumberList>(&givenWeights(spec, info));
  return list != nullptr ? static_cast<std::int64_t>(list->size()) : spec.dataset.size;
}

LeftOutCause notDrawnBy(const Value& given, std::int64_t size) {
  auto weights = weightsOf(given, size);
  if (!weights) return always(MissingCause::NotExplained);
  return [weights = std::make_shared<const Weights>(std::move(*weights))](SampleIndex sample) {
    const std::span<const double> items = weights->items();
    if (static_cast<std::size_t>(sample) >= items.size()) return MissingCause::WithoutWeight;
    return items[static_cast<std::size_t>(sample)] > 0 ? MissingCause::NotDrawn : MissingCause::WeightZero;
  };
}

Result<void> checkWeightCount(const PipelineSpec& spec, std::int64_t weights) {
  if (weights <= spec.dataset.size) return {};
  return refused(filled(weights == 1 ? worded("checks", "there is 1 weight, but the dataset has only %2.")
                                     : worded("checks", "there are %1 weights, but the dataset has only %2."),
                        grouped(weights), wordedCount(spec.dataset.size, "sample")),
                 "sampler.weights", worded("checks", "raise dataset.size, or give one weight for each sample"));
}

Error WeightedDraw::placed(Error error, std::int64_t categories) const {
  if (categories == 0) {
    error.place.field = "dataset.size";
    error.hint = "give at least 1 sample";
  } else if (num_samples <= 0) {
    error.place.field = "sampler.num_samples";
    error.hint = "draw at least 1 sample";
  } else if (!replacement && num_samples > categories) {
    error.place.field = "sampler.num_samples";
    error.hint = "draw at most " + std::to_string(categories) + ", or switch sampler.replacement on";
  }
  return error;
}

Result<void> WeightedDraw::check(const PipelineSpec& spec, std::span<const double> weights) const {
  const TorchMultinomialPath path = pathOf(spec, *this);
  if (auto checked = checkTorchMultinomial(weights, num_samples, replacement, path); !checked) {
    return placed(checked.error(), static_cast<std::int64_t>(weights.size()));
  }
  return {};
}

std::uint64_t WeightedDraw::outputs(const PipelineSpec& spec, std::int64_t categories) const {
  return torchMultinomialOutputs(pathOf(spec, *this), static_cast<std::uint64_t>(categories),
                                 static_cast<std::uint64_t>(num_samples));
}

Result<LargeArray<std::uint32_t>> WeightedDraw::draw(const PipelineSpec& spec, std::span<const double> weights,
                                                     TorchGenerator& generator, const Work& work) const {
  auto ids = LargeArray<std::uint32_t>::make(static_cast<std::size_t>(num_samples), "an order");
  if (!ids) return ids;
  if (auto done = torchMultinomial(generator, weights, pathOf(spec, *this), ids->items(), work); !done) {
    return done.error();
  }
  return ids;
}

namespace torch_weighted_random_sampler {
namespace {

std::vector<Field> fields() {
  std::vector<Field> all = weightedFields();
  all.push_back(torchGeneratorField());
  all.push_back(torchGeneratorSeedField());
  return all;
}

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "torch.WeightedRandomSampler",
      marked("samplers", "Draws samples on every rank by given weights, with the rank's own generator."),
      fields(),
      {marked("samplers",
              "Every rank draws from all samples: nothing divides them, and ranks with equal torch seeds draw "
              "identical batches (pytorch#77154, #23430)."),
       marked(
           "samplers",
           "Without replacement, PyTorch 2.0 to 2.6 with MKL (the usual x86 wheel) draws from a stream of MKL that the "
           "generator only seeds: the same seed gives another order without MKL (pytorch#132395, #148247). This order "
           "is checked against published outputs of float32 weights."),
       marked("samplers",
              "Without replacement, samples of weight zero are used when num_samples exceeds the number of other "
              "samples; their order depends on the standard library."),
       marked("samplers", "More than 2^24 weights are refused.")},
      {"framework.torch_mkl"},
  };
  return kInfo;
}

WeightedDraw drawOf(const PipelineSpec& spec) {
  return {intParameterOr(spec, info(), "num_samples", categoriesOf(spec, info())),
          boolParameter(spec, info(), "replacement")};
}

Result<Weights> weightsOf(const PipelineSpec& spec) {
  return sampling::weightsOf(givenWeights(spec, info()), spec.dataset.size);
}

std::uint64_t outputsOfPass(const PipelineSpec& spec) {
  return drawOf(spec).outputs(spec, categoriesOf(spec, info()));
}

Result<void> check(const PipelineSpec& spec) {
  const WeightedDraw draw = drawOf(spec);
  if (auto arguments = checkWeightedRandomSampler(draw.num_samples, draw.replacement, {categoriesOf(spec, info())});
      !arguments)
    return arguments;
  if (auto fit = checkWeightCount(spec, categoriesOf(spec, info())); !fit) return fit;
  const auto categories = static_cast<std::size_t>(categoriesOf(spec, info()));
  if (auto sizes = checkTorchMultinomialSizes(categories, draw.num_samples, draw.replacement); !sizes)
    return draw.placed(sizes.error(), categoriesOf(spec, info()));
  const auto weights = weightsOf(spec);
  if (!weights) return weights.error();
  return draw.check(spec, weights->items());  // raised by the first __iter__
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank /*rank*/) {
  return {drawOf(spec).num_samples, 0};
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const auto weights = weightsOf(spec);
  if (!weights) return weights.error();
  TorchGenerator generator = generatorAt({key.seed, key.skip});
  auto ids = drawOf(spec).draw(spec, weights->items(), generator, work);
  if (!ids) return ids.error();
  return Order::of(std::move(*ids));
}

SamplerClaims claims(const PipelineSpec& spec) {
  return repeatsFor(drawOf(spec).replacement ? RepeatCause::Replacement : RepeatCause::NotExplained);
}

}  // namespace
}  // namespace torch_weighted_random_sampler

SamplerRule torchWeightedRandomSampler() {
  using namespace torch_weighted_random_sampler;
  return {.info = info(),
          .traits = {.replacement = "replacement",
                     .num_samples = "num_samples",
                     .generator = "generator",
                     .loader_part = LoaderPart::Other},
          .claims = claims,
          .left_out = notDrawnByWeight<info>,
          .check = check,
          .key = generatorKey<info, outputsOfPass>,
          .order = order,
          .slice = wholeOrder,
          .shape = shape,
          .same_shapes = true,
          .shared_outputs = outputsUnlessOwn<outputsOfPass>};
}

}  // namespace shardlens::sampling
