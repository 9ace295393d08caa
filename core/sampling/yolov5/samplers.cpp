// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/yolov5/samplers.h"

#include "core/base/phrase.h"
#include "core/random/numpy_legacy.h"
#include "core/random/torch_randperm.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/python.h"
#include "core/sampling/torch/order.h"
#include "core/sampling/torch/samplers.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::sampling {
namespace yolov5_smart_distributed_sampler {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "yolov5.SmartDistributedSampler",
      marked("samplers",
             "Permutes on each rank the images that the rank keeps for the whole training; the plan names the images, "
             "the class numbers them within the rank."),
      {
          boolField("sampler.shuffle", true, marked("fields", "Permute each rank's images in every epoch.")),
          seedField("sampler.seed", 0, INT64_MIN, INT64_MAX,
                    marked("fields", "Seed of the permutation; the epoch is added.")),
          dropTailField(),
          setEpochField(),
      },
      {marked("samplers",
              "A rank reads the same images in every epoch and never another rank's, so batches mix less than with "
              "torch's DistributedSampler."),
       marked("samplers",
              "The numbers that it yields are places in the rank's own list, not in the dataset, and repeat on every "
              "rank (yolov5 PR 10383)."),
       marked("samplers", "With fewer images than ranks, a rank without images still asks for one.")},
  };
  return kInfo;
}

Yolov5Pass passOf(const PipelineSpec& spec, std::uint64_t seed) {
  return {spec.dataset.size, spec.worldSize(), boolParameter(spec, info(), "shuffle"),
          boolParameter(spec, info(), "drop_last"), seed};
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  if (!boolParameter(spec, info(), "shuffle")) return {info().type + " in order", 0, 0};
  return {info().type, epochSeed(spec, info(), epoch), 0};
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  return yolov5Order(spec, passOf(spec, key.seed), work);
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  return yolov5Shape(passOf(spec, 0), rank);
}

Result<void> checkRank(const PipelineSpec& spec, Rank rank) {
  return checkYolov5Rank(passOf(spec, 0), rank);
}

}  // namespace
}  // namespace yolov5_smart_distributed_sampler

std::vector<std::uint32_t> yolov5Images(std::int64_t images, std::int64_t ranks, Rank rank) {
  const std::vector<std::int64_t> drawn = NumpyLegacy(0).permutation(images);
  std::vector<std::uint32_t> own;
  own.reserve(static_cast<std::size_t>(stridedSamples(images, ranks, rank.value)));
  for (std::size_t image = 0; image < drawn.size(); ++image) {
    if (drawn[image] % ranks == rank.value) own.push_back(static_cast<std::uint32_t>(image));
  }
  return own;
}

std::int64_t Yolov5Pass::yielded() const {
  return distributedSamples(images, ranks, drop_last);
}

/// int((n - rank - 1) / w) + 1: rounded towards zero, so that a rank beyond the last image counts one, too.
std::int64_t Yolov5Pass::own(Rank rank) const {
  return (images - rank.value - 1) / ranks + 1;
}

std::vector<std::int64_t> Yolov5Pass::numbers(std::string_view torch, Rank rank) const {
  const auto size = static_cast<std::size_t>(own(rank));
  std::vector<std::int64_t> numbers(size);
  std::iota(numbers.begin(), numbers.end(), std::int64_t{0});
  TorchGenerator generator(seed);
  if (shuffle) (void)torchRandperm(generator, std::span(numbers), {}, torchRandpermRule(torch, size));
  const auto wanted = static_cast<std::size_t>(yielded());
  if (drop_last) numbers.resize(std::min(size, wanted));
  while (!drop_last && numbers.size() < wanted) numbers.push_back(numbers[numbers.size() - size]);
  return numbers;
}

SliceShape yolov5Shape(const Yolov5Pass& pass, Rank rank) {
  return distributedShape(pass.images, pass.ranks, rank.value, pass.drop_last);
}

Result<void> checkYolov5Rank(const Yolov5Pass& pass, Rank rank) {
  if (pass.drop_last || rank.value < pass.images || pass.own(rank) == 0) return {};
  return raised(
      "IndexError", "index 0 is out of bounds for axis 0 with size 0", "dataset.size",
      filled(worded("checks", "rank %1 keeps no image: give every rank one or more"), std::to_string(rank.value)));
}

Result<OrderPtr> yolov5Order(const PipelineSpec& spec, const Yolov5Pass& pass, const Work& work) {
  const auto each = static_cast<std::size_t>(pass.yielded());
  const std::int64_t with_images = std::min(pass.ranks, pass.images);
  auto ids = LargeArray<std::uint32_t>::make(each * static_cast<std::size_t>(with_images), "an order");
  if (!ids) return ids.error();
  std::vector<std::vector<std::uint32_t>> images(static_cast<std::size_t>(pass.ranks));
  const std::vector<std::int64_t> drawn = NumpyLegacy(0).permutation(pass.images);
  for (std::size_t image = 0; image < drawn.size(); ++image)
    images[static_cast<std::size_t>(drawn[image] % pass.ranks)].push_back(static_cast<std::uint32_t>(image));
  Deal deal;
  for (Rank rank{0}; rank.value < pass.ranks; ++rank) {
    if (work.stopped()) return cancelled();
    work.progress(static_cast<double>(rank.value) / static_cast<double>(pass.ranks));
    const std::size_t first = static_cast<std::size_t>(std::min(rank.value, with_images)) * each;
    if (rank.value >= with_images) {
      deal.shares.push_back({static_cast<std::int64_t>(first)});
      continue;
    }
    deal.shares.push_back({static_cast<std::int64_t>(first), pass.yielded(), yolov5Shape(pass, rank).padding});
    if (each == 0) continue;
    const std::vector<std::int64_t> numbers = pass.numbers(spec.framework.torch, rank);
    const std::vector<std::uint32_t>& own = images[static_cast<std::size_t>(rank.value)];
    for (std::size_t k = 0; k < each; ++k) ids->items()[first + k] = own[static_cast<std::size_t>(numbers[k])];
  }
  return Order::dealt(Order::of(std::move(*ids)), std::move(deal));
}

SamplerRule yolov5SmartDistributedSampler() {
  using namespace yolov5_smart_distributed_sampler;
  return {.info = info(),
          .traits = kDistributedTraits,
          .claims = [](const PipelineSpec&) { return SamplerClaims{.divides = true}; },
          .left_out = always<MissingCause::CutBySampler>,
          .key = key,
          .order = order,
          .shape = shape,
          .same_shapes = true,
          .check_rank = checkRank};
}

namespace yolov5_infinite_data_loader {
namespace {

/// What the script adds to its seed for the loader's generator.
constexpr std::uint64_t kGeneratorSeed = 6148914691236517205;
constexpr std::uint64_t kBaseSeedOutputs = 2;
const std::string kShared = "yolov5 loader's generator";
const std::string kDivided = "yolov5 images of each rank";

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "yolov5.InfiniteDataLoader",
      marked("samplers",
             "The loader of YOLOv5's training script: its workers live through all epochs, and ask for the first "
             "batches of an epoch before the script has told the sampler its number."),
      {boolField("sampler.process_group", true,
                 marked("fields",
                        "Whether torchrun started the script: a SmartDistributedSampler then divides the images; "
                        "otherwise every process draws all of them by the loader's generator.")),
       boolField("sampler.shuffle", true, marked("fields", "Permute the images in every epoch.")),
       seedField("sampler.seed", 0, INT64_MIN, INT64_MAX,
                 marked("fields",
                        "The script's --seed. It goes to the loader's generator, not to the SmartDistributedSampler, "
                        "whose seed is always 0."))},
      {marked("samplers",
              "With workers, epoch 1 repeats the order of epoch 0, and later epochs have the number of the epoch "
              "before: the first batches of a pass are asked for before set_epoch (yolov5#6741)."),
       marked("samplers",
              "Passes of no more batches than the workers ask for ahead lag by more than one epoch number."),
       marked("samplers",
              "With workers and drop_last, a rank without a whole batch never gets out of the constructor."),
       marked("samplers", "In a process group no seed changes the order: the sampler's seed is always 0.")},
  };
  return kInfo;
}

bool divides(const PipelineSpec& spec) {
  return boolParameter(spec, info(), "process_group");
}

bool shuffles(const PipelineSpec& spec) {
  return boolParameter(spec, info(), "shuffle");
}

Yolov5Pass passOf(const PipelineSpec& spec, std::uint64_t told) {
  return {spec.dataset.size, spec.worldSize(), shuffles(spec), false, told};
}

std::int64_t itemsOf(const PipelineSpec& spec) {
  return divides(spec) ? passOf(spec, 0).yielded() : spec.dataset.size;
}

/// The number that set_epoch had given when the first batch of a pass was asked for: by the time that a rank takes
/// batch i, its workers have been asked for batch i + ahead.
std::int64_t toldEpoch(const PipelineSpec& spec, Epoch epoch) {
  const std::int64_t batches = loaderBatching(spec).count(itemsOf(spec));
  const std::int64_t ahead = spec.loader.num_workers * spec.loader.prefetch_factor;
  if (ahead == 0 || batches == 0) return epoch.value;
  return std::max<std::int64_t>(0, epoch.value * batches - ahead) / batches;
}

std::uint64_t generatorSeed(const PipelineSpec& spec, Rank rank) {
  const auto seed = kGeneratorSeed + static_cast<std::uint64_t>(intParameter(spec, info(), "seed"));
  return divides(spec) ? seed + static_cast<std::uint64_t>(rank.value) : seed - 1;
}

/// Permutations of the loader's generator before the one of an epoch: each pass draws two and uses the first.
std::uint64_t outputsBefore(const PipelineSpec& spec, Epoch epoch) {
  return kBaseSeedOutputs + static_cast<std::uint64_t>(epoch.value) * 2 * permutationOutputs(spec, spec.dataset.size);
}

Result<void> check(const PipelineSpec& spec) {
  if (!divides(spec) && shuffles(spec)) {
    PipelineSpec random = spec;
    random.sampler = {"torch.RandomSampler", {}};
    if (auto drawn = torchRandomSampler().check(random); !drawn) return drawn;
  }
  const bool hangs = spec.loader.num_workers > 0 && loaderBatching(spec).count(itemsOf(spec)) == 0;
  if (!hangs) return {};
  return refused(worded("checks", "no rank has a whole batch, and the loader's constructor then asks for one forever."),
                 "loader.batch_size", worded("checks", "lower loader.batch_size, or switch loader.drop_last off"));
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  if (divides(spec)) return {kDivided, static_cast<std::uint64_t>(shuffles(spec) ? toldEpoch(spec, epoch) : 0), 0};
  if (!shuffles(spec)) return {kSequential, 0, 0};
  return {kShared, generatorSeed(spec, rank), outputsBefore(spec, epoch)};
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  if (key.recipe == kDivided) return yolov5Order(spec, passOf(spec, key.seed), work);
  const std::string& recipe = key.recipe == kShared ? kRandperm : kSequential;
  return torchOrder(spec, {recipe, key.seed, key.skip}, work);
}

Slice slice(const PipelineSpec& spec, Epoch epoch, Rank rank, OrderPtr order) {
  return divides(spec) ? Slice::ofDeal(std::move(order), rank) : wholeOrder(spec, epoch, rank, std::move(order));
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  return divides(spec) ? yolov5Shape(passOf(spec, 0), rank) : SliceShape{spec.dataset.size, 0};
}

Result<void> checkRank(const PipelineSpec& spec, Rank rank) {
  return divides(spec) ? checkYolov5Rank(passOf(spec, 0), rank) : Result<void>();
}

/// base_seed is drawn once, when the iterator is made.
TorchStream loaderStream(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  return {generatorSeed(spec, rank), 0};
}

}  // namespace
}  // namespace yolov5_infinite_data_loader

SamplerRule yolov5InfiniteDataLoader() {
  using namespace yolov5_infinite_data_loader;
  return {.info = info(),
          .traits = {.shuffle = "shuffle", .seed = "seed"},
          .claims = [](const PipelineSpec& spec) { return SamplerClaims{.divides = divides(spec)}; },
          .check = check,
          .key = key,
          .order = order,
          .whole = [](const PipelineSpec& spec) { return !divides(spec); },
          .slice = slice,
          .shape = shape,
          .same_shapes = true,
          .check_rank = checkRank,
          .loader_stream = loaderStream};
}

}  // namespace shardlens::sampling
