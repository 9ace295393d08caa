// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/random/torch_multinomial.h"
#include "core/sampling/torch/arguments.h"
#include "core/sampling/torch/generator_parameter.h"
#include "core/sampling/torch/order.h"
#include "core/sampling/torch/samplers.h"
#include "core/sampling/torch/weights.h"
#include "core/spec/field_table.h"

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace shardlens::sampling {
namespace torch_weighted_random_sampler {
namespace {

constexpr std::int64_t kMostSamples = 4'000'000'000;

const SamplerInfo& info() {
  using K = FieldKind;
  static const SamplerInfo kInfo = {
      "torch.WeightedRandomSampler",
      marked("samplers", "Draws samples on every rank by given weights, with the rank's own generator."),
      {
          {"sampler.weights", K::Numbers, std::string("uniform"), INT64_MIN, INT64_MAX, weightPatterns(), "",
           marked("fields", "Weight of each sample: a list, or a named pattern over the whole dataset.")},
          intOrNameField("sampler.num_samples", "len(weights)", -kMostSamples, kMostSamples, "samples",
                         marked("fields", "Number of samples per epoch on each rank.")),
          boolField("sampler.replacement", true,
                    marked("fields", "Whether a sample can be drawn again within an epoch.")),
          torchGeneratorField(),
          torchGeneratorSeedField(),
      },
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
  const Value given = parameter(spec, info(), "num_samples");
  const auto* number = std::get_if<std::int64_t>(&given);
  return {number != nullptr ? *number : categoriesOf(spec, info()), boolParameter(spec, info(), "replacement")};
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

std::uint64_t sharedOutputs(const PipelineSpec& spec, Rank /*rank*/) {
  return torchGeneratorUse(spec) == TorchGeneratorUse::Sampler ? 0 : outputsOfPass(spec);
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  const TorchStream stream = torchGeneratorStream(spec, epoch, rank, outputsOfPass(spec));
  return {info().type, stream.seed, stream.skip};
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const auto weights = weightsOf(spec);
  if (!weights) return weights.error();
  TorchGenerator generator = generatorAt({key.seed, key.skip});
  auto ids = drawOf(spec).draw(spec, weights->items(), generator, work);
  if (!ids) return ids.error();
  return Order::of(std::move(*ids));
}

Slice slice(const PipelineSpec& spec, Epoch /*epoch*/, Rank /*rank*/, OrderPtr order) {
  const std::int64_t count = drawOf(spec).num_samples;
  return {std::move(order), 0, 1, count, count};
}

SamplerClaims claims(const PipelineSpec& spec) {
  const RepeatCause again = drawOf(spec).replacement ? RepeatCause::Replacement : RepeatCause::NotExplained;
  return {.in_order = again, .across_shares = again};
}

LeftOutCause leftOut(const PipelineSpec& spec, Epoch /*epoch*/) {
  auto weights = weightsOf(spec);
  if (!weights) return always(MissingCause::NotExplained);
  return [weights = std::make_shared<const Weights>(std::move(*weights))](SampleIndex sample) {
    const std::span<const double> items = weights->items();
    if (static_cast<std::size_t>(sample) >= items.size()) return MissingCause::WithoutWeight;
    return items[static_cast<std::size_t>(sample)] > 0 ? MissingCause::NotDrawn : MissingCause::WeightZero;
  };
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
          .left_out = leftOut,
          .check = check,
          .key = key,
          .order = order,
          .slice = slice,
          .shape = shape,
          .same_shapes = true,
          .shared_outputs = sharedOutputs};
}

}  // namespace shardlens::sampling
