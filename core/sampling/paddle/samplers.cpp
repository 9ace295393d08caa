// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/random/numpy_legacy.h"
#include "core/random/numpy_permutation.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/numpy_global.h"
#include "core/sampling/python.h"
#include "core/sampling/rules.h"
#include "core/sampling/torch/weights.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::sampling {
namespace paddle_distributed_batch_sampler {
namespace {

constexpr std::int64_t kMostSeed = std::numeric_limits<std::uint32_t>::max();
const std::string kInOrder = "paddle in order";

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "paddle.DistributedBatchSampler",
      marked("samplers",
             "Repeats the first samples until all ranks have the same number, then permutes, and deals batches to the "
             "ranks in turn; Paddle's usual sampler."),
      {
          boolField("sampler.shuffle", false,
                    marked("fields", "Permute the padded dataset in every epoch, seeded by the epoch number alone.")),
          intField("sampler.epoch", 0, INT64_MIN / 2, INT64_MAX / 2, "",
                   marked("fields",
                          "The epoch number of the first pass, as set_epoch gave it; each shuffled pass raises it by "
                          "1.")),
      },
      {marked("samplers",
              "It pads before it shuffles: the repeated samples are spread over all ranks and steps, so an evaluation "
              "cannot cut them off at the end."),
       marked("samplers",
              "It raises its epoch number itself: forgetting set_epoch does no harm, but a restarted job begins with "
              "epoch 0 again, whatever its checkpoint says."),
       marked("samplers", "The seed is the epoch number alone: no seed of yours changes the order."),
       marked("samplers", "It does not shuffle unless shuffle is given.")},
  };
  return kInfo;
}

std::int64_t samplesOf(const PipelineSpec& spec) {
  return distributedSamples(spec.dataset.size, spec.worldSize(), false);
}

Error badSeed() {
  return raised("ValueError", "Seed must be between 0 and 2**32 - 1", "sampler.epoch",
                worded("checks", "NumPy takes no other epoch number as its seed"));
}

/// The first pass; a later one may raise when it is iterated.
Result<void> check(const PipelineSpec& spec) {
  const std::int64_t first = intParameter(spec, info(), "epoch");
  if (!boolParameter(spec, info(), "shuffle") || (first >= 0 && first <= kMostSeed)) return {};
  return badSeed();
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  if (!boolParameter(spec, info(), "shuffle")) return {kInOrder, 0, 0};
  return {info().type, static_cast<std::uint64_t>(intParameter(spec, info(), "epoch") + epoch.value), 0};
}

/// Writes the ids of the places that rank after rank gets: blocks of a batch in turn, the last round in equal parts.
Result<void> deal(const PipelineSpec& spec, std::span<const std::uint32_t> places, std::span<std::uint32_t> out,
                  std::vector<std::int64_t>& padded, const Work& work) {
  const std::int64_t ranks = spec.worldSize();
  const std::int64_t batch = spec.loader.batch_size;
  const auto total = static_cast<std::int64_t>(places.size());
  const std::int64_t rounds = total / (batch * ranks);
  const std::int64_t last = total % (batch * ranks) / ranks;
  const auto size = static_cast<std::uint32_t>(spec.dataset.size);
  std::size_t at = 0;
  const auto write = [&](std::int64_t place) {
    const std::uint32_t drawn = places[static_cast<std::size_t>(place)];
    if (drawn >= size) padded.push_back(static_cast<std::int64_t>(at));
    out[at++] = drawn % size;
  };
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    for (std::int64_t round = 0; round < rounds; ++round) {
      if (round % 1024 == 0 && work.stopped()) return cancelled();
      for (std::int64_t i = 0; i < batch; ++i) write((round * ranks + rank) * batch + i);
    }
    for (std::int64_t i = 0; i < last; ++i) write(rounds * ranks * batch + rank * last + i);
  }
  return {};
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  if (key.recipe != kInOrder && key.seed > static_cast<std::uint64_t>(kMostSeed)) return badSeed();
  const auto total = static_cast<std::size_t>(samplesOf(spec) * spec.worldSize());
  auto places = LargeArray<std::uint32_t>::make(total, "an order");
  if (!places) return places.error();
  std::iota(places->items().begin(), places->items().end(), 0U);
  if (key.recipe != kInOrder) {
    NumpyLegacy numpy(static_cast<std::uint32_t>(key.seed));
    if (auto done = numpyShuffle(numpy, places->items(), work.part(0, 0.8)); !done) return done.error();
  }
  auto ids = LargeArray<std::uint32_t>::make(total, "an order");
  if (!ids) return ids.error();
  Deal dealt;
  if (auto done = deal(spec, places->items(), ids->items(), dealt.padded, work.part(0.8, 1)); !done)
    return done.error();
  for (std::int64_t rank = 0; rank < spec.worldSize(); ++rank)
    dealt.shares.push_back({rank * samplesOf(spec), samplesOf(spec)});
  return Order::dealt(Order::of(std::move(*ids)), std::move(dealt));
}

}  // namespace
}  // namespace paddle_distributed_batch_sampler

SamplerRule paddleDistributedBatchSampler() {
  using namespace paddle_distributed_batch_sampler;
  return {.info = info(),
          .traits = {.shuffle = "shuffle"},
          .claims = [](const PipelineSpec&) { return SamplerClaims{.divides = true}; },
          .check = check,
          .key = key,
          .order = order};
}

namespace paddle_random_samplers {
namespace {

const char* const kNothingDivides =
    marked("samplers",
           "Every rank draws from all samples: nothing divides them, and ranks with equal NumPy seeds draw identical "
           "batches.");
const char* const kGlobalStream = marked(
    "samplers", "All draws come from NumPy's global stream: any other draw from it shifts the following epochs.");

/// By whether it draws with replacement.
template <bool (*replaces)(const PipelineSpec&)>
SamplerClaims claims(const PipelineSpec& spec) {
  return repeatsFor(replaces(spec) ? RepeatCause::Replacement : RepeatCause::NotExplained);
}

/// The pass behind key.skip others.
template <class Draw>
Result<OrderPtr> orderOf(const OrderKey& key, const Work& work, Draw draw) {
  if (auto seed = checkNumpySeed(key.seed); !seed) return seed.error();
  NumpyLegacy numpy(static_cast<std::uint32_t>(key.seed));
  std::vector<std::int64_t> ids;
  for (std::uint64_t pass = 0; pass <= key.skip; ++pass) {
    if (work.stopped()) return cancelled();
    work.progress(static_cast<double>(pass) / static_cast<double>(key.skip + 1));
    ids = draw(numpy);
  }
  return Order::of(std::move(ids));
}

namespace plain {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "paddle.RandomSampler",
      marked("samplers",
             "Permutes the dataset, or draws from it with replacement, on every rank by NumPy's global "
             "stream."),
      {replacementField(), numSamplesField()},
      {kNothingDivides, kGlobalStream},
  };
  return kInfo;
}

bool replaces(const PipelineSpec& spec) {
  return boolParameter(spec, info(), "replacement");
}

std::int64_t countOf(const PipelineSpec& spec) {
  return intParameterOr(spec, info(), "num_samples", spec.dataset.size);
}

Result<void> check(const PipelineSpec& spec) {
  const std::int64_t count = countOf(spec);
  if (count <= 0) {
    return raised(
        "ValueError", "num_samples should be a positive integer, but got num_samples=" + std::to_string(count),
        spec.dataset.size == 0 ? "dataset.size" : "sampler.num_samples", worded("checks", "draw at least 1 sample"));
  }
  if (!replaces(spec) && count > spec.dataset.size) {
    return raised("ValueError",
                  "num_samples should be smaller than or equal to length of data_source when replacement is False, but "
                  "got num_samples: " +
                      std::to_string(count) + " > data_source: " + std::to_string(spec.dataset.size),
                  "sampler.num_samples", worded("checks", "draw fewer, or switch sampler.replacement on"));
  }
  return checkNumpyChoice(spec.dataset.size, count, replaces(spec));
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  return orderOf(key, work, [&](NumpyLegacy& numpy) {
    return numpy.choice(spec.dataset.size, static_cast<std::size_t>(countOf(spec)), replaces(spec));
  });
}

bool whole(const PipelineSpec& spec) {
  return !replaces(spec) && countOf(spec) == spec.dataset.size;
}

}  // namespace plain

namespace weighted {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "paddle.WeightedRandomSampler",
      marked("samplers", "Draws samples on every rank by given weights, from NumPy's global stream."),
      weightedFields(),
      {kNothingDivides, kGlobalStream},
  };
  return kInfo;
}

bool replaces(const PipelineSpec& spec) {
  return boolParameter(spec, info(), "replacement");
}

std::int64_t countOf(const PipelineSpec& spec) {
  return intParameterOr(spec, info(), "num_samples", categoriesOf(spec, info()));
}

Error badWeights(const char* message, std::string hint) {
  return raised("AssertionError", message, "sampler.weights", std::move(hint));
}

Result<void> check(const PipelineSpec& spec) {
  if (countOf(spec) <= 0) {
    return raised("ValueError", "num_samples should be a positive integer",
                  categoriesOf(spec, info()) == 0 ? "dataset.size" : "sampler.num_samples",
                  worded("checks", "draw at least 1 sample"));
  }
  if (auto fit = checkWeightCount(spec, categoriesOf(spec, info())); !fit) return fit;
  const auto weights = weightsOf(givenWeights(spec, info()), spec.dataset.size);
  if (!weights) return weights.error();
  const std::span<const double> items = weights->items();
  if (std::ranges::any_of(items, [](double weight) { return !(weight >= 0); }))
    return badWeights("weights should be positive value", worded("checks", "give weights of 0 or more"));
  if (std::ranges::any_of(items, [](double weight) { return std::isinf(weight); }))
    return badWeights("weights shoule not be INF", worded("checks", "give finite weights"));
  const auto positive = std::ranges::count_if(items, [](double weight) { return weight > 0; });
  if (positive == 0)
    return badWeights("weights should have positive values", worded("checks", "give a weight above 0"));
  if (replaces(spec) || positive >= countOf(spec)) return {};
  return raised("AssertionError",
                "weights positive value number should not less than num_samples when replacement=False",
                "sampler.num_samples", worded("checks", "draw fewer, or switch sampler.replacement on"));
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const auto weights = weightsOf(givenWeights(spec, info()), spec.dataset.size);
  if (!weights) return weights.error();
  std::vector<double> shares(weights->items().begin(), weights->items().end());
  const double sum = numpySum(shares);
  for (double& share : shares) share /= sum;
  return orderOf(key, work, [&](NumpyLegacy& numpy) {
    return numpy.choice(shares, static_cast<std::size_t>(countOf(spec)), replaces(spec));
  });
}

}  // namespace weighted
}  // namespace
}  // namespace paddle_random_samplers

SamplerRule paddleRandomSampler() {
  using namespace paddle_random_samplers;
  return {.info = plain::info(),
          .traits = {.replacement = "replacement", .num_samples = "num_samples", .draws_from_numpy = true},
          .claims = claims<plain::replaces>,
          .left_out = always<MissingCause::NotDrawn>,
          .check = plain::check,
          .key = numpyGlobalKey<plain::info>,
          .order = plain::order,
          .whole = plain::whole,
          .slice = wholeOrder,
          .shape = sameShape<plain::countOf>,
          .same_shapes = true,
          .check_rank = checkNumpyRankSeed};
}

SamplerRule paddleWeightedRandomSampler() {
  using namespace paddle_random_samplers;
  return {.info = weighted::info(),
          .traits = {.replacement = "replacement", .num_samples = "num_samples", .draws_from_numpy = true},
          .claims = claims<weighted::replaces>,
          .left_out = notDrawnByWeight<weighted::info>,
          .check = weighted::check,
          .key = numpyGlobalKey<weighted::info>,
          .order = weighted::order,
          .slice = wholeOrder,
          .shape = sameShape<weighted::countOf>,
          .same_shapes = true,
          .check_rank = checkNumpyRankSeed};
}

}  // namespace shardlens::sampling
