// SPDX-License-Identifier: Apache-2.0
// MegatronPretrainingSampler and HybridCPMegatronPretrainingSampler: both read on from consumed_samples in order and
// give each rank the piece of micro_batch_size at its place; the second hands a whole global batch over at once.
#include "core/base/phrase.h"
#include "core/sampling/megatron/consumed.h"
#include "core/sampling/megatron/samplers.h"
#include "core/sampling/python.h"
#include "core/sampling/torch/order.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace shardlens::sampling {
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

Slice sliceOf(const PipelineSpec& spec, const Rounds& rounds, Rank rank, OrderPtr order) {
  const std::int64_t size = order->size();
  return {std::move(order),
          rounds.first + spec.world.dataParallelRankOf(rank) * spec.loader.batch_size,
          megatronStepSamples(spec),
          countOf(spec, rounds, rank),
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

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  return {countOf(spec, rounds(spec), rank), 0};
}

Slice slice(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank, OrderPtr order) {
  return sliceOf(spec, rounds(spec), rank, std::move(order));
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
  const Value value = parameter(spec, info(), "global_batch_size");
  const auto* given = std::get_if<std::int64_t>(&value);
  return given == nullptr ? 1 : *given / megatronStepSamples(spec);
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

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  return {countOf(spec, rounds(spec), rank), 0};
}

Slice slice(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank, OrderPtr order) {
  return sliceOf(spec, rounds(spec), rank, std::move(order));
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
          .slice = plain::slice,
          .shape = plain::shape,
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
          .slice = hybrid::slice,
          .shape = hybrid::shape,
          .batching = hybrid::batching};
}

}  // namespace shardlens::sampling
