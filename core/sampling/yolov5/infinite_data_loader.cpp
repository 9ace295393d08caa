// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/python.h"
#include "core/sampling/torch/order.h"
#include "core/sampling/torch/samplers.h"
#include "core/sampling/yolov5/samplers.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace shardlens::sampling {
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
  const auto size = static_cast<std::uint64_t>(spec.dataset.size);
  return kBaseSeedOutputs + static_cast<std::uint64_t>(epoch.value) * 2 *
                                torchRandpermOutputs(randpermRule(spec, spec.dataset.size), size);
}

Result<void> check(const PipelineSpec& spec) {
  if (!divides(spec) && shuffles(spec)) {
    PipelineSpec random = spec;
    random.sampler = {"torch.RandomSampler", {}};
    if (auto drawn = torchRandomSampler().check(random); !drawn) return drawn;
  }
  const bool hangs = spec.loader.num_workers > 0 && loaderBatching(spec).count(itemsOf(spec)) == 0;
  if (!hangs) return {};
  return Error{ErrorCode::BadInput,
               worded("checks", "no rank has a whole batch, and the loader's constructor then asks for one forever."),
               {{}, 0, 0, "loader.batch_size"},
               worded("checks", "lower loader.batch_size, or switch loader.drop_last off")};
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
