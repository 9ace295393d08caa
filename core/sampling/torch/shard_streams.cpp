// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/torch/shard_streams.h"

#include "core/base/large_array.h"
#include "core/base/phrase.h"
#include "core/sampling/torch/iterable_dataset.h"

#include <utility>

namespace shardlens::sampling {

std::vector<std::int64_t> shardStarts(const PipelineSpec& spec) {
  if (spec.dataset.shards.empty()) return {0, spec.dataset.size};
  std::vector<std::int64_t> starts = {0};
  for (const std::int64_t size : spec.dataset.shards) starts.push_back(starts.back() + size);
  return starts;
}

std::vector<std::int64_t> samplesOf(const std::vector<std::int64_t>& starts, const std::vector<std::int64_t>& shards) {
  std::vector<std::int64_t> samples;
  std::int64_t count = 0;
  for (const std::int64_t shard : shards) {
    count += starts[static_cast<std::size_t>(shard) + 1] - starts[static_cast<std::size_t>(shard)];
  }
  samples.reserve(static_cast<std::size_t>(count));
  for (const std::int64_t shard : shards) {
    const auto at = static_cast<std::size_t>(shard);
    for (std::int64_t id = starts[at]; id < starts[at + 1]; ++id) samples.push_back(id);
  }
  return samples;
}

// Deals positions in the streams, written behind each other, and then puts the samples in their places.
Result<OrderPtr> dealStreams(const PipelineSpec& spec, const std::vector<std::vector<std::vector<std::int64_t>>>& ranks,
                             const Work& work) {
  constexpr std::size_t kLookEvery = std::size_t{1} << 20;
  std::vector<std::int64_t> samples;
  std::vector<std::vector<WorkerStream>> places;
  for (const std::vector<std::vector<std::int64_t>>& workers : ranks) {
    places.emplace_back();
    for (const std::vector<std::int64_t>& stream : workers) {
      if (work.stopped()) return cancelled();
      places.back().push_back({static_cast<std::int64_t>(samples.size()), 1, static_cast<std::int64_t>(stream.size())});
      samples.insert(samples.end(), stream.begin(), stream.end());
    }
  }
  const IterableLoader loader{spec.loader.batch_size, spec.loader.drop_last, spec.loader.num_workers > 0};
  auto dealt = loader.deal(places, work);
  if (!dealt) return dealt;
  auto ids = LargeArray<std::uint32_t>::make(samples.size(), "an order");
  if (!ids) return ids.error();
  for (std::size_t k = 0; k < samples.size(); ++k) {
    if (k % kLookEvery == 0 && work.stopped()) return cancelled();
    const auto place = static_cast<std::size_t>((**dealt)[static_cast<std::int64_t>(k)]);
    ids->items()[k] = static_cast<std::uint32_t>(samples[place]);
  }
  return Order::dealt(Order::of(std::move(*ids)), *(*dealt)->deal());
}

Result<void> checkRoomForStreams(std::int64_t samples) {
  constexpr double kBytesOfSample = 32;  // in a stream, a buffer, and the order
  if (isAvailable(static_cast<double>(samples) * kBytesOfSample)) return {};
  return Error{ErrorCode::Environment,
               worded("checks", "The samples of all workers do not fit in memory."),
               {},
               worded("checks", "read fewer")};
}

Result<OrderPtr> dealStreams(
    const PipelineSpec& spec, const StreamReaders& readers,
    const std::function<Result<std::vector<std::int64_t>>(Rank rank, std::int64_t worker)>& read, const Work& work) {
  std::int64_t samples = 0;
  std::vector<std::vector<std::vector<std::int64_t>>> ranks(static_cast<std::size_t>(readers.ranks));
  for (Rank rank{0}; rank.value < readers.ranks; ++rank) {
    work.progress(static_cast<double>(rank.value) / static_cast<double>(readers.ranks));
    for (std::int64_t worker = 0; worker < readers.workers; ++worker) {
      if (work.stopped()) return cancelled();
      if (auto fits = checkRoomForStreams(samples + readers.most); !fits) return fits.error();
      auto stream = read(rank, worker);
      if (!stream) return stream.error();
      samples += static_cast<std::int64_t>(stream->size());
      ranks[static_cast<std::size_t>(rank.value)].push_back(*std::move(stream));
    }
  }
  return dealStreams(spec, ranks, work);
}

}  // namespace shardlens::sampling
