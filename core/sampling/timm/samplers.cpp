// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/timm/samplers.h"

#include "core/base/phrase.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/python.h"
#include "core/sampling/rules.h"
#include "core/sampling/torch/order.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace shardlens::sampling {
namespace timm_ordered_distributed_sampler {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "timm.OrderedDistributedSampler",
      marked("samplers",
             "Gives each rank every world-size-th sample of the dataset in order, padded from the beginning."),
      {},
      {marked("samplers", "Padding repeats the first samples, so validation counts them twice."),
       marked("samplers", "It pads only once: with more than twice as many ranks as samples an assertion fails.")},
  };
  return kInfo;
}

Result<void> check(const PipelineSpec& spec) {
  const std::int64_t size = spec.dataset.size;
  const std::int64_t total = distributedSamples(size, spec.worldSize(), false) * spec.worldSize();
  if (total - size <= size) return {};
  return raised("AssertionError", "", "dataset.size",
                worded("checks", "use no more than twice as many ranks as samples"));
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  return distributedShape(spec.dataset.size, spec.worldSize(), rank.value, false);
}

}  // namespace
}  // namespace timm_ordered_distributed_sampler

SamplerRule timmOrderedDistributedSampler() {
  using namespace timm_ordered_distributed_sampler;
  return {.info = info(),
          .in_order = true,
          .claims = [](const PipelineSpec&) { return SamplerClaims{.divides = true, .evaluates = true}; },
          .check = check,
          .key = sequentialKey,
          .order = torchOrder,
          .reads_evenly = [](const PipelineSpec&) { return true; },
          .slice = stridedSlice<shape>,
          .shape = shape};
}

namespace timm_repeat_aug_sampler {
namespace {

constexpr std::int64_t kMost = 1'000'000'000;

const SamplerInfo& info() {
  using K = FieldKind;
  static const SamplerInfo kInfo = {
      "timm.RepeatAugSampler",
      marked("samplers",
             "Repeats each sample of the permuted dataset so that neighbouring ranks augment the same one."),
      {
          boolField("sampler.shuffle", true,
                    marked("fields", "Permute the dataset in every epoch, seeded by the epoch.")),
          {"sampler.num_repeats",
           K::Float,
           3.0,
           0,
           1000,
           {},
           "",
           marked("fields", "How often each sample is repeated in a row; a fraction repeats some samples once more.")},
          intField(
              "sampler.selected_round", 256, 0, kMost, "samples",
              marked(
                  "fields",
                  "The dataset's size is rounded down to a multiple of this before it is divided; 0 does not round.")),
          intField("sampler.selected_ratio", 0, 0, kMost, "",
                   marked("fields", "Each rank keeps the dataset's size divided by this; 0 is the world size.")),
      },
      {marked("samplers", "A dataset of fewer than selected_round samples gives empty epochs."),
       marked("samplers", "The seed is the epoch alone: no seed of yours changes the order."),
       marked("samplers", "An epoch sees only about 1/num_repeats of the dataset's samples.")},
  };
  return kInfo;
}

double repeats(const PipelineSpec& spec) {
  return std::get<double>(parameter(spec, info(), "num_repeats"));
}

/// a // b of Python's floats, for a >= 0 and b > 0.
double floorDivide(double a, double b) {
  const double quotient = (a - std::fmod(a, b)) / b;
  const double floor = std::floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}

/// The first item of the repeated dataset whose place i // times is behind `place`.
std::int64_t endOfRun(std::int64_t place, double times) {
  const double product = static_cast<double>(place + 1) * times;
  auto end = static_cast<std::int64_t>(std::ceil(product));
  if (times == std::floor(times)) return end;
  const auto before = [&](std::int64_t item) {
    return floorDivide(static_cast<double>(item), times) <= static_cast<double>(place);
  };
  while (end > 0 && !before(end - 1)) --end;
  while (before(end)) ++end;
  return end;
}

/// Items of the repeated dataset, before padding.
std::int64_t repeatedSize(const PipelineSpec& spec) {
  return static_cast<std::int64_t>(std::ceil(repeats(spec) * static_cast<double>(spec.dataset.size)));
}

std::int64_t samplesPerRank(const PipelineSpec& spec) {
  const double all = static_cast<double>(spec.dataset.size) * repeats(spec);
  return static_cast<std::int64_t>(std::ceil(all / static_cast<double>(spec.worldSize())));
}

Result<void> check(const PipelineSpec& spec) {
  const std::int64_t size = repeatedSize(spec);
  if (samplesPerRank(spec) * spec.worldSize() - size <= size) return {};
  return raised("AssertionError", "", "dataset.size",
                worded("checks", "use no more than twice as many ranks as repeated samples"));
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  const bool shuffle = boolParameter(spec, info(), "shuffle");
  return {info().type + (shuffle ? "" : ":sequential"), shuffle ? static_cast<std::uint64_t>(epoch.value) : 0, 0};
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const bool shuffle = boolParameter(spec, info(), "shuffle");
  auto drawn = torchOrder(spec, {shuffle ? kRandperm : kSequential, key.seed, 0}, work);
  if (!drawn) return drawn;
  auto ids = LargeArray<std::uint32_t>::make(static_cast<std::size_t>(repeatedSize(spec)), "an order");
  if (!ids) return ids.error();
  const std::span<std::uint32_t> items = ids->items();
  const double times = repeats(spec);
  constexpr std::int64_t kLookEvery = 1 << 18;
  std::size_t from = 0;
  for (std::int64_t place = 0; from < items.size(); ++place) {
    if (place % kLookEvery == 0 && work.stopped()) return cancelled();
    const auto to = std::min(items.size(), static_cast<std::size_t>(endOfRun(place, times)));
    for (; from < to; ++from) items[from] = static_cast<std::uint32_t>((**drawn)[place]);
  }
  return Order::of(std::move(*ids));
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  const std::int64_t count = std::min(timmRepeatAugLength(spec), samplesPerRank(spec));
  const std::int64_t unpadded = stridedSamples(repeatedSize(spec), spec.worldSize(), rank.value);
  return {count, std::max<std::int64_t>(0, count - unpadded)};
}

}  // namespace
}  // namespace timm_repeat_aug_sampler

std::int64_t timmRepeatAugLength(const PipelineSpec& spec) {
  using namespace timm_repeat_aug_sampler;
  const std::int64_t given = intParameter(spec, info(), "selected_ratio");
  const std::int64_t ratio = given == 0 ? spec.worldSize() : given;
  const std::int64_t round = intParameter(spec, info(), "selected_round");
  const std::int64_t size = spec.dataset.size;
  return round > 0 ? size / round * round / ratio : distributedSamples(size, ratio, false);
}

SamplerRule timmRepeatAugSampler() {
  using namespace timm_repeat_aug_sampler;
  return {.info = info(),
          .traits = {.shuffle = "shuffle"},
          .claims =
              [](const PipelineSpec&) { return SamplerClaims{.divides = true, .in_order = RepeatCause::RepeatFactor}; },
          .unread = always<MissingCause::CutBySampler>,
          .left_out = always<MissingCause::CutBySampler>,
          .check = check,
          .key = key,
          .order = order,
          .slice = stridedSlice<shape>,
          .shape = shape};
}

}  // namespace shardlens::sampling
