// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/torch/iterable_dataset.h"

#include "core/base/large_array.h"
#include "core/base/phrase.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/python.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <string>
#include <utility>

namespace shardlens::sampling {
namespace torch_iterable_dataset {
namespace {

/// Batches between two looks at the stop token.
constexpr std::int64_t kLookEvery = 1 << 14;

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "torch.IterableDataset",
      marked("samplers",
             "A stream of samples instead of a sampler: the dataset itself must divide it between ranks and DataLoader "
             "workers."),
      {
          choiceField(
              "sampler.world_split", "none", {"none", "stride"},
              marked("fields",
                     "How __iter__ divides the samples between ranks: not at all, or rank, rank + world size, ....")),
          choiceField("sampler.worker_split", "duplicate", {"duplicate", "stride", "contiguous"},
                      marked("fields",
                             "Which of its rank's samples each worker's copy yields: all of them, every num_workers-th "
                             "one, or one contiguous part.")),
      },
      {marked("samplers",
              "Without get_worker_info() in __iter__ each worker yields every sample: an epoch repeats the dataset "
              "num_workers times."),
       marked("samplers", "drop_last drops one short batch per worker, not one per rank."),
       marked("samplers",
              "Nothing divides the stream between ranks unless the dataset does, and uneven parts leave some ranks "
              "waiting.")},
  };
  return kInfo;
}

/// Whether each rank has samples of its own; otherwise all read one and the same order.
bool dividesWorld(const PipelineSpec& spec) {
  return textParameter(spec, info(), "world_split") == "stride";
}

/// Each `parts`-th sample of the stream, from the k-th on.
WorkerStream strided(const WorkerStream& all, std::int64_t k, std::int64_t parts) {
  return {all.first + k * all.step, all.step * parts, stridedSamples(all.count, parts, k)};
}

WorkerStream streamOf(const WorkerStream& all, const std::string& split, std::int64_t worker, std::int64_t workers) {
  if (split == "duplicate") return all;
  if (split == "stride") return strided(all, worker, workers);
  const std::int64_t part = ceilDiv(all.count, workers);
  const std::int64_t begin = std::min(all.count, worker * part);
  return {all.first + begin * all.step, all.step, std::min(part, all.count - begin)};
}

/// What the rank's workers divide, or read each.
WorkerStream streamOfRank(const PipelineSpec& spec, Rank rank) {
  const WorkerStream all{0, 1, spec.dataset.size};
  return dividesWorld(spec) ? strided(all, rank.value, spec.worldSize()) : all;
}

/// The streams of one rank's workers.
std::vector<WorkerStream> streamsOf(const PipelineSpec& spec, Rank rank) {
  const WorkerStream all = streamOfRank(spec, rank);
  const std::int64_t workers = std::max<std::int64_t>(1, spec.loader.num_workers);
  const std::string split = textParameter(spec, info(), "worker_split");
  std::vector<WorkerStream> streams;
  for (std::int64_t worker = 0; worker < workers; ++worker) streams.push_back(streamOf(all, split, worker, workers));
  return streams;
}

OrderKey key(const PipelineSpec& /*spec*/, Epoch /*epoch*/, Rank /*rank*/) {
  return {info().type, 0, 0};
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& /*key*/, const Work& work) {
  std::vector<std::vector<WorkerStream>> ranks;
  const std::int64_t different = dividesWorld(spec) ? spec.worldSize() : 1;
  for (Rank rank{0}; rank.value < different; ++rank) ranks.push_back(streamsOf(spec, rank));
  return IterableLoader{spec.loader.batch_size, spec.loader.drop_last, spec.loader.num_workers > 0}.deal(ranks, work);
}

/// Writes streams down batch by batch, in the order in which a loader delivers them.
class Dealer {
 public:
  Dealer(const IterableLoader& loader, std::span<std::uint32_t> out, const Work& work)
      : loader_(loader), out_(out), work_(work) {
    deal_.lists_batches = true;
  }

  Result<void> add(std::span<const WorkerStream> streams) {
    Deal::Share share{written_, 0, 0, deal_.batch_ends.size(), 0};
    if (auto done = addBatches(streams); !done) return done;
    for (std::size_t worker = 0; worker < streams.size(); ++worker) drop(streams[worker], worker);
    share.count = written_ - share.first;
    share.batches = static_cast<std::int64_t>(deal_.batch_ends.size() - share.first_batch);
    deal_.shares.push_back(share);
    return {};
  }
  Deal take() && { return std::move(deal_); }

  [[nodiscard]] std::int64_t batchesOf(const WorkerStream& stream) const {
    return loader_.drop_last ? stream.count / loader_.batch_size : ceilDiv(stream.count, loader_.batch_size);
  }

 private:
  /// Round after round each worker that has another batch delivers it.
  Result<void> addBatches(std::span<const WorkerStream> streams) {
    std::vector<std::size_t> live(streams.size());
    for (std::size_t worker = 0; worker < live.size(); ++worker) live[worker] = worker;
    for (std::int64_t round = 0; !live.empty(); ++round) {
      std::erase_if(live, [&](std::size_t worker) { return round >= batchesOf(streams[worker]); });
      for (const std::size_t worker : live) {
        if (stops()) return cancelled();
        const std::int64_t first = round * loader_.batch_size;
        write(streams[worker], first, std::min(first + loader_.batch_size, streams[worker].count));
        deal_.batch_ends.push_back(written_);
        deal_.batch_workers.push_back(idOf(worker));
      }
    }
    return {};
  }

  [[nodiscard]] std::int32_t idOf(std::size_t worker) const {
    return loader_.workers ? static_cast<std::int32_t>(worker) : -1;
  }

  /// What the worker's batches do not hold.
  void drop(const WorkerStream& stream, std::size_t worker) {
    const std::int64_t kept = std::min(batchesOf(stream) * loader_.batch_size, stream.count);
    if (kept == stream.count) return;
    deal_.dropped.push_back({written_, stream.count - kept, idOf(worker)});
    write(stream, kept, stream.count);
  }

  bool stops() {
    if (static_cast<std::int64_t>(deal_.batch_ends.size()) % kLookEvery != 0) return false;
    work_.progress(static_cast<double>(written_) / static_cast<double>(out_.size()));
    return work_.stopped();
  }

  void write(const WorkerStream& stream, std::int64_t first, std::int64_t last) {
    for (std::int64_t k = first; k < last; ++k) {
      out_[static_cast<std::size_t>(written_++)] = static_cast<std::uint32_t>(stream.first + k * stream.step);
    }
  }

  const IterableLoader& loader_;
  std::span<std::uint32_t> out_;
  const Work& work_;
  std::int64_t written_ = 0;
  Deal deal_;
};

/// Of a class that counts what it reads on its rank.
std::vector<std::int64_t> datasetLengths(const PipelineSpec& spec) {
  std::vector<std::int64_t> lengths;
  const std::int64_t different = dividesWorld(spec) ? spec.worldSize() : 1;
  for (Rank rank{0}; rank.value < different; ++rank) lengths.push_back(streamOfRank(spec, rank).count);
  return lengths;
}

SamplerClaims claims(const PipelineSpec& spec) {
  return {.divides = dividesWorld(spec), .is_stream = true, .in_order = RepeatCause::DuplicatingWorkers};
}

}  // namespace
}  // namespace torch_iterable_dataset

Result<OrderPtr> IterableLoader::deal(std::span<const std::vector<WorkerStream>> ranks, const Work& work) const {
  using namespace torch_iterable_dataset;
  std::int64_t samples = 0;
  std::int64_t batches = 0;
  for (const auto& streams : ranks) {
    for (const WorkerStream& stream : streams) {
      samples += stream.count;
      batches += ceilDiv(stream.count, batch_size);
    }
  }
  auto ids = LargeArray<std::uint32_t>::make(static_cast<std::size_t>(samples), "an order");
  if (!ids) return ids.error();
  constexpr double kBytesOfBatch = sizeof(std::int64_t) + sizeof(std::int32_t);
  if (!isAvailable(2 * static_cast<double>(batches) * kBytesOfBatch)) {
    return tooLarge(worded("checks", "The batches of an epoch do not fit in memory."), "",
                    worded("checks", "raise loader.batch_size"));
  }
  Dealer dealer(*this, ids->items(), work);
  for (const auto& streams : ranks) {
    if (auto done = dealer.add(streams); !done) return done.error();
  }
  return Order::dealt(Order::of(std::move(*ids)), std::move(dealer).take());
}

SamplerRule torchIterableDataset() {
  using namespace torch_iterable_dataset;
  return {.info = info(),
          .in_order = true,
          .claims = claims,
          .key = key,
          .order = order,
          .dataset_lengths = datasetLengths};
}

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
  const auto ids = orderOfIds(std::ssize(samples), work,
                              [&](std::int64_t k) { return samples[static_cast<std::size_t>((**dealt)[k])]; });
  if (!ids) return ids;
  return Order::dealt(*ids, *(*dealt)->deal());
}

Result<void> checkRoomForStreams(std::int64_t samples) {
  constexpr double kBytesOfSample = 32;  // in a stream, a buffer, and the order
  if (isAvailable(static_cast<double>(samples) * kBytesOfSample)) return {};
  return tooLarge(worded("checks", "The samples of all workers do not fit in memory."), "",
                  worded("checks", "read fewer"));
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
