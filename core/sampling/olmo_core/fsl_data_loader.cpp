// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/olmo_core/fsl_data_loader.h"

#include "core/base/phrase.h"
#include "core/random/numpy_permutation.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/numpy_global.h"
#include "core/sampling/python.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace shardlens::sampling {
namespace olmo_core_fsl_data_loader {
namespace {

constexpr std::int64_t kMostTokens = 1'000'000'000'000;
constexpr std::int64_t kMostLength = 10'000'000;
const std::string kInOrder = "olmo_core in order";
const std::string kShuffled = "olmo_core";

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "olmo_core.NumpyFSLDataLoader",
      marked("samplers",
             "Permutes instances of one length, or chunks of neighbouring ones, and gives each rank every "
             "world-size-th instance of a global batch; batch sizes count tokens."),
      {
          boolField("sampler.shuffle", true, marked("fields", "Permute the instances in every epoch.")),
          seedField("sampler.seed", 0, INT64_MIN / 2, INT64_MAX,
                    marked("fields", "Seed of the permutation; the epoch number, which counts from 1, is added.")),
          intField("sampler.sequence_length", 1, 1, kMostLength, "tokens",
                   marked("fields", "Tokens of an instance, which is a sample of the plan.")),
          intOrNameField("sampler.global_batch_size", "loader.batch_size a rank", 1, kMostTokens, "tokens",
                         marked("fields", "Tokens that all ranks together take in a step.")),
          intField("sampler.chunk_size", 1, 1, kMostTokens, "",
                   marked("fields", "Neighbouring instances that stay together when the dataset is permuted.")),
          intField("sampler.batches_processed", 0, 0, kMostTokens, "batches",
                   marked("fields", "Batches of the first epoch that were read before the state was saved.")),
          intField("sampler.epoch", 1, INT64_MIN / 2, INT64_MAX / 4, "",
                   marked("fields", "Number of the first epoch, as reshuffle(epoch) is given it.")),
      },
      {marked("samplers", "With chunk_size, the instances behind the last whole chunk are never read, in no epoch."),
       marked("samplers", "With chunk_size, a dataset whose chunks do not fill the counted batches fails to reshape."),
       marked("samplers",
              "The file of indices is named by seed, epoch, size and chunk size, not by the data: another mix of the "
              "same size in the same work_dir reuses it."),
       marked("samplers",
              "A resumed run counts tokens: with another global batch size it continues at the last whole batch, and "
              "repeats what lies behind it.")},
  };
  return kInfo;
}

std::int64_t globalBatch(const PipelineSpec& spec) {
  if (const auto tokens = intIfGiven(spec, info(), "global_batch_size")) return *tokens;
  return spec.loader.batch_size * spec.worldSize() * intParameter(spec, info(), "sequence_length");
}

std::int64_t batchInstances(const PipelineSpec& spec) {
  return globalBatch(spec) / intParameter(spec, info(), "sequence_length");
}

/// The instances that an epoch has in an order: all, or those of whole chunks.
std::int64_t listed(const PipelineSpec& spec) {
  const std::int64_t chunk = intParameter(spec, info(), "chunk_size");
  return spec.dataset.size / chunk * chunk;
}

std::int64_t rowsOf(const PipelineSpec& spec) {
  const std::int64_t batch = batchInstances(spec);
  return std::min(olmoTotalBatches(spec) * batch, listed(spec)) / batch;
}

std::int64_t skippedRows(const PipelineSpec& spec, Epoch epoch) {
  return epoch.value == 0 ? std::min(intParameter(spec, info(), "batches_processed"), rowsOf(spec)) : 0;
}

Result<void> checkSizes(const PipelineSpec& spec) {
  const std::int64_t length = intParameter(spec, info(), "sequence_length");
  const std::int64_t on_rank = globalBatch(spec) / spec.worldSize();
  const char* const field = "sampler.global_batch_size";
  if (on_rank % length != 0 || on_rank == 0) {
    return raised("OLMoConfigurationError",
                  "rank batch size (in tokens) " + std::to_string(on_rank) + " must be divisible by sequence length " +
                      std::to_string(length),
                  field, worded("checks", "take a multiple of sampler.sequence_length for each rank"));
  }
  const std::int64_t batch = batchInstances(spec);
  if (batch % spec.worldSize() != 0 && olmoTotalBatches(spec) > 0) {
    return unsupported(worded("checks", "the ranks would get unequal parts of a global batch, which are not modelled."),
                       field, worded("checks", "take a multiple of sampler.sequence_length for each rank"));
  }
  const std::int64_t in_list = std::min(olmoTotalBatches(spec) * batch, listed(spec));
  if (in_list % batch == 0) return {};
  return raised(
      "ValueError",
      "cannot reshape array of size " + std::to_string(in_list) + " into shape (" + std::to_string(batch) + ")",
      "sampler.chunk_size", worded("checks", "take a chunk size that leaves whole batches, or 1"));
}

Result<void> check(const PipelineSpec& spec) {
  const std::int64_t epoch = intParameter(spec, info(), "epoch");
  if (epoch < 1) {
    return raised("ValueError", "'epoch' must be at least 1, got " + std::to_string(epoch), "sampler.epoch",
                  worded("checks", "epochs count from 1"));
  }
  if (auto sizes = checkSizes(spec); !sizes) return sizes;
  if (!boolParameter(spec, info(), "shuffle")) return {};
  const std::int64_t seed = intParameter(spec, info(), "seed");
  return seed < 0 ? checkNumpySeed(seed + epoch, "sampler.seed") : Result<void>();
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  if (!boolParameter(spec, info(), "shuffle")) return {kInOrder, 0, 0};
  const auto seed = static_cast<std::uint64_t>(intParameter(spec, info(), "seed"));
  return {kShuffled, seed + static_cast<std::uint64_t>(intParameter(spec, info(), "epoch") + epoch.value), 0};
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const std::int64_t chunk = intParameter(spec, info(), "chunk_size");
  if (key.recipe == kInOrder) return Order::identity(listed(spec));
  auto chunks = LargeArray<std::uint32_t>::make(static_cast<std::size_t>(listed(spec) / chunk), "an order");
  if (!chunks) return chunks.error();
  NumpyGenerator generator(key.seed);
  if (auto done = numpyPermutation(generator, chunks->items(), work.part(0, 0.8)); !done) return done.error();
  if (chunk == 1) return Order::of(std::move(*chunks));
  return orderOfIds(listed(spec), work, [&](std::int64_t i) {
    return std::int64_t{chunks->items()[static_cast<std::size_t>(i / chunk)]} * chunk + i % chunk;
  });
}

SliceShape shape(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  return {(rowsOf(spec) - skippedRows(spec, epoch)) * (batchInstances(spec) / spec.worldSize()), 0};
}

Slice slice(const PipelineSpec& spec, Epoch epoch, Rank rank, OrderPtr order) {
  const std::int64_t size = order->size();
  return {std::move(order), skippedRows(spec, epoch) * batchInstances(spec) + rank.value, spec.worldSize(),
          shape(spec, epoch, rank).count, size};
}

Batching batching(const PipelineSpec& spec) {
  return Batching::ofSize(std::max<std::int64_t>(1, batchInstances(spec) / spec.worldSize()), false);
}

UnreadCause unread(const PipelineSpec& spec, Epoch epoch) {
  return [first = skippedRows(spec, epoch) * batchInstances(spec)](std::int64_t place) {
    return place < first ? MissingCause::HandedOutBefore : MissingCause::CutBySampler;
  };
}

}  // namespace
}  // namespace olmo_core_fsl_data_loader

std::int64_t olmoTotalBatches(const PipelineSpec& spec) {
  using namespace olmo_core_fsl_data_loader;
  return spec.dataset.size / batchInstances(spec);
}

SamplerRule olmoFslDataLoader() {
  using namespace olmo_core_fsl_data_loader;
  return {.info = info(),
          .traits = {.shuffle = "shuffle",
                     .seed = "seed",
                     .consumed = "batches_processed",
                     .global_batch = "global_batch_size"},
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

}  // namespace shardlens::sampling
