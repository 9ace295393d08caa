// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/accelerate/order.h"
#include "core/sampling/accelerate/samplers.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/python.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace shardlens::sampling {
namespace accelerate_batch_sampler_shard {
namespace {

std::vector<Field> fields() {
  std::vector<Field> all = accelerateOrderFields();
  all.push_back(boolField(
      "sampler.split_batches", false,
      marked("fields",
             "Cut each batch of the loader into one part per process: batch_size is then the global batch.")));
  all.push_back(boolField(
      "sampler.even_batches", true,
      marked("fields",
             "Fill up the end with the first samples, so that all processes have the same number of batches.")));
  all.push_back(intField(
      "sampler.skip_first_batches", 0, 0, INT32_MAX, "batches",
      marked("fields", "accelerator.skip_first_batches(loader, ...) in the first epoch, as after a checkpoint.")));
  return all;
}

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "accelerate.BatchSamplerShard",
      marked("samplers",
             "What accelerator.prepare() makes of a map-style DataLoader: every process iterates over all batches and "
             "keeps its share."),
      fields(),
      {marked(
           "samplers",
           "batch_size is per process, and with split_batches it is the total (transformers#38484, accelerate#2708)."),
       marked("samplers",
              "even_batches off gives uneven numbers of batches and a wrong len() with split_batches "
              "(accelerate#4122); on, it repeats samples at the end."),
       marked("samplers",
              "Without use_seedable_sampler a checkpoint in the middle of an epoch holds the state for the next one, "
              "and a resumed run continues with the wrong permutation (accelerate#2016, PR 4233)."),
       marked("samplers",
              "With use_seedable_sampler and no data_seed each process permutes by its own torch seed: give all "
              "processes the same seed, or some samples are read twice and others never."),
       marked("samplers",
              "After an epoch with skip_first_batches, the original loader counts its epochs from 0: with "
              "use_seedable_sampler it repeats the same permutation (PR 4233)."),
       marked("samplers",
              "Skipping more batches than the loader has fails at the first len(): __len__() should return >= 0.")},
  };
  return kInfo;
}

bool isOn(const PipelineSpec& spec, const char* key) {
  return boolParameter(spec, info(), key);
}

/// Which positions one process takes: a block of `size` in every `stride`, from its own place on.
struct Share {
  std::int64_t size = 0;    ///< samples of a batch of this process
  std::int64_t stride = 0;  ///< samples of a round: a batch of every process
  std::int64_t skip = 0;    ///< rounds left out at the beginning

  [[nodiscard]] std::int64_t first(Rank rank) const { return rank.value * size + skip * stride; }
};

std::int64_t skipped(const PipelineSpec& spec, Epoch epoch) {
  return epoch.value == 0 ? intParameter(spec, info(), "skip_first_batches") : 0;
}

Share shareOf(const PipelineSpec& spec, Epoch epoch) {
  const std::int64_t batch = spec.loader.batch_size;
  if (isOn(spec, "split_batches")) return {batch / spec.worldSize(), batch, skipped(spec, epoch)};
  return {batch, batch * spec.worldSize(), skipped(spec, epoch)};
}

/// Samples of one process in a whole epoch, nothing skipped.
std::int64_t wholeCount(const PipelineSpec& spec, const Share& share, Rank rank, bool completes) {
  const std::int64_t size = spec.dataset.size;
  const std::int64_t processes = spec.worldSize();
  if (spec.loader.drop_last) return size / share.stride * share.size;
  if (completes) return ceilDiv(ceilDiv(size, share.size), processes) * share.size;
  return Slice({}, rank.value * share.size, share.stride, INT64_MAX, 0, share.size).countBelow(size);
}

Slice sliceOf(const PipelineSpec& spec, Epoch epoch, Rank rank, OrderPtr order, bool completes) {
  const Share share = shareOf(spec, epoch);
  const std::int64_t skip = std::min(share.skip, spec.dataset.size) * share.size;
  const std::int64_t count = std::max<std::int64_t>(0, wholeCount(spec, share, rank, completes) - skip);
  const std::int64_t size = order->size();
  return {std::move(order), share.first(rank), share.stride, count, size, share.size};
}

/// prepare() leaves the loader of a single process as it is.
Slice slice(const PipelineSpec& spec, Epoch epoch, Rank rank, OrderPtr order) {
  return sliceOf(spec, epoch, rank, std::move(order), isOn(spec, "even_batches") && spec.worldSize() > 1);
}

SliceShape shape(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  const Slice mine = slice(spec, epoch, rank, Order::identity(spec.dataset.size));
  return {mine.size(), mine.size() - mine.countBelow(spec.dataset.size)};
}

Result<void> check(const PipelineSpec& spec) {
  const std::int64_t batch = spec.loader.batch_size;
  const std::int64_t processes = spec.worldSize();
  if (!isOn(spec, "split_batches") || batch % processes == 0) return {};
  return accelerateUnevenSplit(spec, batch > 1 ? "a `DataLoader`" : "`BatchSamplerShard`");
}

/// The loader that skips is a new one; the original counts its epochs from 0 after it.
OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  const bool skips = intParameter(spec, info(), "skip_first_batches") > 0;
  const std::int64_t iteration = skips ? std::max<std::int64_t>(0, epoch.value - 1) : epoch.value;
  return accelerateOrderKey(spec, epoch, rank, iteration);
}

bool readsEvenly(const PipelineSpec& spec) {
  return intParameter(spec, info(), "skip_first_batches") == 0;
}

Batching batching(const PipelineSpec& spec) {
  return Batching::ofSize(std::max<std::int64_t>(1, shareOf(spec, Epoch{0}).size), false);
}

SamplerClaims claims(const PipelineSpec& spec) {
  const bool own_seeds =
      isOn(spec, "use_seedable_sampler") && parameter(spec, info(), "data_seed") == Value(std::string("none"));
  return {.divides = true, .needs_equal_seeds = own_seeds, .padding = RepeatCause::BatchFilling};
}

UnreadCause unread(const PipelineSpec& spec, Epoch epoch) {
  const Share share = shareOf(spec, epoch);
  const std::int64_t skipped = std::min(share.skip, spec.dataset.size) * share.stride;
  const MissingCause tail = spec.loader.drop_last ? MissingCause::CutByLoader : MissingCause::CutBySampler;
  return [skipped, tail](std::int64_t place) { return place < skipped ? MissingCause::HandedOutBefore : tail; };
}

}  // namespace
}  // namespace accelerate_batch_sampler_shard

std::int64_t accelerateLength(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  using namespace accelerate_batch_sampler_shard;
  const std::int64_t size = spec.dataset.size;
  const std::int64_t batch = spec.loader.batch_size;
  const std::int64_t batches = spec.loader.drop_last ? size / batch : ceilDiv(size, batch);
  const std::int64_t processes = spec.worldSize();
  std::int64_t length = batches;
  if (!isOn(spec, "split_batches")) {
    const std::int64_t rest = batches % processes;
    const bool one_more = !spec.loader.drop_last && (isOn(spec, "even_batches") ? rest > 0 : rank.value < rest);
    length = batches / processes + (one_more ? 1 : 0);
  }
  return length - skipped(spec, epoch);
}

Slice accelerateShardAlone(const PipelineSpec& spec, Rank rank) {
  using namespace accelerate_batch_sampler_shard;
  return sliceOf(spec, Epoch{0}, rank, Order::identity(spec.dataset.size), isOn(spec, "even_batches"));
}

std::vector<std::int64_t> accelerateShardOfBatches(std::int64_t batches, std::int64_t processes, std::int64_t process,
                                                   bool even_batches) {
  using namespace accelerate_batch_sampler_shard;
  std::vector<std::int64_t> mine;
  const std::int64_t rounds = even_batches ? ceilDiv(batches, processes) : batches / processes + 1;
  for (std::int64_t round = 0; round < rounds; ++round) {
    const std::int64_t number = round * processes + process;
    if (number < batches)
      mine.push_back(number);
    else if (even_batches)
      mine.push_back((number - batches) % std::min(batches, processes));
  }
  return mine;
}

SamplerRule accelerateBatchSamplerShard() {
  using namespace accelerate_batch_sampler_shard;
  return {.info = info(),
          .traits = {.shuffle = "shuffle",
                     .consumed = "skip_first_batches",
                     .split_batches = "split_batches",
                     .common_seed = "data_seed",
                     .common_seed_flag = "use_seedable_sampler",
                     .loop = LoopOwner::Accelerate},
          .claims = claims,
          .unread = unread,
          .check = check,
          .key = key,
          .order = accelerateOrder,
          .reads_evenly = readsEvenly,
          .slice = slice,
          .shape = shape,
          .batching = batching,
          .shared_outputs = [](const PipelineSpec& spec, Rank) { return accelerateSharedOutputs(spec); }};
}

}  // namespace shardlens::sampling
