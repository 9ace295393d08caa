// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/random/numpy_legacy.h"
#include "core/random/torch_randperm.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/python.h"
#include "core/sampling/torch/order.h"
#include "core/sampling/yolov5/samplers.h"
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
          boolField("sampler.drop_last", false,
                    marked("fields",
                           "Cut the tail that does not divide evenly instead of padding it with repeated samples.")),
          boolField("sampler.set_epoch", true,
                    marked("fields",
                           "Whether the script calls sampler.set_epoch(epoch); if it does not, every epoch repeats "
                           "epoch 0.")),
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
  const auto seed = static_cast<std::uint64_t>(intParameter(spec, info(), "seed"));
  const bool told = boolParameter(spec, info(), "set_epoch");
  return {info().type, seed + static_cast<std::uint64_t>(told ? epoch.value : 0), 0};
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
  const std::int64_t own = stridedSamples(pass.images, pass.ranks, rank.value);
  return {pass.yielded(), std::max<std::int64_t>(0, pass.yielded() - own)};
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
          .traits = {.shuffle = "shuffle",
                     .seed = "seed",
                     .set_epoch = "set_epoch",
                     .drop_last = "drop_last",
                     .loader_part = LoaderPart::Distributed},
          .claims = [](const PipelineSpec&) { return SamplerClaims{.divides = true}; },
          .left_out = always<MissingCause::CutBySampler>,
          .key = key,
          .order = order,
          .shape = shape,
          .same_shapes = true,
          .check_rank = checkRank};
}

}  // namespace shardlens::sampling
