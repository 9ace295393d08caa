// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/random/torch_multinomial.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/monai/samplers.h"
#include "core/sampling/python.h"
#include "core/sampling/torch/generator_parameter.h"
#include "core/sampling/torch/order.h"
#include "core/sampling/torch/weights.h"
#include "core/spec/field_table.h"

#include <charconv>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace shardlens::sampling {
namespace monai_distributed_weighted_random_sampler {
namespace {

constexpr std::int64_t kMostSamples = 4'000'000'000;

const SamplerInfo& info() {
  static const SamplerInfo kInfo = [] {
    std::vector<Field> fields = {
        {"sampler.weights", FieldKind::Numbers, std::string("uniform"), INT64_MIN, INT64_MAX, weightPatterns(), "",
         marked("fields", "Weight of each sample: a list, or a named pattern over the whole dataset.")},
        intOrNameField("sampler.num_samples_per_rank", "share", -kMostSamples, kMostSamples, "samples",
                       marked("fields",
                              "Samples that each rank draws per epoch; share means as many as its slice "
                              "holds.")),
        choiceField("sampler.generator", "none", {"none", "sampler"},
                    marked("fields", "Whether the sampler was given a torch.Generator of its own.")),
        torchGeneratorSeedField()};
    for (Field& field : monaiShareFields()) fields.push_back(std::move(field));
    return SamplerInfo{
        "monai.DistributedWeightedRandomSampler",
        marked("samplers",
               "Divides the dataset among the ranks as DistributedSampler does; each rank then draws by weight, with "
               "replacement, from its own slice."),
        std::move(fields),
        {marked(
             "samplers",
             "A weight counts within the rank's slice only: a sample in a slice of heavy samples is drawn less often "
             "than the same sample among light ones."),
         marked("samplers",
                "The draw comes from torch's global generator unless it has its own: anything else that draws from "
                "torch changes it."),
         marked("samplers", "A rank whose slice has only weights of 0 fails when it is iterated.")},
        {"framework.torch_mkl"}};
  }();
  return kInfo;
}

WeightedDraw drawOf(const PipelineSpec& spec, Rank rank) {
  const Value given = parameter(spec, info(), "num_samples_per_rank");
  const auto* number = std::get_if<std::int64_t>(&given);
  return {number != nullptr ? *number : monaiShape(spec, rank).count, true};
}

Result<void> check(const PipelineSpec& spec) {
  if (auto share = checkMonaiShare(spec); !share) return share;
  const auto* list = std::get_if<NumberList>(&givenWeights(spec, info()));
  if (list == nullptr || static_cast<std::int64_t>(list->size()) >= spec.dataset.size) return {};
  return raised("IndexError", "list index out of range", "sampler.weights",
                worded("checks", "give one weight for each sample"));
}

/// What the draw raises on a rank; of the number of samples all ranks raise the same.
Result<void> checkRank(const PipelineSpec& spec, Rank rank) {
  if (auto share = checkMonaiShareOf(spec, rank); !share) return share;
  const WeightedDraw draw = drawOf(spec, rank);
  const auto categories = static_cast<std::size_t>(monaiShape(spec, rank).count);
  auto sizes = checkTorchMultinomialSizes(categories, draw.num_samples, true);
  if (sizes) return sizes;
  Error error = draw.placed(sizes.error(), monaiShape(spec, rank).count);
  if (error.place.field == "sampler.num_samples") error.place.field = "sampler.num_samples_per_rank";
  return error;
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  return {drawOf(spec, rank).num_samples, 0};
}

std::uint64_t sharedOutputs(const PipelineSpec& spec, Rank rank) {
  return torchGeneratorUse(spec) == TorchGeneratorUse::Sampler ? 0 : monaiWeightedOutputs(spec, rank);
}

/// "monai weighted SEED:RANK:EPOCH", of the permutation; the key's own seed is that of the draw.
OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  const TorchStream stream = torchGeneratorStream(spec, epoch, rank, monaiWeightedOutputs(spec, rank));
  const std::int64_t told = boolParameter(spec, info(), "set_epoch") ? epoch.value : 0;
  const std::string seed = std::to_string(intParameter(spec, info(), "seed"));
  return {"monai weighted " + seed + ":" + std::to_string(rank.value) + ":" + std::to_string(told), stream.seed,
          stream.skip};
}

std::int64_t numberIn(std::string_view text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const std::string_view recipe = key.recipe;
  const std::size_t rank = recipe.find(':') + 1;
  const std::size_t told = recipe.rfind(':') + 1;
  TorchGenerator generator = generatorAt({key.seed, key.skip});
  return monaiWeightedOrder(spec, Rank{numberIn(recipe.substr(rank))}, numberIn(recipe.substr(told)), generator, work);
}

SamplerClaims claims(const PipelineSpec& /*spec*/) {
  return {.divides = true, .in_order = RepeatCause::Replacement, .across_shares = RepeatCause::SamplerPadding};
}

LeftOutCause leftOut(const PipelineSpec& spec, Epoch /*epoch*/) {
  auto weights = weightsOf(givenWeights(spec, info()), spec.dataset.size);
  if (!weights) return always(MissingCause::NotExplained);
  return [weights = std::make_shared<const Weights>(std::move(*weights))](SampleIndex sample) {
    return weights->items()[static_cast<std::size_t>(sample)] > 0 ? MissingCause::NotDrawn : MissingCause::WeightZero;
  };
}

}  // namespace
}  // namespace monai_distributed_weighted_random_sampler

std::uint64_t monaiWeightedOutputs(const PipelineSpec& spec, Rank rank) {
  using namespace monai_distributed_weighted_random_sampler;
  return drawOf(spec, rank).outputs(spec, monaiShape(spec, rank).count);
}

Result<OrderPtr> monaiWeightedOrder(const PipelineSpec& spec, Rank rank, std::int64_t told, TorchGenerator& generator,
                                    const Work& work) {
  using namespace monai_distributed_weighted_random_sampler;
  const auto whole = torchOrder(spec, monaiShareKey(spec, Epoch{told}), work.part(0, 0.6));
  if (!whole) return whole;
  const Slice slice = monaiSlice(spec, rank, *whole);
  const auto all = weightsOf(givenWeights(spec, info()), spec.dataset.size);
  if (!all) return all.error();
  auto own = Weights::make(static_cast<std::size_t>(slice.size()), "the weights");
  if (!own) return own.error();
  for (std::int64_t k = 0; k < slice.size(); ++k)
    own->items()[static_cast<std::size_t>(k)] = all->items()[static_cast<std::size_t>(slice.sample(k))];
  const WeightedDraw draw = drawOf(spec, rank);
  if (auto good = draw.check(spec, own->items()); !good) return good.error();
  auto places = draw.draw(spec, own->items(), generator, work.part(0.6, 1));
  if (!places) return places.error();
  for (std::uint32_t& place : places->items()) place = static_cast<std::uint32_t>(slice.sample(place));
  return Order::of(std::move(*places));
}

SamplerRule monaiDistributedWeightedRandomSampler() {
  using namespace monai_distributed_weighted_random_sampler;
  return {.info = info(),
          .traits = {.shuffle = "shuffle",
                     .seed = "seed",
                     .set_epoch = "set_epoch",
                     .drop_last = "drop_last",
                     .num_samples = "num_samples_per_rank",
                     .generator = "generator",
                     .loader_part = LoaderPart::Distributed},
          .claims = claims,
          .left_out = leftOut,
          .check = check,
          .key = key,
          .order = order,
          .slice = wholeOrder,
          .shape = shape,
          .same_shapes = true,
          .check_rank = checkRank,
          .shared_outputs = sharedOutputs};
}

}  // namespace shardlens::sampling
