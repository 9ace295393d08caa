// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/datasets/iterable_dataset.h"

#include "core/base/phrase.h"
#include "core/random/numpy_permutation.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/numpy_global.h"
#include "core/sampling/python.h"
#include "core/sampling/script_seed.h"
#include "core/sampling/torch/iterable_dataset.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace shardlens::sampling {
namespace {

/// Samples between two looks at the stop token.
constexpr std::size_t kSamplesBetweenLooks = std::size_t{1} << 20;

/// shift_rngs: a generator seeded with this one's integers(0, 2^63) less `value`.
Result<NumpyGenerator> shifted(NumpyGenerator generator, std::int64_t value) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const std::int64_t seed = static_cast<std::int64_t>(generator.atMost(kMost)) - value;
  if (auto good = checkNumpySeed(seed); !good) return good.error();
  return NumpyGenerator(static_cast<std::uint64_t>(seed));
}

/// integers(0, size), drawn a thousand at once: what is left of the last thousand is drawn all the same.
class BufferPlaces {
 public:
  BufferPlaces(NumpyGenerator& generator, std::uint64_t size) : generator_(generator), most_(size - 1) {}

  std::size_t next() {
    if (next_ == places_.size()) {
      for (std::size_t& place : places_) place = generator_.atMost(most_);
      next_ = 0;
    }
    return places_[next_++];
  }

 private:
  NumpyGenerator& generator_;
  std::uint64_t most_;
  std::array<std::size_t, 1000> places_{};
  std::size_t next_ = places_.size();
};

}  // namespace

Result<DatasetsEpoch> DatasetsEpoch::make(std::vector<std::int64_t> starts, std::optional<DatasetsShuffle> shuffle,
                                          std::int64_t epoch, std::int64_t world_size) {
  if (shuffle) {
    if (auto good = checkNumpySeed(shuffle->seed, "sampler.seed"); !good) return good.error();
  }
  if (auto good = checkNumpySeed(epoch); !good) return good.error();
  DatasetsEpoch made;
  if (shuffle) made.generator_ = NumpyGenerator(static_cast<std::uint64_t>(shuffle->seed));
  if (shuffle && epoch != 0) {
    auto generator = shifted(*made.generator_, epoch);
    if (!generator) return generator.error();
    made.generator_ = *generator;
  }
  made.sources_ = sourcesOf(static_cast<std::int64_t>(starts.size()) - 1, shuffle, epoch);
  made.starts_ = std::move(starts);
  made.shuffle_ = shuffle;
  made.world_size_ = world_size;
  made.divides_ = numShards(made.sources_) % world_size == 0;
  return made;
}

/// Each source is shuffled by the same generator for the epoch: sources of one size alike.
DatasetsEpoch::Sources DatasetsEpoch::sourcesOf(std::int64_t shards, const std::optional<DatasetsShuffle>& shuffle,
                                                std::int64_t epoch) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(shards));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  if (shuffle) NumpyGenerator(static_cast<std::uint64_t>(shuffle->seed)).shuffle(std::span(order));
  const std::int64_t count = shuffle ? std::clamp<std::int64_t>(shuffle->max_buffer_input_shards, 1, shards) : 1;
  Sources sources;
  for (std::int64_t source = 0; source < count; ++source) {
    const Run run = evenRun(shards, count, source);
    const auto first = order.begin() + run.first;
    sources.emplace_back(first, first + run.count);
    if (epoch != 0) NumpyGenerator(static_cast<std::uint64_t>(epoch)).shuffle(std::span(sources.back()));
  }
  return sources;
}

std::int64_t DatasetsEpoch::numShards(const Sources& sources) {
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (const std::vector<std::int64_t>& source : sources) fewest = std::min(fewest, source.size());
  return static_cast<std::int64_t>(fewest);
}

DatasetsEpoch::Sources DatasetsEpoch::part(const Sources& sources, std::int64_t parts, std::int64_t index) {
  Sources own;
  for (const std::vector<std::int64_t>& source : sources) {
    std::vector<std::int64_t>& shards = own.emplace_back();
    for (auto k = static_cast<std::size_t>(index); k < source.size(); k += static_cast<std::size_t>(parts)) {
      shards.push_back(source[k]);
    }
  }
  return own;
}

std::int64_t DatasetsEpoch::busyWorkers(std::int64_t num_workers) const {
  const std::int64_t shards = numShards(sources_) / (divides_ ? world_size_ : 1);
  return num_workers == 0 ? 1 : std::min(num_workers, shards);
}

Result<std::vector<std::int64_t>> DatasetsEpoch::read(std::int64_t rank, std::int64_t worker, std::int64_t num_workers,
                                                      const Work& work) const {
  Sources sources = divides_ ? part(sources_, world_size_, rank) : sources_;
  auto generator = generator_;
  if (num_workers > 0) {
    const std::int64_t workers = std::min(num_workers, numShards(sources));
    if (worker >= workers) return std::vector<std::int64_t>();
    sources = part(sources, workers, worker);
    if (generator) {
      const auto own = shifted(*generator, worker);
      if (!own) return own.error();
      generator = *own;
    }
  }
  auto stream = takeTurns(sources, work);
  if (!stream || !generator) return stream;
  return throughBuffer(*std::move(stream), *generator, work);
}

std::vector<std::int64_t> DatasetsEpoch::kept(const std::vector<std::int64_t>& stream, std::int64_t rank) const {
  std::vector<std::int64_t> own;
  own.reserve(stream.size() / static_cast<std::size_t>(world_size_) + 1);
  for (auto k = static_cast<std::size_t>(rank); k < stream.size(); k += static_cast<std::size_t>(world_size_)) {
    own.push_back(stream[k]);
  }
  return own;
}

/// A sample of each source in turn; one that has no more leaves the turns.
Result<std::vector<std::int64_t>> DatasetsEpoch::takeTurns(const Sources& sources, const Work& work) const {
  std::vector<std::vector<std::int64_t>> streams;
  std::size_t samples = 0;
  for (const std::vector<std::int64_t>& shards : sources) {
    if (work.stopped()) return cancelled();
    samples += streams.emplace_back(samplesOf(starts_, shards)).size();
  }
  if (streams.size() == 1) return std::move(streams.front());
  std::vector<std::int64_t> merged;
  merged.reserve(samples);
  std::vector<const std::vector<std::int64_t>*> live(streams.size());
  std::transform(streams.begin(), streams.end(), live.begin(),
                 [](const std::vector<std::int64_t>& stream) { return &stream; });
  for (std::size_t turn = 0; !live.empty(); ++turn) {
    if (merged.size() % kSamplesBetweenLooks < live.size() && work.stopped()) return cancelled();
    std::erase_if(live, [turn](const std::vector<std::int64_t>* stream) { return stream->size() <= turn; });
    for (const std::vector<std::int64_t>* stream : live) merged.push_back((*stream)[turn]);
  }
  return merged;
}

Result<std::vector<std::int64_t>> DatasetsEpoch::throughBuffer(std::vector<std::int64_t> stream,
                                                               NumpyGenerator generator, const Work& work) const {
  if (stream.empty()) return stream;
  const bool fills = shuffle_->buffer_size >= 0 && static_cast<std::uint64_t>(shuffle_->buffer_size) < stream.size();
  if (fills && shuffle_->buffer_size == 0) return numpyIntegers(generator, 0, 0).error();
  const std::size_t held = fills ? static_cast<std::size_t>(shuffle_->buffer_size) : stream.size();
  std::vector<std::int64_t> buffer(stream.begin(), stream.begin() + static_cast<std::ptrdiff_t>(held));
  BufferPlaces places(generator, held);
  for (std::size_t next = held; next < stream.size(); ++next) {
    if (next % kSamplesBetweenLooks == 0 && work.stopped()) return cancelled();
    stream[next - held] = std::exchange(buffer[places.next()], stream[next]);
  }
  if (auto done = numpyShuffle(generator, buffer, work); !done) return done.error();
  std::copy(buffer.begin(), buffer.end(), stream.end() - static_cast<std::ptrdiff_t>(held));
  return stream;
}

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
  return unsupported(worded("checks", "not predictable, because shuffle() without a seed draws one at random."),
                     "sampler.seed", worded("checks", "give a seed, the same on all ranks"));
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
