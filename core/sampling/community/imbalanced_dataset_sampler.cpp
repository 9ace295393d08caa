// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/community/samplers.h"
#include "core/sampling/python.h"
#include "core/sampling/torch/order.h"
#include "core/sampling/torch/weights.h"
#include "core/spec/field_table.h"

#include <cstdint>
#include <unordered_map>
#include <utility>

namespace shardlens::sampling {
namespace community_imbalanced_dataset_sampler {
namespace {

constexpr std::int64_t kMostSamples = 4'000'000'000;

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "imbalanced.ImbalancedDatasetSampler",
      marked("samplers", "Draws samples on every rank with replacement, so that each class is equally frequent."),
      {
          intOrNameField(
              "sampler.num_samples", "none", -kMostSamples, kMostSamples, "samples",
              marked("fields", "Number of samples per epoch on each rank; none means the size of the dataset.")),
      },
      {marked("samplers",
              "Every rank draws from all samples: nothing divides them, and ranks with equal torch seeds draw "
              "identical batches."),
       marked("samplers", "More than 2^24 samples are refused.")},
      {"dataset.labels", "framework.torch_mkl"},
  };
  return kInfo;
}

WeightedDraw drawOf(const PipelineSpec& spec) {
  const Value given = parameter(spec, info(), "num_samples");
  const auto* number = std::get_if<std::int64_t>(&given);
  return {number != nullptr ? *number : spec.dataset.size, true};
}

Result<Weights> weightsOf(const PipelineSpec& spec) {
  const std::vector<std::int64_t>& labels = spec.dataset.labels;
  std::unordered_map<std::int64_t, std::int64_t> counts;
  for (const std::int64_t label : labels) ++counts[label];
  auto weights = Weights::make(labels.size(), "the weights");
  if (!weights) return weights;
  for (std::size_t i = 0; i < labels.size(); ++i) weights->items()[i] = 1.0 / static_cast<double>(counts[labels[i]]);
  return weights;
}

Result<void> checkLabels(const PipelineSpec& spec) {
  const auto labels = static_cast<std::int64_t>(spec.dataset.labels.size());
  if (labels == spec.dataset.size) return {};
  if (labels == 0) {
    return Error{ErrorCode::BadInput, worded("checks", "the classes of the samples are not known."),
                 Place{{}, 0, 0, "dataset.labels"},
                 worded("spec", "give dataset.labels, one whole number for each sample")};
  }
  return raised("ValueError",
                "Length mismatch: Expected axis has " + std::to_string(labels) + " elements, new values have " +
                    std::to_string(spec.dataset.size) + " elements",
                "dataset.labels", worded("checks", "give one label for each sample"));
}

Result<void> check(const PipelineSpec& spec) {
  if (auto labels = checkLabels(spec); !labels) return labels;
  const auto weights = weightsOf(spec);
  if (!weights) return weights.error();
  return drawOf(spec).check(spec, weights->items());  // raised by the first __iter__
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank /*rank*/) {
  return {drawOf(spec).num_samples, 0};
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  const TorchStream stream = torchSamplerStream(spec, epoch, rank);
  return {info().type, stream.seed, stream.skip};
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  TorchGenerator generator = generatorAt({key.seed, key.skip});
  return imbalancedOrder(spec, generator, work);
}

Slice slice(const PipelineSpec& spec, Epoch /*epoch*/, Rank /*rank*/, OrderPtr order) {
  const std::int64_t count = drawOf(spec).num_samples;
  return {std::move(order), 0, 1, count, count};
}

}  // namespace
}  // namespace community_imbalanced_dataset_sampler

Result<OrderPtr> imbalancedOrder(const PipelineSpec& spec, TorchGenerator& generator, const Work& work) {
  using namespace community_imbalanced_dataset_sampler;
  const auto weights = weightsOf(spec);
  if (!weights) return weights.error();
  auto ids = drawOf(spec).draw(spec, weights->items(), generator, work);
  if (!ids) return ids.error();
  return Order::of(std::move(*ids));
}

std::uint64_t imbalancedOutputs(const PipelineSpec& spec) {
  using namespace community_imbalanced_dataset_sampler;
  return drawOf(spec).outputs(spec, spec.dataset.size);
}

SamplerRule imbalancedDatasetSampler() {
  using namespace community_imbalanced_dataset_sampler;
  return {.info = info(),
          .traits = {.num_samples = "num_samples", .loader_part = LoaderPart::Other},
          .claims = [](const PipelineSpec&) { return SamplerClaims{.in_order = RepeatCause::Replacement}; },
          .left_out = always<MissingCause::NotDrawn>,
          .check = check,
          .key = key,
          .order = order,
          .slice = slice,
          .shape = shape,
          .shared_outputs = [](const PipelineSpec& spec, Rank) { return imbalancedOutputs(spec); }};
}

}  // namespace shardlens::sampling
