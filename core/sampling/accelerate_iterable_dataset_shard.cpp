// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/accelerate_samplers.h"
#include "core/sampling/torch_arguments.h"
#include "core/sampling/torch_order.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace shardlens::sampling {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "accelerate.IterableDatasetShard",
      "What accelerator.prepare() makes of an iterable dataset: every process reads all of it and keeps its piece of "
      "each global batch.",
      {boolField("sampler.split_batches", false,
                 "Cut each batch of the loader into one part a process: batch_size is then the global batch.")},
      {"Every process reads and decodes the whole stream, and throws most of it away.",
       "The end is completed with the first global batch: samples come twice.",
       "Ranks only agree when the stream has the same order on each (accelerate#2268)."},
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

Result<void> check(const PipelineSpec& spec) {
  const std::int64_t batch = spec.loader.batch_size;
  if (!splits(spec) || batch == 1 || batch % spec.worldSize() == 0) return {};
  return raised("ValueError",
                "To use `IterableDatasetShard` in `split_batches` mode, the batch size (" + std::to_string(batch) +
                    ") needs to be a round multiple of the number of processes (" + std::to_string(spec.worldSize()) +
                    ").",
                "loader.batch_size", "with split_batches, batch_size is the total over all processes");
}

OrderKey key(const PipelineSpec& /*spec*/, Epoch /*epoch*/, Rank /*rank*/) {
  return {kSequential, 0, 0};
}

std::int64_t countOf(const PipelineSpec& spec) {
  const std::int64_t rounds = spec.dataset.size / globalBatch(spec);
  const bool rest = spec.dataset.size % globalBatch(spec) != 0 && !spec.loader.drop_last;
  return (rounds + (rest ? 1 : 0)) * piece(spec);
}

Slice slice(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank, OrderPtr order) {
  const std::int64_t size = order->size();
  return {std::move(order),
          rank.value * piece(spec),
          globalBatch(spec),
          countOf(spec),
          size,
          std::max<std::int64_t>(1, piece(spec))};
}

SliceShape shape(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  const Slice mine = slice(spec, epoch, rank, Order::identity(spec.dataset.size));
  return {mine.size(), mine.size() - mine.countBelow(spec.dataset.size)};
}

Batching batching(const PipelineSpec& spec) {
  return Batching::ofSize(std::max<std::int64_t>(1, piece(spec)), spec.loader.drop_last);
}

}  // namespace

SamplerRule accelerateIterableDatasetShard() {
  return {.info = info(),
          .check = check,
          .key = key,
          .order = torchOrder,
          .slice = slice,
          .shape = shape,
          .batching = batching};
}

}  // namespace shardlens::sampling
