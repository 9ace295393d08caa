// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/datasets/epoch.h"

#include "core/random/numpy_permutation.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/numpy_global.h"
#include "core/sampling/torch/shard_streams.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <utility>

namespace shardlens::sampling {
namespace {

/// Samples between two looks at the stop token.
constexpr std::size_t kItemsBetweenLooks = std::size_t{1} << 20;

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
    if (merged.size() % kItemsBetweenLooks < live.size() && work.stopped()) return cancelled();
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
    if (next % kItemsBetweenLooks == 0 && work.stopped()) return cancelled();
    stream[next - held] = std::exchange(buffer[places.next()], stream[next]);
  }
  if (auto done = numpyShuffle(generator, buffer, work); !done) return done.error();
  std::copy(buffer.begin(), buffer.end(), stream.end() - static_cast<std::ptrdiff_t>(held));
  return stream;
}

}  // namespace shardlens::sampling
