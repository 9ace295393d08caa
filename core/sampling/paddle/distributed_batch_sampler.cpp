// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/random/numpy_permutation.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/python.h"
#include "core/sampling/rules.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

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

SamplerClaims claims(const PipelineSpec& /*spec*/) {
  return {.divides = true};
}

}  // namespace
}  // namespace paddle_distributed_batch_sampler

SamplerRule paddleDistributedBatchSampler() {
  using namespace paddle_distributed_batch_sampler;
  return {
      .info = info(), .traits = {.shuffle = "shuffle"}, .claims = claims, .check = check, .key = key, .order = order};
}

}  // namespace shardlens::sampling
