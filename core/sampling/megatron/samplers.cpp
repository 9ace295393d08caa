// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/megatron/samplers.h"

#include "core/base/phrase.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/python.h"
#include "core/sampling/script_seed.h"
#include "core/sampling/torch/arguments.h"
#include "core/sampling/torch/order.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::sampling {
namespace {

/// How many samples of all ranks were trained on, according to the checkpoint.
Field megatronConsumedField() {
  return intField("sampler.consumed_samples", 0, 0, INT64_MAX / 2, "samples",
                  marked("fields", "Samples that all ranks together had trained on when the checkpoint was written."));
}

std::int64_t megatronConsumed(const PipelineSpec& spec) {
  const auto* consumed = spec.sampler.said<std::int64_t>("consumed_samples");
  return consumed == nullptr ? 0 : *consumed;
}

/// Why an epoch does not begin with its first samples: in the first one they were read before the checkpoint; later the
/// object still has its count, which no epoch resets.
MissingCause megatronSkipped(Epoch epoch) {
  return epoch.value == 0 ? MissingCause::HandedOutBefore : MissingCause::CountCarriedOver;
}

Field megatronDropLastField() {
  return boolField("sampler.drop_last", true,
                   marked("fields", "Leave out the samples that do not fill a batch on every rank."));
}

/// micro_batch_size * data_parallel_size: samples that all ranks take in one step.
std::int64_t megatronStepSamples(const PipelineSpec& spec) {
  return spec.loader.batch_size * spec.world.dataParallelSize();
}

Result<void> checkMegatronDataset(const PipelineSpec& spec) {
  if (spec.dataset.size > 0) return {};
  return raised("AssertionError", "no sample to consume: 0", "dataset.size");
}

/// Also that the checkpoint leaves something to read.
Result<void> checkMegatronConsumed(const PipelineSpec& spec) {
  if (auto dataset = checkMegatronDataset(spec); !dataset) return dataset;
  const std::int64_t consumed = megatronConsumed(spec);
  if (consumed < spec.dataset.size) return {};
  return raised("AssertionError",
                "no samples left to consume: " + std::to_string(consumed) + ", " + std::to_string(spec.dataset.size),
                "sampler.consumed_samples",
                worded("checks", "the checkpoint had read the whole dataset: begin another pass with 0"));
}

}  // namespace

Error megatronRankTooLarge(std::int64_t rank, std::int64_t ranks) {
  return raised("AssertionError", "data_parallel_rank should be smaller than data size: " + std::to_string(rank) +
                                      ", " + std::to_string(ranks));
}

namespace megatron_pretraining_sampler {
namespace {

/// How the samples that are left fall into steps.
struct Rounds {
  std::int64_t first = 0;  ///< sample that the pass begins with
  std::int64_t whole = 0;  ///< steps that are full on every rank
  std::int64_t tail = 0;   ///< samples of the short last step, all ranks together; 0 when it is dropped
  std::int64_t step = 0;   ///< samples of a full step, all ranks together

  [[nodiscard]] std::int64_t steps() const { return whole + (tail > 0 ? 1 : 0); }
};

Rounds roundsOf(const PipelineSpec& spec, std::int64_t step, bool drop_last) {
  const std::int64_t first = megatronConsumed(spec);
  const std::int64_t left = std::max<std::int64_t>(0, spec.dataset.size - first);
  return {first, left / step, drop_last ? 0 : left % step, step};
}

/// Items of a rank in the short last step: its pieces of micro_batch_size, as far as there are samples.
std::int64_t tailOf(const PipelineSpec& spec, const Rounds& rounds, Rank rank) {
  const Slice all({}, spec.world.dataParallelRankOf(rank) * spec.loader.batch_size, megatronStepSamples(spec),
                  rounds.step, 0, spec.loader.batch_size);
  return all.countBelow(rounds.tail);
}

std::int64_t countOf(const PipelineSpec& spec, const Rounds& rounds, Rank rank) {
  return rounds.whole * (rounds.step / spec.world.dataParallelSize()) + tailOf(spec, rounds, rank);
}

template <Rounds (*rounds)(const PipelineSpec&)>
SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  return {countOf(spec, rounds(spec), rank), 0};
}

template <Rounds (*rounds)(const PipelineSpec&)>
Slice slice(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank, OrderPtr order) {
  const Rounds own = rounds(spec);
  const std::int64_t size = order->size();
  return {std::move(order),
          own.first + spec.world.dataParallelRankOf(rank) * spec.loader.batch_size,
          megatronStepSamples(spec),
          countOf(spec, own, rank),
          size,
          spec.loader.batch_size};
}

SamplerClaims claims(const PipelineSpec& /*spec*/) {
  return {.divides = true, .has_empty_batches = true};
}

/// Every epoch begins with consumed_samples: iterating does not move it.
UnreadCause unread(const PipelineSpec& spec, Epoch epoch) {
  const std::int64_t first = megatronConsumed(spec);
  return [first, skipped = megatronSkipped(epoch)](std::int64_t place) {
    return place < first ? skipped : MissingCause::CutBySampler;
  };
}

namespace plain {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "megatron.MegatronPretrainingSampler",
      marked("samplers",
             "Reads the dataset in order from consumed_samples on; each rank takes its micro batch of every step."),
      {megatronConsumedField(), megatronDropLastField()},
      {marked("samplers", "len() is the number of samples, not of batches."),
       marked("samplers", "With drop_last off, ranks get a short or an empty micro batch in the last step."),
       marked("samplers", "It does not shuffle: in Megatron-LM the dataset's own index does."),
       marked("samplers",
              "Another data-parallel size or micro batch after a checkpoint gives the rest to other ranks; nothing is "
              "lost or repeated as long as consumed_samples is right.")},
  };
  return kInfo;
}

Rounds rounds(const PipelineSpec& spec) {
  return roundsOf(spec, megatronStepSamples(spec), boolParameter(spec, info(), "drop_last"));
}

Batching batching(const PipelineSpec& spec) {
  return Batching::ofSize(spec.loader.batch_size, false).atLeast(rounds(spec).steps());
}

}  // namespace plain

namespace bridge {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "megatron_bridge.MegatronPretrainingSampler",
      marked("samplers",
             "Megatron-LM's MegatronPretrainingSampler, which with drop_last off refuses a last step that is not full "
             "on every rank."),
      {megatronConsumedField(), megatronDropLastField()},
      {marked("samplers",
              "drop_last off raises a ValueError before the first batch if the rest of the dataset is no whole number "
              "of steps and there are several ranks (Megatron-Bridge PR 5527)."),
       marked("samplers", "len() is the number of samples, not of batches."),
       marked("samplers", "It does not shuffle.")},
  };
  return kInfo;
}

Result<void> check(const PipelineSpec& spec) {
  if (auto consumed = checkMegatronConsumed(spec); !consumed) return consumed;
  const std::int64_t left = spec.dataset.size - megatronConsumed(spec);
  const bool partial = left % megatronStepSamples(spec) != 0;
  if (boolParameter(spec, info(), "drop_last") || spec.world.dataParallelSize() == 1 || !partial) return {};
  return raised("ValueError",
                "drop_last=False is unsupported for a partial distributed batch with dataloader_type='single': " +
                    std::to_string(left) + " remaining samples are not divisible by micro_batch_size (" +
                    std::to_string(spec.loader.batch_size) + ") x data_parallel_size (" +
                    std::to_string(spec.world.dataParallelSize()) + ").",
                "sampler.drop_last", worded("checks", "switch it on"));
}

}  // namespace bridge

namespace hybrid {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "megatron.HybridCPMegatronPretrainingSampler",
      marked("samplers",
             "MegatronPretrainingSampler for hybrid context parallelism: a step is a whole global batch, of which each "
             "rank takes all its micro batches at once."),
      {megatronConsumedField(),
       intOrNameField("sampler.global_batch_size", "one micro batch a rank", 1, INT64_MAX / 2, "samples",
                      marked("fields", "Samples that all ranks together take in one step.")),
       megatronDropLastField()},
      {marked("samplers",
              "A global batch that is not a multiple of micro_batch_size times the data-parallel size is rounded down; "
              "if it is smaller than that, nothing is read."),
       marked("samplers", "len() is the number of samples, not of batches.")},
  };
  return kInfo;
}

/// Of each rank in a step; 0 where the global batch is smaller than one of each.
std::int64_t microBatches(const PipelineSpec& spec) {
  const auto given = intIfGiven(spec, info(), "global_batch_size");
  return given ? *given / megatronStepSamples(spec) : 1;
}

Rounds rounds(const PipelineSpec& spec) {
  const bool drop_last = boolParameter(spec, info(), "drop_last");
  const std::int64_t micro_batches = microBatches(spec);
  if (micro_batches > 0) return roundsOf(spec, micro_batches * megatronStepSamples(spec), drop_last);
  // No step is ever full; the short last one takes nothing out of what was read.
  Rounds none = roundsOf(spec, megatronStepSamples(spec), true);
  none.whole = 0;
  return none;
}

Batching batching(const PipelineSpec& spec) {
  const std::int64_t size = std::max<std::int64_t>(1, microBatches(spec)) * spec.loader.batch_size;
  const bool one_empty = microBatches(spec) == 0 && !boolParameter(spec, info(), "drop_last");
  return Batching::ofSize(size, false).atLeast(one_empty ? 1 : rounds(spec).steps());
}

UnreadCause unreadOrNoStep(const PipelineSpec& spec, Epoch epoch) {
  if (microBatches(spec) > 0) return unread(spec, epoch);
  const std::int64_t first = megatronConsumed(spec);
  return [first, skipped = megatronSkipped(epoch)](std::int64_t place) {
    return place < first ? skipped : MissingCause::NoWholeStep;
  };
}

}  // namespace hybrid
}  // namespace
}  // namespace megatron_pretraining_sampler

SamplerRule megatronPretrainingSampler() {
  using namespace megatron_pretraining_sampler;
  return {.info = plain::info(),
          .traits = {.drop_last = "drop_last", .consumed = "consumed_samples", .knows_peers = true},
          .in_order = true,
          .claims = claims,
          .unread = unread,
          .check = checkMegatronConsumed,
          .key = sequentialKey,
          .order = torchOrder,
          .slice = slice<plain::rounds>,
          .shape = shape<plain::rounds>,
          .batching = plain::batching};
}

SamplerRule megatronBridgePretrainingSampler() {
  using namespace megatron_pretraining_sampler;
  SamplerRule rule = megatronPretrainingSampler();
  rule.info = bridge::info();
  rule.check = bridge::check;
  return rule;
}

SamplerRule hybridCpMegatronPretrainingSampler() {
  using namespace megatron_pretraining_sampler;
  return {.info = hybrid::info(),
          .traits = {.drop_last = "drop_last",
                     .consumed = "consumed_samples",
                     .global_batch = "global_batch_size",
                     .knows_peers = true},
          .in_order = true,
          .claims = claims,
          .unread = hybrid::unreadOrNoStep,
          .check = checkMegatronConsumed,
          .key = sequentialKey,
          .order = torchOrder,
          .slice = slice<hybrid::rounds>,
          .shape = shape<hybrid::rounds>,
          .batching = hybrid::batching};
}

namespace megatron_full_validation_sampler {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "megatron.MegatronFullValidationSampler",
      marked("samplers", "Every sample once, in order: one per rank and step, whatever the micro batch."),
      {},
      {marked("samplers",
              "Ranks have uneven numbers of steps when the dataset's size is not a multiple of the data-parallel size: "
              "a collective in the last step hangs."),
       marked("samplers", "The micro batch size of the loader is not used.")},
  };
  return kInfo;
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  return {stridedSamples(spec.dataset.size, spec.world.dataParallelSize(), spec.world.dataParallelRankOf(rank)), 0};
}

Slice slice(const PipelineSpec& spec, Epoch epoch, Rank rank, OrderPtr order) {
  const std::int64_t size = order->size();
  return {std::move(order), spec.world.dataParallelRankOf(rank), spec.world.dataParallelSize(),
          shape(spec, epoch, rank).count, size};
}

}  // namespace
}  // namespace megatron_full_validation_sampler

SamplerRule megatronFullValidationSampler() {
  using namespace megatron_full_validation_sampler;
  return {.info = info(),
          .traits = {.knows_peers = true},
          .in_order = true,
          .claims = [](const PipelineSpec&) { return SamplerClaims{.divides = true, .evaluates = true}; },
          .check = checkMegatronDataset,
          .key = sequentialKey,
          .order = torchOrder,
          .slice = slice,
          .shape = shape,
          .batching = [](const PipelineSpec&) { return Batching::ofSize(1, false); }};
}

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
  const auto* release = spec.sampler.said<std::string>("release");
  return release != nullptr && *release != kBefore;
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
  auto ids = torchPermutation(spec, size, generator, work);
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
          .claims = [](const PipelineSpec&) { return SamplerClaims{.divides = true}; },
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

namespace megatron_pretraining_batch_sampler {
namespace {

const std::string kInOrder = "megatron_bridge batches in order";
const std::string kShuffled = "megatron_bridge batches";
const std::string kOverflow = "megatron_bridge seed beyond 2^64";

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "megatron_bridge.MegatronPretrainingBatchSampler",
      marked("samplers",
             "Deals whole global batches for fine-tuning: sample by sample to the ranks in turn, all micro batches of "
             "a rank at once."),
      {megatronConsumedField(),
       intOrNameField("sampler.global_batch_size", "one micro batch a rank", 1, INT64_MAX / 2, "samples",
                      marked("fields", "Samples that all ranks together take in one step.")),
       megatronDropLastField(),
       boolField("sampler.pad_samples_to_global_batch_size", false,
                 marked("fields",
                        "With drop_last off, fill the last global batch with -1, which stands for no sample; the plan "
                        "shows the samples only.")),
       shuffleField(),
       seedOrNameField("sampler.seed", "none", INT64_MIN, INT64_MAX,
                       marked("fields",
                              "Seed of the permutation; the epoch is added. none is what the process handed to "
                              "torch.manual_seed before."))},
      {marked("samplers",
              "Without a seed, processes that seed torch apart (pipeline stages of different models) permute "
              "differently, and ranks read shares of different orders."),
       marked("samplers",
              "With drop_last the epochs are counted in whole global batches: consumed_samples of another global batch "
              "size begins in the middle of one, and may read into the tail that is dropped otherwise."),
       marked("samplers",
              "With drop_last and padding off, a last global batch smaller than the number of ranks leaves the last "
              "ranks an empty batch."),
       marked("samplers", "Before PR 4601 the offset of a resumed run was applied again in every later epoch.")},
  };
  return kInfo;
}

std::int64_t globalBatch(const PipelineSpec& spec) {
  return intParameterOr(spec, info(), "global_batch_size", megatronStepSamples(spec));
}

bool pads(const PipelineSpec& spec) {
  return !boolParameter(spec, info(), "drop_last") && boolParameter(spec, info(), "pad_samples_to_global_batch_size");
}

/// By how much consumed_samples grows in a whole epoch.
std::int64_t epochSamples(const PipelineSpec& spec) {
  const std::int64_t batch = globalBatch(spec);
  if (boolParameter(spec, info(), "drop_last")) return spec.dataset.size / batch * batch;
  return pads(spec) ? distributedSamples(spec.dataset.size, batch, false) * batch : spec.dataset.size;
}

/// A pass: the epoch that seeds it, where it begins, and what it hands out. With drop_last it reads on behind the
/// epoch's last whole batch if it began in the middle of one.
struct Pass {
  std::int64_t epoch = 0;
  std::int64_t first = 0;
  std::int64_t whole = 0;  ///< global batches
  std::int64_t rest = 0;   ///< samples of a last one
};

Pass passFrom(const PipelineSpec& spec, std::int64_t consumed) {
  const std::int64_t batch = globalBatch(spec);
  const std::int64_t first = consumed % epochSamples(spec);
  const std::int64_t left = std::max<std::int64_t>(0, spec.dataset.size - first);
  return {consumed / epochSamples(spec), first, left / batch,
          boolParameter(spec, info(), "drop_last") ? 0 : left % batch};
}

std::int64_t consumedAfter(const PipelineSpec& spec, std::int64_t consumed) {
  const Pass pass = passFrom(spec, consumed);
  const std::int64_t last = pass.rest > 0 && pads(spec) ? globalBatch(spec) : pass.rest;
  return consumed + pass.whole * globalBatch(spec) + last;
}

Pass passOf(const PipelineSpec& spec, Epoch epoch) {
  return passFrom(spec, megatronBridgeConsumed(spec, epoch));
}

Result<void> check(const PipelineSpec& spec) {
  if (auto dataset = checkMegatronDataset(spec); !dataset) return dataset;
  const std::int64_t batch = globalBatch(spec);
  if (batch % megatronStepSamples(spec) != 0) {
    return raised("RuntimeError",
                  "`global_batch_size` (" + std::to_string(batch) + ") is not divisible by `micro_batch_size (" +
                      std::to_string(spec.loader.batch_size) + ") x data_parallel_size (" +
                      std::to_string(spec.world.dataParallelSize()) + ")`",
                  "sampler.global_batch_size", worded("checks", "take a multiple of that product"));
  }
  if (epochSamples(spec) > 0) return {};
  return raised("AssertionError",
                "drop_last=True requires at least one full global batch; got total_samples=" +
                    std::to_string(spec.dataset.size) + ", global_batch_size=" + std::to_string(batch),
                "sampler.global_batch_size", worded("checks", "lower it, or switch sampler.drop_last off"));
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  const Pass pass = passOf(spec, epoch);
  const auto first = static_cast<std::uint64_t>(pass.first);
  if (!boolParameter(spec, info(), "shuffle")) return {kInOrder, 0, first};
  const auto seed = intIfGiven(spec, info(), "seed");
  const std::uint64_t base = seed ? static_cast<std::uint64_t>(*seed) : scriptSeed(spec, Epoch{0}, rank);
  // torch.initial_seed() of a negative seed is 2^64 less it, to which Python adds without wrapping.
  const bool wraps = !seed && base + static_cast<std::uint64_t>(pass.epoch) < base;
  return {wraps ? kOverflow : kShuffled, base + static_cast<std::uint64_t>(pass.epoch), first};
}

Result<OrderPtr> permuted(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  if (key.recipe == kInOrder) return Order::identity(spec.dataset.size);
  if (key.recipe == kShuffled) return torchOrder(spec, {kRandperm, key.seed, 0}, work);
  return seedOverflow(spec.framework.torch, "sampler.seed",
                      worded("checks", "give a seed: the epoch is added to torch's own, which is close to 2^64"));
}

/// Of each global batch, a data-parallel rank's positions are its own number and every data-parallel-size-th after it.
Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  auto drawn = permuted(spec, key, work.part(0, 0.5));
  if (!drawn) return drawn;
  const auto first = static_cast<std::int64_t>(key.skip);
  const Pass pass = passFrom(spec, first);
  const std::int64_t batch = globalBatch(spec);
  const std::int64_t end = first + pass.whole * batch + pass.rest;
  const std::int64_t batches = pass.whole + (pass.rest > 0 ? 1 : 0);
  auto ids = LargeArray<std::uint32_t>::make(static_cast<std::size_t>(end - first), "an order");
  if (!ids) return ids.error();
  Deal deal;
  deal.lists_batches = true;
  std::vector<Deal::Share> replicas;
  std::int64_t at = 0;
  for (std::int64_t replica = 0; replica < spec.world.dataParallelSize(); ++replica) {
    if (work.stopped()) return cancelled();
    replicas.push_back({at, 0, 0, deal.batch_ends.size(), batches});
    for (std::int64_t k = 0; k < batches; ++k) {
      const std::int64_t until = std::min(end, first + (k + 1) * batch);
      for (std::int64_t place = first + k * batch + replica; place < until; place += spec.world.dataParallelSize())
        ids->items()[static_cast<std::size_t>(at++)] = static_cast<std::uint32_t>((**drawn)[place]);
      deal.batch_ends.push_back(at);
    }
    replicas.back().count = at - replicas.back().first;
  }
  for (Rank rank{0}; rank.value < spec.worldSize(); ++rank)
    deal.shares.push_back(replicas[static_cast<std::size_t>(spec.world.dataParallelRankOf(rank))]);
  const std::int64_t before = std::min(first, spec.dataset.size);  // what was consumed may end in the padding
  for (std::int64_t place = 0; place < before; ++place) deal.left_over.push_back((**drawn)[place]);
  for (std::int64_t place = end; place < spec.dataset.size; ++place) deal.left_over.push_back((**drawn)[place]);
  return Order::dealt(Order::of(std::move(*ids)), std::move(deal));
}

SamplerClaims claims(const PipelineSpec& spec) {
  const bool given = intIfGiven(spec, info(), "seed") || !boolParameter(spec, info(), "shuffle");
  return {.divides = true, .needs_equal_seeds = !given, .has_empty_batches = true};
}

UnreadCause unread(const PipelineSpec& spec, Epoch epoch) {
  return [first = passOf(spec, epoch).first, skipped = megatronSkipped(epoch)](std::int64_t place) {
    return place < first ? skipped : MissingCause::CutBySampler;
  };
}

}  // namespace
}  // namespace megatron_pretraining_batch_sampler

std::int64_t megatronBridgeConsumed(const PipelineSpec& spec, Epoch pass) {
  using namespace megatron_pretraining_batch_sampler;
  std::int64_t consumed = megatronConsumed(spec);
  for (std::int64_t left = pass.value; left > 0; --left) {
    const std::int64_t after = consumedAfter(spec, consumed);
    const std::int64_t grown = after - consumed;
    // A pass that begins where the one before began reads as much as it, and so do all that follow.
    if (after % epochSamples(spec) == consumed % epochSamples(spec)) return consumed + left * grown;
    consumed = after;
  }
  return consumed;
}

std::int64_t megatronBridgeLength(const PipelineSpec& spec, Epoch pass) {
  using namespace megatron_pretraining_batch_sampler;
  const std::int64_t left = epochSamples(spec) - megatronBridgeConsumed(spec, pass) % epochSamples(spec);
  return distributedSamples(left, globalBatch(spec), boolParameter(spec, info(), "drop_last"));
}

SamplerRule megatronBridgePretrainingBatchSampler() {
  using namespace megatron_pretraining_batch_sampler;
  return {.info = info(),
          .traits = {.shuffle = "shuffle",
                     .seed = "seed",
                     .drop_last = "drop_last",
                     .consumed = "consumed_samples",
                     .global_batch = "global_batch_size",
                     .knows_peers = true},
          .claims = claims,
          .unread = unread,
          .check = check,
          .key = key,
          .order = order};
}

}  // namespace shardlens::sampling
