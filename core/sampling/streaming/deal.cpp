// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/streaming/deal.h"

#include "core/base/large_array.h"
#include "core/sampling/streaming/draws.h"
#include "core/sampling/torch/iterable_dataset.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace shardlens::sampling {
namespace {

using Ids = LargeArray<std::uint32_t>;

std::size_t sizeOf(std::int64_t count) {
  return static_cast<std::size_t>(count);
}

/// Streaming's tensor, device by device: the batches of a device's workers in turn.
class Devices {
 public:
  explicit Devices(const StreamingWork& tensor) : tensor_(tensor) {}

  [[nodiscard]] std::int64_t count() const { return tensor_.nodes * tensor_.ranks; }
  [[nodiscard]] std::int64_t rounds() const { return tensor_.batches() * tensor_.workers; }
  /// What the device has in this round; worker (round mod workers) reads it.
  [[nodiscard]] std::span<const std::uint32_t> batch(std::int64_t round, std::int64_t device) const {
    const std::int64_t first = round * tensor_.globalBatch() + device * tensor_.batch;
    return std::span(tensor_.ids).subspan(sizeOf(first), sizeOf(tensor_.batch));
  }

 private:
  const StreamingWork& tensor_;
};

std::int64_t filledIn(std::span<const std::uint32_t> batch) {
  return static_cast<std::int64_t>(batch.size()) - std::count(batch.begin(), batch.end(), kNoSample);
}

/// How many samples each worker of each device yields.
struct Counts {
  std::vector<std::vector<WorkerStream>> streams;
  std::int64_t samples = 0;
  bool holes_at_end = true;  ///< of every device: its batches are full, until one is not, and then empty
};

Result<Counts> countOf(const StreamingWork& tensor, const Work& work) {
  const Devices devices(tensor);
  Counts counts;
  counts.streams.resize(sizeOf(devices.count()));
  for (std::int64_t device = 0; device < devices.count(); ++device) {
    auto& streams = counts.streams[sizeOf(device)];
    streams.resize(sizeOf(tensor.workers));
    bool ended = false;
    for (std::int64_t round = 0; round < devices.rounds(); ++round) {
      if (round % (1 << 10) == 0 && work.stopped()) return cancelled();
      const auto batch = devices.batch(round, device);
      const std::int64_t filled = filledIn(batch);
      streams[sizeOf(round % tensor.workers)].count += filled;
      const bool front = std::find(batch.begin(), batch.end(), kNoSample) - batch.begin() == filled;
      counts.holes_at_end = counts.holes_at_end && front && !(ended && filled > 0);
      ended = ended || filled < tensor.batch;
    }
    for (WorkerStream& stream : streams) stream.first = std::exchange(counts.samples, counts.samples + stream.count);
  }
  return counts;
}

/// The ids one worker behind the other, or batch behind batch on each device.
Result<Ids> write(const StreamingWork& tensor, const Counts& counts, bool by_worker, const Work& work) {
  const Devices devices(tensor);
  auto ids = Ids::make(sizeOf(counts.samples), "an order");
  if (!ids) return ids;
  for (std::int64_t device = 0; device < devices.count(); ++device) {
    const auto& streams = counts.streams[sizeOf(device)];
    std::vector<std::int64_t> next;
    for (const WorkerStream& stream : streams) next.push_back(stream.first);
    for (std::int64_t round = 0; round < devices.rounds(); ++round) {
      if (round % (1 << 10) == 0 && work.stopped()) return cancelled();
      std::int64_t& at = next[by_worker ? sizeOf(round % tensor.workers) : 0];
      for (const std::uint32_t id : devices.batch(round, device)) {
        if (id != kNoSample) ids->items()[sizeOf(at++)] = id;
      }
    }
    work.progress(static_cast<double>(device) / static_cast<double>(devices.count()));
  }
  return ids;
}

/// Takes kRepeated out of the ids, and says where it was.
Result<std::vector<std::int64_t>> takeMarks(std::span<std::uint32_t> ids, const Work& work) {
  std::vector<std::int64_t> marked;
  const bool done = inParts(ids.size(), work, [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) {
      if ((ids[k] & kRepeated) == 0) continue;
      marked.push_back(static_cast<std::int64_t>(k));
      ids[k] = streamingSample(ids[k]);
    }
  });
  if (!done) return cancelled();
  return marked;
}

/// The order of these ids; each device's share is that of its `replication` ranks.
Result<OrderPtr> finish(Ids ids, Deal deal, std::int64_t replication, const Work& work) {
  auto marked = takeMarks(ids.items(), work);
  if (!marked) return marked.error();
  deal.padded = std::move(*marked);
  std::vector<Deal::Share> shares;
  for (const Deal::Share& share : deal.shares) shares.insert(shares.end(), sizeOf(replication), share);
  deal.shares = std::move(shares);
  return Order::dealt(Order::of(std::move(ids)), std::move(deal));
}

/// Each device's items in one piece, of which the loader's batches are consecutive ones.
Result<OrderPtr> dealWhole(const StreamingWork& tensor, const Counts& counts, std::int64_t replication,
                           const Work& work) {
  auto ids = write(tensor, counts, false, work);
  if (!ids) return ids.error();
  Deal deal;
  for (const auto& streams : counts.streams) {
    const WorkerStream& last = streams.back();
    deal.shares.push_back({streams[0].first, last.first + last.count - streams[0].first, 0, 0, 0});
  }
  return finish(std::move(*ids), std::move(deal), replication, work);
}

/// Each worker's items cut into batches of its own.
Result<OrderPtr> dealByWorker(const PipelineSpec& spec, const StreamingWork& tensor, const Counts& counts,
                              std::int64_t replication, const Work& work) {
  const auto streams = write(tensor, counts, true, work.part(0, 0.5));
  if (!streams) return streams.error();
  const IterableLoader loader{spec.loader.batch_size, spec.loader.drop_last, spec.loader.num_workers > 0};
  auto places = loader.deal(counts.streams, work.part(0.5, 1));
  if (!places) return places;
  auto ids = Ids::make(streams->size(), "an order");
  if (!ids) return ids.error();
  const bool done = inParts(ids->size(), work, [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) {
      ids->items()[k] = streams->items()[sizeOf((**places)[static_cast<std::int64_t>(k)])];
    }
  });
  if (!done) return cancelled();
  return finish(std::move(*ids), *(*places)->deal(), replication, work);
}

}  // namespace

Result<OrderPtr> dealStreaming(const PipelineSpec& spec, const StreamingWork& tensor, std::int64_t replication,
                               const Work& work) {
  const auto counts = countOf(tensor, work);
  if (!counts) return counts.error();
  const bool whole = counts->holes_at_end && spec.loader.batch_size == tensor.batch;
  return whole ? dealWhole(tensor, *counts, replication, work) : dealByWorker(spec, tensor, *counts, replication, work);
}

}  // namespace shardlens::sampling
