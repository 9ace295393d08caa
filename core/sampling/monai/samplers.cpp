// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/monai/samplers.h"

#include "core/base/phrase.h"
#include "core/random/torch_multinomial.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/python.h"
#include "core/sampling/torch/loader_seeds.h"
#include "core/sampling/torch/order.h"
#include "core/sampling/torch/weights.h"
#include "core/spec/field_table.h"

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace shardlens::sampling {
namespace monai_distributed_sampler {
namespace {

/// What both of MONAI's classes take for dividing.
std::vector<Field> shareFields() {
  return {
      boolField(
          "sampler.even_divisible", true,
          marked("fields", "Repeat samples until all ranks have the same number; otherwise some ranks get one fewer.")),
      shuffleField(),
      seedField("sampler.seed", 0, INT64_MIN, INT64_MAX,
                marked("fields", "Seed of the permutation; the epoch is added. Must be the same on all ranks.")),
      dropTailField(),
      setEpochField(),
  };
}

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "monai.DistributedSampler",
      marked("samplers",
             "torch's DistributedSampler, which with even_divisible off gives some ranks one sample fewer instead of "
             "repeating samples."),
      shareFields(),
      {marked("samplers",
              "even_divisible = false gives ranks different lengths: a collective in each step then waits forever."),
       marked("samplers",
              "even_divisible = false with drop_last fails an assertion without a message on the first ranks, unless "
              "the dataset divides evenly."),
       marked("samplers", "Without set_epoch every epoch has the same order.")},
  };
  return kInfo;
}

Result<void> check(const PipelineSpec& spec) {
  if (boolParameter(spec, info(), "even_divisible") || spec.dataset.size >= spec.worldSize()) return {};
  return raised("ValueError", "the dataset length is less than the number of participating ranks.", "dataset.size",
                worded("checks", "give every rank a sample, or switch sampler.even_divisible on"));
}

Result<void> checkRank(const PipelineSpec& spec, Rank rank) {
  if (boolParameter(spec, info(), "even_divisible") || !boolParameter(spec, info(), "drop_last")) return {};
  const bool fits = stridedSamples(spec.dataset.size, spec.worldSize(), rank.value) ==
                    distributedSamples(spec.dataset.size, spec.worldSize(), true);
  if (fits) return {};
  return raised("AssertionError", "", "sampler.drop_last",
                worded("checks", "switch it off, or sampler.even_divisible on: the cut no longer fits"));
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  if (!boolParameter(spec, info(), "even_divisible"))
    return {stridedSamples(spec.dataset.size, spec.worldSize(), rank.value), 0};
  return distributedShape(spec.dataset.size, spec.worldSize(), rank.value, boolParameter(spec, info(), "drop_last"));
}

}  // namespace
}  // namespace monai_distributed_sampler

SamplerRule monaiDistributedSampler() {
  using namespace monai_distributed_sampler;
  return {.info = info(),
          .traits = kDistributedTraits,
          .claims = [](const PipelineSpec&) { return SamplerClaims{.divides = true}; },
          .unread = always<MissingCause::CutBySampler>,
          .check = check,
          .key = seededKey<info>,
          .order = torchOrder,
          .reads_evenly = [](const PipelineSpec&) { return true; },
          .places = torchPlaces,
          .slice = stridedSlice<shape>,
          .shape = shape,
          .same_shapes = true,
          .check_rank = checkRank};
}

namespace monai_distributed_weighted_random_sampler {
namespace {

namespace share = monai_distributed_sampler;

const SamplerInfo& info() {
  static const SamplerInfo kInfo = [] {
    std::vector<Field> fields = {
        weightsField(),
        intOrNameField("sampler.num_samples_per_rank", "share", -kMostToDraw, kMostToDraw, "samples",
                       marked("fields",
                              "Samples that each rank draws per epoch; share means as many as its slice "
                              "holds.")),
        choiceField("sampler.generator", "none", {"none", "sampler"},
                    marked("fields", "Whether the sampler was given a torch.Generator of its own.")),
        torchGeneratorSeedField()};
    for (Field& field : share::shareFields()) fields.push_back(std::move(field));
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

/// How many samples the rank's slice holds.
std::int64_t shareOf(const PipelineSpec& spec, Rank rank) {
  return share::shape(spec, Epoch{0}, rank).count;
}

WeightedDraw drawOf(const PipelineSpec& spec, Rank rank) {
  return {intParameterOr(spec, info(), "num_samples_per_rank", shareOf(spec, rank)), true};
}

std::uint64_t outputsOfPass(const PipelineSpec& spec, Rank rank) {
  return drawOf(spec, rank).outputs(spec, shareOf(spec, rank));
}

Result<void> check(const PipelineSpec& spec) {
  if (auto good = share::check(spec); !good) return good;
  const auto* list = std::get_if<NumberList>(&givenWeights(spec, info()));
  if (list == nullptr || static_cast<std::int64_t>(list->size()) >= spec.dataset.size) return {};
  return raised("IndexError", "list index out of range", "sampler.weights",
                worded("checks", "give one weight for each sample"));
}

/// What the draw raises on a rank; of the number of samples all ranks raise the same.
Result<void> checkRank(const PipelineSpec& spec, Rank rank) {
  if (auto good = share::checkRank(spec, rank); !good) return good;
  const WeightedDraw draw = drawOf(spec, rank);
  const auto categories = static_cast<std::size_t>(shareOf(spec, rank));
  auto sizes = checkTorchMultinomialSizes(categories, draw.num_samples, true);
  if (sizes) return sizes;
  Error error = draw.placed(sizes.error(), shareOf(spec, rank));
  if (error.place.field == "sampler.num_samples") error.place.field = "sampler.num_samples_per_rank";
  return error;
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  return {drawOf(spec, rank).num_samples, 0};
}

std::uint64_t sharedOutputs(const PipelineSpec& spec, Rank rank) {
  return torchGeneratorUse(spec) == TorchGeneratorUse::Sampler ? 0 : outputsOfPass(spec, rank);
}

/// "monai weighted SEED:RANK:EPOCH", of the permutation; the key's own seed is that of the draw.
OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  const TorchStream stream = torchGeneratorStream(spec, epoch, rank, outputsOfPass(spec, rank));
  const std::int64_t told = givenEpoch(spec, epoch).value;
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

}  // namespace
}  // namespace monai_distributed_weighted_random_sampler

Result<OrderPtr> monaiWeightedOrder(const PipelineSpec& spec, Rank rank, std::int64_t told, TorchGenerator& generator,
                                    const Work& work) {
  using namespace monai_distributed_weighted_random_sampler;
  const auto whole = torchOrder(spec, seededKey<share::info>(spec, Epoch{told}, rank), work.part(0, 0.6));
  if (!whole) return whole;
  const Slice slice = stridedSlice<share::shape>(spec, Epoch{told}, rank, *whole);
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
          .left_out = notDrawnByWeight<info>,
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
