// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/accelerate/order.h"
#include "core/sampling/accelerate/samplers.h"
#include "core/sampling/python.h"
#include "core/sampling/torch/order.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace shardlens::sampling {
namespace accelerate_iterable_dataset_shard {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "accelerate.IterableDatasetShard",
      marked("samplers",
             "What accelerator.prepare() makes of an iterable dataset: every process reads all of it and keeps its "
             "piece of each global batch."),
      {boolField(
          "sampler.split_batches", false,
          marked("fields",
                 "Cut each batch of the loader into one part per process: batch_size is then the global batch."))},
      {marked("samplers", "Every process reads and decodes the whole stream, and discards most of it."),
       marked("samplers", "The end is filled up with the first global batch, which repeats samples."),
       marked("samplers", "Ranks agree only when the stream has the same order on each (accelerate#2268).")},
  };
  return kInfo;
}

bool splits(const PipelineSpec& spec) {
  return boolParameter(spec, info(), "split_batches");
}

std::int64_t globalBatch(const PipelineSpec& spec) {
  return splits(spec) ? spec.loader.batch_size : spec.loader.batch_size * spec.worldSize();
}

std::int64_t piece(const PipelineSpec& spec) {
  return splits(spec) ? spec.loader.batch_size / spec.worldSize() : spec.loader.batch_size;
}

/// prepare() refuses batches that cannot be cut before the shard sees them, and hands the parts' size to a DataLoader.
Result<void> check(const PipelineSpec& spec) {
  if (!splits(spec) || spec.loader.batch_size % spec.worldSize() == 0) return {};
  if (spec.loader.batch_size > 1) return accelerateUnevenSplit(spec, "a `DataLoader`");
  return raised("ValueError", "batch_size should be a positive integer value, but got batch_size=0",
                "loader.batch_size",
                worded("checks", "with split_batches, batch_size is the total over all processes"));
}

Slice sliceOf(const PipelineSpec& spec, Rank rank, OrderPtr order, bool completes) {
  const std::int64_t size = order->size();
  const std::int64_t rounds = size / globalBatch(spec);
  const bool rest = size % globalBatch(spec) != 0 && !spec.loader.drop_last;
  const std::int64_t count = rest && !completes ? size : (rounds + (rest ? 1 : 0)) * piece(spec);
  return {std::move(order),
          rank.value * piece(spec),
          globalBatch(spec),
          count,
          size,
          std::max<std::int64_t>(1, piece(spec))};
}

/// prepare() leaves the loader of a single process as it is.
Slice slice(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank, OrderPtr order) {
  return sliceOf(spec, rank, std::move(order), spec.worldSize() > 1);
}

SliceShape shape(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  const Slice mine = slice(spec, epoch, rank, Order::identity(spec.dataset.size));
  return {mine.size(), mine.size() - mine.countBelow(spec.dataset.size)};
}

Batching batching(const PipelineSpec& spec) {
  return Batching::ofSize(std::max<std::int64_t>(1, piece(spec)), spec.loader.drop_last);
}

SamplerClaims claims(const PipelineSpec& /*spec*/) {
  return {.divides = true, .is_stream = true, .padding = RepeatCause::BatchFilling};
}

}  // namespace
}  // namespace accelerate_iterable_dataset_shard

Result<Slice> accelerateIterableShardAlone(const PipelineSpec& spec, Rank rank) {
  using namespace accelerate_iterable_dataset_shard;
  const std::int64_t batch = spec.loader.batch_size;
  if (splits(spec) && batch > 1 && batch % spec.worldSize() != 0) {
    return accelerateUnevenSplit(spec, "`IterableDatasetShard`").error();
  }
  return sliceOf(spec, rank, Order::identity(spec.dataset.size), true);
}

SamplerRule accelerateIterableDatasetShard() {
  using namespace accelerate_iterable_dataset_shard;
  return {.info = info(),
          .traits = {.split_batches = "split_batches", .loop = LoopOwner::Accelerate},
          .in_order = true,
          .claims = claims,
          .unread = always<MissingCause::CutByLoader>,
          .check = check,
          .key = sequentialKey,
          .order = torchOrder,
          .slice = slice,
          .shape = shape,
          .batching = batching};
}

}  // namespace shardlens::sampling
