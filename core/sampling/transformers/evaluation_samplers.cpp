// SPDX-License-Identifier: Apache-2.0
// ShardSampler and SequentialDistributedSampler: the dataset in order, in blocks.
#include "core/base/phrase.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/python.h"
#include "core/sampling/torch/order.h"
#include "core/sampling/transformers/samplers.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace shardlens::sampling {
namespace transformers_evaluation_samplers {
namespace {

SliceShape shapeOf(const PipelineSpec& spec, const Slice& slice) {
  return {slice.size(), slice.size() - slice.countBelow(spec.dataset.size)};
}

SamplerClaims claimsOf(RepeatCause padding) {
  return {.divides = true, .evaluates = true, .padding = padding};
}

namespace shard {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "transformers.ShardSampler",
      marked("samplers",
             "Gives each process whole batches in turn, in the order of the dataset; the Trainer's evaluation."),
      {boolField("sampler.drop_last", false,
                 marked("fields", "Leave out the samples that do not fill a batch on every process."))},
      {marked("samplers",
              "The end is filled up with the first samples: metrics count them twice unless they are cut off "
              "(transformers gathers and truncates).")},
  };
  return kInfo;
}

Slice slice(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank, OrderPtr order) {
  const std::int64_t batch = spec.loader.batch_size;
  const std::int64_t together = batch * spec.worldSize();
  const std::int64_t size = spec.dataset.size;
  const bool drop_last = boolParameter(spec, info(), "drop_last");
  const std::int64_t rounds = drop_last ? size / together : ceilDiv(size, together);
  return {std::move(order), rank.value * batch, together, rounds * batch, size, batch};
}

SliceShape shape(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  return shapeOf(spec, slice(spec, epoch, rank, {}));
}

SamplerClaims claims(const PipelineSpec& /*spec*/) {
  return claimsOf(RepeatCause::BatchFilling);
}

}  // namespace shard

namespace sequential {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "transformers.SequentialDistributedSampler",
      marked("samplers",
             "One contiguous block of the dataset per rank, the last one filled up with the first samples."),
      {intOrNameField(
          "sampler.batch_size", "none", 1, INT32_MAX, "samples",
          marked("fields", "Make each block a multiple of this; none fills up only to a multiple of the world size."))},
      {marked("samplers", "It pads only once: a dataset smaller than its padding fails an assertion."),
       marked("samplers", "Contiguous blocks of a sorted dataset give the ranks very different amounts of work.")},
  };
  return kInfo;
}

std::int64_t blockOf(const PipelineSpec& spec) {
  const Value value = parameter(spec, info(), "batch_size");
  const auto* given = std::get_if<std::int64_t>(&value);
  const std::int64_t unit = given == nullptr ? 1 : *given;
  return ceilDiv(spec.dataset.size, unit * spec.worldSize()) * unit;
}

Result<void> check(const PipelineSpec& spec) {
  const std::int64_t total = blockOf(spec) * spec.worldSize();
  if (total <= 2 * spec.dataset.size) return {};
  return raised("AssertionError",
                "Indices length " + std::to_string(2 * spec.dataset.size) + " and total size " + std::to_string(total) +
                    " mismatched",
                "dataset.size", worded("checks", "there are too few samples to fill every rank's block"));
}

Slice slice(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank, OrderPtr order) {
  const std::int64_t block = blockOf(spec);
  const std::int64_t unit = std::max<std::int64_t>(1, block);
  return {std::move(order), rank.value * block, unit, block, spec.dataset.size, unit};
}

SliceShape shape(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  return shapeOf(spec, slice(spec, epoch, rank, {}));
}

SamplerClaims claims(const PipelineSpec& /*spec*/) {
  return claimsOf(RepeatCause::SamplerPadding);
}

}  // namespace sequential
}  // namespace
}  // namespace transformers_evaluation_samplers

SamplerRule transformersShardSampler() {
  using namespace transformers_evaluation_samplers;
  return {.info = shard::info(),
          .traits = {.drop_last = "drop_last"},
          .in_order = true,
          .claims = shard::claims,
          .unread = always<MissingCause::CutBySampler>,
          .key = sequentialKey,
          .order = torchOrder,
          .slice = shard::slice,
          .shape = shard::shape};
}

SamplerRule transformersSequentialDistributedSampler() {
  using namespace transformers_evaluation_samplers;
  return {.info = sequential::info(),
          .in_order = true,
          .claims = sequential::claims,
          .check = sequential::check,
          .key = sequentialKey,
          .order = torchOrder,
          .slice = sequential::slice,
          .shape = sequential::shape};
}

}  // namespace shardlens::sampling
