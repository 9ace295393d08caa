// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/datasets/dataset.h"

#include "core/base/phrase.h"
#include "core/random/numpy_permutation.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/numpy_global.h"
#include "core/sampling/python.h"
#include "core/sampling/script_seed.h"
#include "core/sampling/torch/order.h"
#include "core/spec/field_table.h"

#include <optional>
#include <string>
#include <utility>

namespace shardlens::sampling {
namespace datasets_dataset {
namespace {

/// A permutation of the dataset; and one of each rank's part, dealt, by rank 0's seed and the way to the others'.
const std::string kShuffled = "datasets.Dataset.shuffle";
const std::string kShuffledParts = "datasets.Dataset.shard.shuffle";

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "datasets.Dataset",
      marked("samplers",
             "Cuts a Hugging Face Dataset into one part for each rank, as split_dataset_by_node or shard() do; nothing "
             "is padded or dropped."),
      {
          choiceField(
              "sampler.shuffle", "none", {"none", "before_split", "after_split"},
              marked("fields",
                     "Where the script calls dataset.shuffle(): on the whole dataset, or on each rank's part.")),
          rankSeedField("sampler.seed", std::string("none"), INT64_MIN, INT64_MAX,
                        marked("fields",
                               "Seed of shuffle(); none means NumPy's global seed, which the script sets to the same "
                               "value as torch's.")),
          boolField("sampler.contiguous", true,
                    marked("fields",
                           "One contiguous block per rank, as split_dataset_by_node cuts it; otherwise every "
                           "world-size-th sample, as shard(contiguous=False) does.")),
      },
      {marked("samplers",
              "The first ranks get one sample more, and a collective in the last step hangs (datasets#6437, PR 7854)."),
       marked("samplers",
              "With fewer samples than ranks, a rank without samples raises an IndexError in select() (datasets#7443, "
              "#8190)."),
       marked("samplers",
              "shuffle() without a seed takes NumPy's global one: ranks that seeded NumPy differently share samples."),
       marked("samplers", "shuffle() is called once: every epoch has the same order unless the script shuffles again."),
       marked("samplers", "After the split, the same seed gives all parts of equal size the same permutation."),
       marked("samplers", "Without split_dataset_by_node every rank reads the whole dataset (datasets#5360).")},
  };
  return kInfo;
}

bool shuffles(const PipelineSpec& spec, const char* where) {
  return textParameter(spec, info(), "shuffle") == where;
}

std::optional<std::int64_t> givenSeed(const PipelineSpec& spec, Rank rank) {
  return seedOfRank(spec, parameter(spec, info(), "seed"), rank);
}

/// Whether all ranks give shuffle() one number.
bool hasCommonSeed(const PipelineSpec& spec) {
  return std::holds_alternative<std::int64_t>(parameter(spec, info(), "seed"));
}

/// What default_rng gets: without a seed the first word of NumPy's global state, which after np.random.seed(s) is s.
std::uint64_t seedOf(const PipelineSpec& spec, Rank rank) {
  const auto seed = givenSeed(spec, rank);
  return seed ? static_cast<std::uint64_t>(*seed) : scriptSeed(spec, Epoch{0}, rank);
}

Result<void> checkSeed(const PipelineSpec& spec, Rank rank) {
  const auto seed = givenSeed(spec, rank);
  return seed ? checkNumpySeed(*seed, "sampler.seed") : checkNumpyRankSeed(spec, rank);
}

DatasetsShard shardOf(std::int64_t size, std::int64_t num_shards, std::int64_t index, bool contiguous) {
  if (!contiguous) return {index, num_shards, stridedSamples(size, num_shards, index)};
  const Run run = evenRun(size, num_shards, index);
  return {run.first, 1, run.count};
}

DatasetsShard shardOf(const PipelineSpec& spec, Rank rank) {
  return shardOf(spec.dataset.size, spec.worldSize(), rank.value, boolParameter(spec, info(), "contiguous"));
}

/// What the script raises on this rank, in its order; shuffle() of an empty dataset looks at no seed.
Result<void> checkRank(const PipelineSpec& spec, Rank rank) {
  const DatasetsShard shard = shardOf(spec, rank);
  if (spec.dataset.size > 0 && shuffles(spec, "before_split")) {
    if (auto good = checkSeed(spec, rank); !good) return good;
  }
  if (auto good = checkDatasetsSelect(spec.dataset.size, shard, boolParameter(spec, info(), "contiguous")); !good)
    return good;
  return shard.count > 0 && shuffles(spec, "after_split") ? checkSeed(spec, rank) : Result<void>();
}

OrderKey key(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  if (shuffles(spec, "before_split")) return {kShuffled, seedOf(spec, rank), 0};
  if (!shuffles(spec, "after_split")) return {kSequential, 0, 0};
  const std::string by = hasCommonSeed(spec) ? "" : valueText(parameter(spec, info(), "seed")) + " " + spec.seeds.rule;
  return {kShuffledParts + by, seedOf(spec, Rank{0}), 0};
}

/// Permutes each rank's part of the ids, which stand rank behind rank.
Result<Deal> permuteParts(const PipelineSpec& spec, std::span<std::uint32_t> ids, const Work& work) {
  Deal deal;
  std::int64_t written = 0;
  for (Rank rank{0}; rank.value < spec.worldSize(); ++rank) {
    const DatasetsShard shard = shardOf(spec, rank);
    const auto part = ids.subspan(static_cast<std::size_t>(written), static_cast<std::size_t>(shard.count));
    const auto share_of_work = [&](std::int64_t at) {
      return static_cast<double>(at) / static_cast<double>(ids.size());
    };
    NumpyGenerator generator(seedOf(spec, rank));
    const Work piece = work.part(share_of_work(written), share_of_work(written + shard.count));
    if (auto done = numpyPermutation(generator, part, piece); !done) return done.error();
    for (std::uint32_t& id : part) id = static_cast<std::uint32_t>(shard.first + id * shard.step);
    deal.shares.push_back({written, shard.count, 0, 0, 0});
    written += shard.count;
  }
  return deal;
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  if (key.recipe == kSequential) return torchOrder(spec, key, work);
  auto ids = LargeArray<std::uint32_t>::make(static_cast<std::size_t>(spec.dataset.size), "an order");
  if (!ids) return ids.error();
  if (key.recipe.starts_with(kShuffledParts)) {
    auto deal = permuteParts(spec, ids->items(), work);
    if (!deal) return deal.error();
    return Order::dealt(Order::of(std::move(*ids)), std::move(*deal));
  }
  NumpyGenerator generator(key.seed);
  if (auto done = numpyPermutation(generator, ids->items(), work); !done) return done.error();
  return Order::of(std::move(*ids));
}

Slice slice(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank, OrderPtr order) {
  if (order->deal() != nullptr) return Slice::ofDeal(std::move(order), rank);
  const DatasetsShard shard = shardOf(spec, rank);
  return {std::move(order), shard.first, shard.step, shard.count, spec.dataset.size};
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  return {shardOf(spec, rank).count, 0};
}

SeedFree seedFree(const PipelineSpec& spec) {
  return shuffles(spec, "before_split") ? SeedFree::Counts : SeedFree::Samples;
}

SamplerClaims claims(const PipelineSpec& spec) {
  return {.divides = true, .needs_equal_seeds = shuffles(spec, "before_split") && !hasCommonSeed(spec)};
}

}  // namespace
}  // namespace datasets_dataset

Result<DatasetsShard> datasetsShard(std::int64_t size, std::int64_t num_shards, std::int64_t index, bool contiguous) {
  using namespace datasets_dataset;
  if (index >= 0 && index < num_shards) return shardOf(size, num_shards, index, contiguous);
  return raised("ValueError", "index should be in [0, num_shards-1]");
}

Result<void> checkDatasetsSelect(std::int64_t size, const DatasetsShard& shard, bool contiguous) {
  using namespace datasets_dataset;
  if (!contiguous || size == 0 || shard.first < size) return {};
  return raised(
      "IndexError",
      "Index " + std::to_string(shard.first) + " out of range for dataset of size " + std::to_string(size) + ".",
      "dataset.size", worded("checks", "there are fewer samples than ranks"));
}

SamplerRule datasetsDataset() {
  using namespace datasets_dataset;
  return {.info = info(),
          .traits = {.shuffle = "shuffle", .seed = "seed"},
          .claims = claims,
          .key = key,
          .order = order,
          .slice = slice,
          .shape = shape,
          .check_rank = checkRank,
          .seed_free = seedFree};
}

}  // namespace shardlens::sampling
