// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/torch/weights.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/random/torch_multinomial.h"

#include <algorithm>
#include <array>
#include <cassert>
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

const std::vector<std::string>& weightPatterns() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    names.reserve(std::size(kPatterns));
    for (const Pattern& pattern : kPatterns) names.emplace_back(pattern.name);
    return names;
  }();
  return kNames;
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
  const auto* const pattern = std::find_if(kPatterns.begin(), kPatterns.end(), named);
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

Result<void> checkWeightCount(const PipelineSpec& spec, std::int64_t weights) {
  if (weights <= spec.dataset.size) return {};
  return Error{ErrorCode::BadInput,
               filled(weights == 1 ? worded("checks", "there is 1 weight, but the dataset has only %2.")
                                   : worded("checks", "there are %1 weights, but the dataset has only %2."),
                      grouped(weights), wordedCount(spec.dataset.size, "sample")),
               Place{{}, 0, 0, "sampler.weights"},
               worded("checks", "raise dataset.size, or give one weight for each sample")};
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

}  // namespace shardlens::sampling
