// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/megatron/consumed.h"
#include "core/sampling/megatron/samplers.h"
#include "core/sampling/python.h"
#include "core/sampling/torch/order.h"
#include "core/spec/field_table.h"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace shardlens::sampling {
namespace megatron_pretraining_random_sampler {
namespace {

const std::string kBuckets = "megatron buckets";
const std::string kWhole = "megatron whole";
const std::string kCut = "megatron cut to steps";
const std::string kMisaligned = "megatron misaligned";

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "megatron.MegatronPretrainingRandomSampler",
      marked("samplers",
             "Permutes the dataset by the epoch number alone, and continues at consumed_samples; the cyclic data "
             "loader of Megatron-LM."),
      {megatronConsumedField(), boolField("sampler.data_sharding", true,
                                          marked("fields",
                                                 "Each rank permutes its own contiguous part of the dataset; if off, "
                                                 "all ranks stride through one permutation."))},
      {marked("samplers", "The seed is the epoch number alone: every run has the same order."),
       marked("samplers",
              "With data_sharding all ranks use the same permutation inside their parts, and no rank ever sees another "
              "rank's part."),
       marked("samplers",
              "Another data-parallel size or micro batch after a checkpoint changes the rest of the epoch: some "
              "samples are repeated, some are never read."),
       marked("samplers",
              "If consumed_samples is not a multiple of micro_batch_size times the data-parallel size within its "
              "epoch, an assertion without a message fails."),
       marked("samplers", "A dataset smaller than one step causes a division by zero.")},
  };
  return kInfo;
}

const std::string kBefore = "before_2026-09-03";

const SamplerInfo& bridgeInfo() {
  static const SamplerInfo kInfo = {
      "megatron_bridge.MegatronPretrainingRandomSampler",
      marked("samplers",
             "Megatron-LM's MegatronPretrainingRandomSampler, and what Megatron-Bridge made of it on 2026-09-03: one "
             "permutation of the whole dataset, cut to whole steps."),
      {megatronConsumedField(),
       boolField("sampler.data_sharding", true,
                 marked("fields",
                        "Each rank permutes its own contiguous part of the dataset; if off, all ranks stride through "
                        "one permutation.")),
       choiceField("sampler.release", kBefore, {kBefore, "since_2026-09-03"},
                   marked("fields", "Whether the code has PR 5944; it matters with data_sharding off."))},
      {marked("samplers", "The seed is the epoch number alone: every run has the same order."),
       marked("samplers",
              "Before PR 5944, with data_sharding off, ranks can get different numbers of batches; their counts of "
              "consumed samples, and then their epochs, part."),
       marked("samplers",
              "The rule since PR 5944 is taken from its description: no recorded outputs of that release judge it."),
       marked("samplers", "A dataset smaller than one step causes a division by zero.")},
  };
  return kInfo;
}

/// Whether all ranks stride through a permutation of the whole dataset of which only whole steps are read.
bool cutsToSteps(const PipelineSpec& spec) {
  const auto release = spec.sampler.parameters.find("release");
  return release != spec.sampler.parameters.end() && release->second != Value(kBefore);
}

bool inBuckets(const PipelineSpec& spec) {
  return boolParameter(spec, info(), "data_sharding");
}

/// Where a pass begins: the epoch that seeds it, and how much of it was consumed before.
struct Pass {
  std::int64_t epoch = 0;
  std::int64_t done = 0;

  [[nodiscard]] bool isAligned(const PipelineSpec& spec) const { return done % megatronStepSamples(spec) == 0; }
};

std::int64_t activeSamples(const PipelineSpec& spec) {
  return spec.dataset.size - spec.dataset.size % megatronStepSamples(spec);
}

/// Samples of one rank's stretch, or of the permutation that all ranks share.
std::int64_t bucketSize(const PipelineSpec& spec) {
  const std::int64_t micro = spec.loader.batch_size;
  if (inBuckets(spec)) return spec.dataset.size / megatronStepSamples(spec) * micro;
  if (cutsToSteps(spec)) return spec.dataset.size;
  return spec.dataset.size / micro * micro;
}

/// How much of the permutation that all ranks share is read.
std::int64_t readFrom(const PipelineSpec& spec) {
  return cutsToSteps(spec) ? activeSamples(spec) : bucketSize(spec);
}

std::int64_t batchesOf(const PipelineSpec& spec, const Pass& pass, Rank rank) {
  if (!pass.isAligned(spec)) return 0;
  const std::int64_t ranks = spec.world.dataParallelSize();
  const std::int64_t samples =
      inBuckets(spec) ? bucketSize(spec) - pass.done / ranks
                      : stridedSamples(readFrom(spec) - pass.done, ranks, spec.world.dataParallelRankOf(rank));
  return samples / spec.loader.batch_size;
}

/// The object's own consumed_samples grows with every batch it yields, on each rank by itself, and the next pass begins
/// with it. A rank that reads a batch more than others of a permutation that all share begins the next pass as much
/// later.
Pass passOf(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  const std::int64_t active = activeSamples(spec);
  std::int64_t consumed = megatronConsumed(spec);
  Pass pass{consumed / active, consumed % active};
  for (std::int64_t left = epoch.value; left > 0 && pass.isAligned(spec); --left) {
    consumed += batchesOf(spec, pass, rank) * megatronStepSamples(spec);
    const Pass next{consumed / active, consumed % active};
    // A pass that begins where the one before began reads as much as it, and so do all that follow.
    if (next.done == pass.done) return {next.epoch + (left - 1) * (next.epoch - pass.epoch), next.done};
    pass = next;
  }
  return pass;
}

Result<void> check(const PipelineSpec& spec) {
  if (auto dataset = checkMegatronDataset(spec); !dataset) return dataset;
  if (activeSamples(spec) > 0) return {};
  return raised("ZeroDivisionError", "integer division or modulo by zero", "dataset.size",
                worded("checks", "the dataset has fewer samples than micro_batch_size times the data-parallel size"));
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  const Pass pass = passOf(spec, epoch, rank);
  if (!pass.isAligned(spec)) return {kMisaligned, 0, 0};
  const std::string& recipe = inBuckets(spec) ? kBuckets : cutsToSteps(spec) ? kCut : kWhole;
  return {recipe, static_cast<std::uint64_t>(pass.epoch), 0};
}

/// Every rank's stretch behind each other: the same permutation, moved.
Result<OrderPtr> spread(const PipelineSpec& spec, const LargeArray<std::uint32_t>& bucket, const Work& work) {
  const std::span<const std::uint32_t> one = bucket.items();
  auto all =
      LargeArray<std::uint32_t>::make(one.size() * static_cast<std::size_t>(spec.world.dataParallelSize()), "an order");
  if (!all) return all.error();
  std::size_t at = 0;
  for (std::int64_t rank = 0; rank < spec.world.dataParallelSize(); ++rank) {
    if (work.stopped()) return cancelled();
    const auto start = static_cast<std::uint32_t>(rank * bucketSize(spec));
    for (const std::uint32_t id : one) all->items()[at++] = start + id;
  }
  return Order::of(std::move(*all));
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  if (key.recipe == kMisaligned) {
    return raised(
        "AssertionError", "", "sampler.consumed_samples",
        filled(worded("checks",
                      "within its epoch it must be a multiple of micro_batch_size times the data-parallel size, %1"),
               std::to_string(megatronStepSamples(spec))));
  }
  const std::int64_t size = bucketSize(spec);
  TorchGenerator generator(key.seed);
  auto ids = torchPermutation(size, randpermRule(spec, size), generator, work);
  if (!ids) return ids.error();
  return key.recipe == kBuckets ? spread(spec, *ids, work) : Result<OrderPtr>(Order::of(std::move(*ids)));
}

SliceShape shape(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  return {batchesOf(spec, passOf(spec, epoch, rank), rank) * spec.loader.batch_size, 0};
}

Slice slice(const PipelineSpec& spec, Epoch epoch, Rank rank, OrderPtr order) {
  const Pass pass = passOf(spec, epoch, rank);
  const std::int64_t ranks = spec.world.dataParallelSize();
  const std::int64_t replica = spec.world.dataParallelRankOf(rank);
  const std::int64_t count = batchesOf(spec, pass, rank) * spec.loader.batch_size;
  const std::int64_t size = order->size();
  if (inBuckets(spec)) return {std::move(order), replica * bucketSize(spec) + pass.done / ranks, 1, count, size};
  return {std::move(order), pass.done + replica, ranks, count, size};
}

Batching batching(const PipelineSpec& spec) {
  return Batching::ofSize(spec.loader.batch_size, true);
}

SamplerClaims claims(const PipelineSpec& /*spec*/) {
  return {.divides = true};
}

UnreadCause unread(const PipelineSpec& spec, Epoch epoch) {
  const std::int64_t done = passOf(spec, epoch, Rank{0}).done;
  const std::int64_t before = inBuckets(spec) ? done / spec.world.dataParallelSize() : done;
  const std::int64_t bucket = inBuckets(spec) ? bucketSize(spec) : std::numeric_limits<std::int64_t>::max();
  return [before, bucket, skipped = megatronSkipped(epoch)](std::int64_t place) {
    return place % bucket < before ? skipped : MissingCause::CutBySampler;
  };
}

}  // namespace
}  // namespace megatron_pretraining_random_sampler

SamplerRule megatronPretrainingRandomSampler() {
  using namespace megatron_pretraining_random_sampler;
  return {.info = info(),
          .traits = {.consumed = "consumed_samples", .knows_peers = true},
          .claims = claims,
          .unread = unread,
          .left_out = always<MissingCause::CutBySampler>,
          .check = check,
          .key = key,
          .order = order,
          .slice = slice,
          .shape = shape,
          .batching = batching};
}

SamplerRule megatronBridgePretrainingRandomSampler() {
  using namespace megatron_pretraining_random_sampler;
  SamplerRule rule = megatronPretrainingRandomSampler();
  rule.info = bridgeInfo();
  return rule;
}

}  // namespace shardlens::sampling
