// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/datasets/iterable_dataset.h"

#include "core/base/phrase.h"
#include "core/sampling/datasets/epoch.h"
#include "core/sampling/numpy_global.h"
#include "core/sampling/script_seed.h"
#include "core/sampling/torch/shard_streams.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace shardlens::sampling {
namespace datasets_iterable_dataset {
namespace {

constexpr std::int64_t kMost = 1'000'000'000;

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "datasets.IterableDataset",
      marked("samplers",
             "Streams the shards of a Hugging Face IterableDataset (datasets 5.0), split between ranks and workers, "
             "through a shuffle buffer."),
      {
          boolField(
              "sampler.split_by_node", true,
              marked("fields",
                     "split_dataset_by_node(dataset, rank, world_size); without it every rank reads everything.")),
          boolField("sampler.shuffle", false,
                    marked("fields", "dataset.shuffle(): the order of the shards, and a buffer of samples.")),
          rankSeedField("sampler.seed", std::string("none"), INT64_MIN, INT64_MAX,
                        marked("fields", "Seed of shuffle(); none draws one at random on each rank.")),
          intField(
              "sampler.buffer_size", 1000, -kMost, kMost, "samples",
              marked("fields", "Samples that shuffle() holds and draws from; a negative number holds all of them.")),
          intField("sampler.max_buffer_input_shards", 10, -kMost, kMost, "shards",
                   marked("fields",
                          "Shards that shuffle() reads at a time, one sample of each in turn; 1 reads them one after "
                          "another.")),
          boolField(
              "sampler.set_epoch", true,
              marked(
                  "fields",
                  "Whether the script calls dataset.set_epoch(epoch); if it does not, every epoch repeats epoch 0.")),
      },
      {marked("samplers", "Without split_dataset_by_node every rank reads the whole dataset (datasets#5360)."),
       marked(
           "samplers",
           "shuffle() cuts num_shards to the fewest of its ten sources, 1 below 20 shards (since 5.0, datasets#8669)."),
       marked("samplers",
              "With num_shards cut to 1 one worker reads everything, and each rank all of the stream (datasets#8669)."),
       marked(
           "samplers",
           "Where the world size does not divide num_shards, ranks read everything and keep one sample of world size."),
       marked("samplers", "With more workers than num_shards, the surplus workers stop at once (datasets#7999)."),
       marked("samplers",
              "shuffle() without a seed draws one on each rank: some shards are read twice and others never "
              "(datasets#5696)."),
       marked(
           "samplers",
           "Ranks have uneven numbers of samples, and a collective in the last step hangs (datasets#6437, PR 7854)."),
       marked("samplers",
              "set_epoch(1) and later shuffle the shards by that number alone, whatever the seed, even without "
              "shuffle()."),
       marked("samplers", "With a buffer much smaller than a shard, neighbours stay together.")},
      {"dataset.shards"}};
  return kInfo;
}

bool isOn(const PipelineSpec& spec, const char* key) {
  return boolParameter(spec, info(), key);
}

Value givenSeed(const PipelineSpec& spec) {
  return parameter(spec, info(), "seed");
}

std::optional<DatasetsShuffle> shuffleOf(const PipelineSpec& spec, std::int64_t seed) {
  if (!isOn(spec, "shuffle")) return std::nullopt;
  return DatasetsShuffle{seed, intParameter(spec, info(), "buffer_size"),
                         intParameter(spec, info(), "max_buffer_input_shards")};
}

/// How many ranks the dataset is split between.
std::int64_t ranksOf(const PipelineSpec& spec) {
  return isOn(spec, "split_by_node") ? spec.worldSize() : 1;
}

Result<void> check(const PipelineSpec& spec) {
  if (!isOn(spec, "shuffle") || isRankSeed(givenSeed(spec))) return {};
  if (const auto seed = seedOfRank(spec, givenSeed(spec), Rank{0})) return checkNumpySeed(*seed, "sampler.seed");
  return Error{ErrorCode::Unsupported,
               worded("checks", "not predictable, because shuffle() without a seed draws one at random."),
               Place{{}, 0, 0, "sampler.seed"}, worded("checks", "give a seed, the same on all ranks")};
}

Result<void> checkRank(const PipelineSpec& spec, Rank rank) {
  if (!isOn(spec, "shuffle") || !isRankSeed(givenSeed(spec))) return {};
  return checkNumpySeed(*seedOfRank(spec, givenSeed(spec), rank), "sampler.seed");
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  const bool differs = isOn(spec, "set_epoch") && (isOn(spec, "shuffle") || spec.dataset.shards.size() > 1);
  return {info().type, static_cast<std::uint64_t>(isOn(spec, "shuffle") ? *seedOfRank(spec, givenSeed(spec), rank) : 0),
          static_cast<std::uint64_t>(differs ? epoch.value : 0)};
}

Result<DatasetsEpoch> epochOf(const PipelineSpec& spec, const OrderKey& key) {
  return DatasetsEpoch::make(shardStarts(spec), shuffleOf(spec, static_cast<std::int64_t>(key.seed)),
                             static_cast<std::int64_t>(key.skip), ranksOf(spec));
}

/// What each worker reads when all ranks read the same.
Result<std::vector<std::vector<std::int64_t>>> commonStreams(const DatasetsEpoch& epoch, const StreamReaders& readers,
                                                             std::int64_t num_workers, const Work& work) {
  std::vector<std::vector<std::int64_t>> streams;
  if (auto fits = checkRoomForStreams(readers.most); !fits) return fits.error();
  for (std::int64_t worker = 0; worker < readers.workers && !epoch.dividesShards(); ++worker) {
    auto stream = epoch.read(0, worker, num_workers, work);
    if (!stream) return stream.error();
    streams.push_back(*std::move(stream));
  }
  return streams;
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const std::int64_t num_workers = spec.loader.num_workers;
  const auto epoch = epochOf(spec, key);
  if (!epoch) return epoch.error();
  const StreamReaders readers{ranksOf(spec), epoch->busyWorkers(num_workers), epoch->samples()};
  const auto common = commonStreams(*epoch, readers, num_workers, work);
  if (!common) return common.error();
  const auto read = [&](Rank rank, std::int64_t worker) -> Result<std::vector<std::int64_t>> {
    if (epoch->dividesShards()) return epoch->read(rank.value, worker, num_workers, work);
    return epoch->kept((*common)[static_cast<std::size_t>(worker)], rank.value);
  };
  return dealStreams(spec, readers, read, work);
}

/// Shards of one size, or one reader of all of them: then it does not matter which of them comes when.
SeedFree seedFree(const PipelineSpec& spec) {
  const IndexList& shards = spec.dataset.shards;
  const bool even = std::ranges::adjacent_find(shards, std::ranges::not_equal_to()) == shards.end();
  const bool whole = ranksOf(spec) == 1;
  if (whole && (even || spec.loader.num_workers <= 1)) return SeedFree::Samples;
  return even ? SeedFree::Counts : SeedFree::Nothing;
}

SamplerClaims claims(const PipelineSpec& spec) {
  const bool own_seeds = isOn(spec, "shuffle") && isRankSeed(givenSeed(spec));
  return {.divides = isOn(spec, "split_by_node"),
          .is_stream = true,
          .needs_equal_seeds = isOn(spec, "split_by_node") && own_seeds};
}

}  // namespace
}  // namespace datasets_iterable_dataset

Result<std::vector<std::int64_t>> datasetsWorkerStream(const PipelineSpec& spec, Epoch epoch, Rank rank,
                                                       std::int64_t worker) {
  using namespace datasets_iterable_dataset;
  if (auto good = check(spec); !good) return good.error();
  if (auto good = checkRank(spec, rank); !good) return good.error();
  const auto read = epochOf(spec, key(spec, epoch, rank));
  if (!read) return read.error();
  auto stream = read->read(rank.value, worker, spec.loader.num_workers, {});
  if (!stream || read->dividesShards()) return stream;
  return read->kept(*stream, rank.value);
}

SamplerRule datasetsIterableDataset() {
  using namespace datasets_iterable_dataset;
  return {.info = info(),
          .traits = {.shuffle = "shuffle", .seed = "seed", .set_epoch = "set_epoch"},
          .claims = claims,
          .check = check,
          .key = key,
          .order = order,
          .check_rank = checkRank,
          .seed_free = seedFree};
}

}  // namespace shardlens::sampling
