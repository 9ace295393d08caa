// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/shard_streams.h"

#include "core/sampling/torch_iterable_dataset.h"

#include <utility>

namespace shardlens::sampling {

IndexList shardStarts(const PipelineSpec& spec) {
  if (spec.dataset.shards.empty()) return {0, spec.dataset.size};
  IndexList starts = {0};
  for (const std::int64_t size : spec.dataset.shards) starts.push_back(starts.back() + size);
  return starts;
}

IndexList samplesOf(const IndexList& starts, const IndexList& shards) {
  IndexList samples;
  for (const std::int64_t shard : shards) {
    const auto at = static_cast<std::size_t>(shard);
    for (std::int64_t id = starts[at]; id < starts[at + 1]; ++id) samples.push_back(id);
  }
  return samples;
}

// Deals positions in the streams, written behind each other, and then puts the samples in their places.
Result<OrderPtr> dealStreams(const PipelineSpec& spec, const std::vector<std::vector<IndexList>>& ranks,
                             const Work& work) {
  constexpr std::size_t kLookEvery = std::size_t{1} << 20;
  IndexList samples;
  std::vector<std::vector<WorkerStream>> places;
  for (const std::vector<IndexList>& workers : ranks) {
    places.emplace_back();
    for (const IndexList& stream : workers) {
      if (work.stopped()) return cancelled();
      places.back().push_back({static_cast<std::int64_t>(samples.size()), 1, static_cast<std::int64_t>(stream.size())});
      samples.insert(samples.end(), stream.begin(), stream.end());
    }
  }
  const IterableLoader loader{spec.loader.batch_size, spec.loader.drop_last, spec.loader.num_workers > 0};
  const auto dealt = loader.deal(places, work);
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

}  // namespace shardlens::sampling
