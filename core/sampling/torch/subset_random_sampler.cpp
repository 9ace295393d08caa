// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/sample_list.h"
#include "core/sampling/torch/generator_parameter.h"
#include "core/sampling/torch/order.h"
#include "core/sampling/torch/samplers.h"

#include <utility>

namespace shardlens::sampling {
namespace torch_subset_random_sampler {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "torch.SubsetRandomSampler",
      marked("samplers", "Permutes a list of samples on every rank by the rank's own generator."),
      {
          sampleListField(marked("fields", "The samples to draw from; a list, or {range: [a, b]}.")),
          torchGeneratorField(),
          torchGeneratorSeedField(),
      },
      {marked("samplers", "Every rank draws the whole list: nothing divides it between them."),
       marked("samplers",
              "It permutes with the global generator: anything else that draws from torch changes the order.")},
  };
  return kInfo;
}

std::int64_t countOf(const PipelineSpec& spec) {
  return static_cast<std::int64_t>(sampleList(spec).size());
}

std::uint64_t outputsOfPass(const PipelineSpec& spec) {
  const std::int64_t count = countOf(spec);
  return torchRandpermOutputs(randpermRule(spec, count), static_cast<std::uint64_t>(count));
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank /*rank*/) {
  return {countOf(spec), 0};
}

std::uint64_t sharedOutputs(const PipelineSpec& spec, Rank /*rank*/) {
  return torchGeneratorUse(spec) == TorchGeneratorUse::Sampler ? 0 : outputsOfPass(spec);
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  const TorchStream stream = torchGeneratorStream(spec, epoch, rank, outputsOfPass(spec));
  return {info().type, stream.seed, stream.skip};
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  TorchGenerator generator = generatorAt({key.seed, key.skip});
  const IndexList& indices = sampleList(spec);
  auto places = torchPermutation(countOf(spec), randpermRule(spec, countOf(spec)), generator, work);
  if (!places) return places.error();
  for (std::uint32_t& place : places->items()) place = static_cast<std::uint32_t>(indices[place]);
  return Order::of(std::move(*places));
}

Slice slice(const PipelineSpec& spec, Epoch /*epoch*/, Rank /*rank*/, OrderPtr order) {
  return {std::move(order), 0, 1, countOf(spec), countOf(spec)};
}

SamplerClaims claims(const PipelineSpec& /*spec*/) {
  return {.in_order = RepeatCause::ListedTwice, .across_shares = RepeatCause::ListedTwice};
}

LeftOutCause leftOut(const PipelineSpec& spec, Epoch /*epoch*/) {
  return notListed(sampleList(spec), spec.dataset.size, MissingCause::NotExplained);
}

}  // namespace
}  // namespace torch_subset_random_sampler

SamplerRule torchSubsetRandomSampler() {
  using namespace torch_subset_random_sampler;
  return {.info = info(),
          .traits = {.indices = "indices", .generator = "generator", .loader_part = LoaderPart::Other},
          .claims = claims,
          .left_out = leftOut,
          .check = checkSampleList,
          .key = key,
          .order = order,
          .slice = slice,
          .shape = shape,
          .same_shapes = true,
          .shared_outputs = sharedOutputs};
}

}  // namespace shardlens::sampling
