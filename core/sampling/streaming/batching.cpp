// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/streaming/batching.h"

#include "core/base/phrase.h"
#include "core/random/numpy_generator.h"
#include "core/sampling/python.h"
#include "core/sampling/streaming/shuffle.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>

namespace shardlens::sampling {
namespace {

/// Streams drawn anew for an epoch: the sizes of the pieces, and each drawn sample's id in the dataset.
struct Resampled {
  std::vector<std::int64_t> units;
  StreamingIds ids;
  bool as_stored = true;  ///< the ids are 0, 1, 2, ...
};

void drawShard(Resampled& out, std::int64_t first, std::int64_t size, std::int64_t chosen, NumpyGenerator& rng) {
  if (size == 0) return;
  for (std::int64_t round = 0; round < chosen / size; ++round) {
    out.units.push_back(size);
    out.ids.resize(out.ids.size() + static_cast<std::size_t>(size));
    std::iota(out.ids.end() - size, out.ids.end(), static_cast<std::uint32_t>(first));
  }
  if (chosen % size == 0) return;
  out.units.push_back(chosen % size);
  std::vector<std::int64_t> part = rng.choice(size, chosen % size);
  std::ranges::sort(part);
  for (const std::int64_t i : part) out.ids.push_back(static_cast<std::uint32_t>(first + i));
}

/// Everything a batching method needs of the streams.
class Streams {
 public:
  Streams(const StreamingEpoch& epoch, const StreamingWeights& weights, const Work& work)
      : epoch_(epoch), weights_(weights), work_(work) {}

  /// resample_streams of the streams from `first` to before `last`.
  [[nodiscard]] Result<Resampled> resample(std::size_t first, std::size_t last) const {
    NumpyGenerator rng(static_cast<std::uint64_t>(epoch_.shuffle_seed) +
                       static_cast<std::uint64_t>(epoch_.balanced ? epoch_.epoch : 0));
    Resampled out;
    std::int64_t offset = 0;
    for (std::size_t s = 0; s < last; ++s) {
      const auto& shards = epoch_.streams[s].shards;
      if (s < first) {
        offset = std::accumulate(shards.begin(), shards.end(), offset);
        continue;
      }
      const auto chosen = streamingSampling(shards, weights_.chosen[s], epoch_.sampling_granularity,
                                            epoch_.shuffle_seed, epoch_.epoch, epoch_.epoch_seed_change);
      if (!chosen) return chosen.error();
      for (std::size_t i = 0; i < shards.size(); offset += shards[i++]) {
        if (work_.stopped()) return cancelled();
        out.as_stored = out.as_stored && (*chosen)[i] == shards[i] && std::ssize(out.ids) == offset;
        drawShard(out, offset, shards[i], (*chosen)[i], rng);
      }
    }
    if (out.ids.empty())
      return raised("ValueError", "need at least one array to concatenate", {}, worded("checks", "no sample is drawn"));
    return out;
  }

  /// The partition with the samples themselves in it.
  [[nodiscard]] Result<StreamingWork> fill(const Resampled& drawn, const StreamingPartition& partition,
                                           std::int64_t block_size) const {
    Result<StreamingWork> filled = streamingPartition(partition, work_);
    if (!filled) return filled;
    StreamingIds shuffled;
    if (epoch_.shuffle) {
      auto order = streamingShuffle(
          drawn.units,
          {epoch_.shuffle_algo, epoch_.num_canonical_nodes, static_cast<std::uint64_t>(epoch_.shuffle_seed),
           static_cast<std::uint64_t>(epoch_.epoch), block_size},
          work_.part(0.1, 0.8));
      if (!order) return order.error();
      shuffled = std::move(*order);
      const bool done = inParts(drawn.as_stored ? 0 : shuffled.size(), work_, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) shuffled[i] = drawn.ids[shuffled[i]];
      });
      if (!done) return cancelled();
    }
    const StreamingIds& map = epoch_.shuffle ? shuffled : drawn.ids;
    const bool done = inParts(filled->ids.size(), work_, [&](std::size_t first, std::size_t last) {
      for (std::uint32_t& id : std::span(filled->ids).subspan(first, last - first)) {
        if (id != kNoSample) id = map[streamingSample(id)] | (id & kRepeated);
      }
    });
    return done ? std::move(filled) : cancelled();
  }

  /// One stream's share of work, partitioned over this many nodes in batches of this size.
  [[nodiscard]] Result<StreamingWork> stream(std::size_t s, std::int64_t nodes, std::int64_t batch,
                                             bool refuse_empty_block = false) const {
    const Result<Resampled> drawn = resample(s, s + 1);
    if (!drawn) return drawn.error();
    const double proportion = weights_.proportions[s];
    const auto block = static_cast<std::int64_t>(static_cast<double>(epoch_.shuffle_block_size) * proportion);
    StreamingPartition partition = partitionOf(static_cast<std::int64_t>(drawn->ids.size()));
    partition.nodes = nodes;
    partition.batch = batch;
    partition.drop_first = 0;
    if (refuse_empty_block && epoch_.shuffle && block == 0) {
      return raised("ValueError",
                    "Samples from stream " + std::to_string(s) +
                        " are not being used. Please either increase the `shuffle_block_size` from " +
                        std::to_string(epoch_.shuffle_block_size) + ", or increase the stream proportion from " +
                        pyText(proportion) + ".",
                    "sampler.shuffle_block_size");
    }
    return fill(*drawn, partition, block);
  }

  [[nodiscard]] StreamingPartition partitionOf(std::int64_t samples) const {
    return {epoch_.relaxed,
            samples,
            epoch_.num_canonical_nodes,
            epoch_.nodes,
            epoch_.ranks,
            epoch_.workers,
            epoch_.batch,
            epoch_.sample_in_epoch,
            epoch_.initial_physical_nodes};
  }
  [[nodiscard]] std::size_t size() const { return epoch_.streams.size(); }
  [[nodiscard]] const StreamingEpoch& epoch() const { return epoch_; }
  [[nodiscard]] const StreamingWeights& weights() const { return weights_; }
  [[nodiscard]] const Work& work() const { return work_; }
  [[nodiscard]] NumpyGenerator originsGenerator() const {
    return NumpyGenerator(static_cast<std::uint64_t>(epoch_.shuffle_seed) +
                          static_cast<std::uint64_t>(epoch_.epoch_seed_change ? epoch_.epoch : 0));
  }

 private:
  const StreamingEpoch& epoch_;
  const StreamingWeights& weights_;
  const Work& work_;
};

/// Ids put together piece by piece, with a look at the work every some milliseconds.
class Collected {
 public:
  Collected(std::size_t room, const Work& work) : work_(work) { ids_.reserve(room); }

  /// False when stopped.
  [[nodiscard]] bool add(const StreamingIds& from, std::int64_t first, std::int64_t count) {
    constexpr std::size_t kLookEvery = std::size_t{1} << 20;
    const auto begin = from.begin() + first;
    ids_.insert(ids_.end(), begin, begin + count);
    if (ids_.size() < next_look_) return true;
    next_look_ = ids_.size() + kLookEvery;
    return !work_.stopped();
  }
  [[nodiscard]] StreamingIds take() && { return std::move(ids_); }

 private:
  const Work& work_;
  StreamingIds ids_;
  std::size_t next_look_ = 0;
};

/// How many ids lists have together.
std::size_t sizeOfAll(std::span<const StreamingIds> lists) {
  return std::accumulate(lists.begin(), lists.end(), std::size_t{0},
                         [](std::size_t sum, const StreamingIds& ids) { return sum + ids.size(); });
}

/// How many batches of `size` have no hole; a shorter one at the end does not count.
std::int64_t fullBatches(const StreamingIds& ids, std::int64_t size) {
  std::int64_t full = 0;
  for (auto first = ids.begin(); ids.end() - first >= size; first += size) {
    if (std::find(first, first + size, kNoSample) == first + size) ++full;
  }
  return full;
}

/// Drops the batches that are done, and pads to a whole number of batches for every worker.
StreamingWork finish(const StreamingEpoch& epoch, StreamingIds ids) {
  StreamingWork out{epoch.nodes, epoch.ranks, epoch.workers, epoch.batch, {}};
  const std::int64_t global = out.globalBatch();
  const auto size = static_cast<std::int64_t>(ids.size());
  ids.erase(ids.begin(), ids.begin() + std::min(size, epoch.sample_in_epoch / global * global));
  const auto round = static_cast<std::size_t>(global * epoch.workers);
  ids.resize((ids.size() + round - 1) / round * round, kNoSample);
  out.ids = std::move(ids);
  return out;
}

/// Batches of all streams, stream behind stream, in the order that a shuffled list of their origins says.
Result<StreamingIds> mixBatches(std::span<const StreamingIds> streams, std::span<const std::int64_t> batches,
                                std::int64_t size, NumpyGenerator& rng, const Work& work) {
  std::vector<std::uint32_t> origins;
  for (std::size_t s = 0; s < batches.size(); ++s) {
    origins.insert(origins.end(), static_cast<std::size_t>(batches[s]), static_cast<std::uint32_t>(s));
  }
  rng.shuffle(std::span(origins));
  std::vector<std::int64_t> used(streams.size(), 0);
  Collected mixed(sizeOfAll(streams), work);
  for (const std::uint32_t s : origins) {
    if (!mixed.add(streams[s], used[s]++ * size, size)) return cancelled();
  }
  return std::move(mixed).take();
}

/// How many batches of this size each stream fills, or the error of one that fills none.
Result<std::vector<std::int64_t>> batchesOf(std::span<const StreamingIds> parts, std::int64_t size,
                                            const std::string& not_one) {
  std::vector<std::int64_t> batches;
  for (std::size_t s = 0; s < parts.size(); ++s) {
    batches.push_back(fullBatches(parts[s], size));
    if (batches.back() > 0) continue;
    return raised("ValueError",
                  "Stream with index " + std::to_string(s) +
                      " does not have an adequate number of samples to construct " + not_one,
                  "loader.batch_size", worded("checks", "lower it, or give the stream more samples"));
  }
  return batches;
}

Result<StreamingWork> perStream(const Streams& streams) {
  const StreamingEpoch& epoch = streams.epoch();
  const std::int64_t global = epoch.batch * epoch.ranks * epoch.nodes;
  std::vector<StreamingIds> parts;
  for (std::size_t s = 0; s < streams.size(); ++s) {
    auto part = streams.stream(s, epoch.nodes, epoch.batch);
    if (!part) return part;
    parts.push_back(std::move(part->ids));
  }
  const auto batches =
      batchesOf(parts, global, "a complete global batch. Training will occur without any samples from this stream.");
  if (!batches) return batches.error();
  NumpyGenerator rng = streams.originsGenerator();
  auto mixed = mixBatches(parts, *batches, global, rng, streams.work());
  if (!mixed) return mixed.error();
  return finish(epoch, std::move(*mixed));
}

/// How many samples of each global batch come from each stream.
Result<std::vector<std::int64_t>> batchPortions(const StreamingWeights& weights, std::int64_t global) {
  std::vector<std::int64_t> portions;
  std::vector<double> leftovers;
  for (const double proportion : weights.proportions) {
    const double share = static_cast<double>(global) * proportion;
    portions.push_back(static_cast<std::int64_t>(share));
    leftovers.push_back(share - static_cast<double>(portions.back()));
  }
  const auto streams = static_cast<std::int64_t>(portions.size());
  const std::int64_t missing = global - std::accumulate(portions.begin(), portions.end(), std::int64_t{0});
  std::vector<std::size_t> closest(portions.size());
  std::iota(closest.begin(), closest.end(), std::size_t{0});
  std::ranges::stable_sort(closest, [&](auto a, auto b) { return leftovers[a] < leftovers[b]; });
  std::ranges::reverse(closest);
  for (std::int64_t i = 0; i < std::clamp<std::int64_t>(missing, 0, streams); ++i) {
    ++portions[closest[static_cast<std::size_t>(i)]];
  }
  for (std::size_t s = 0; s < portions.size(); ++s) {
    if (portions[s] > 0) continue;
    const std::string stream = std::to_string(s);
    std::string text = "Number of samples for stream ";
    text.append(stream).append(" is ").append(std::to_string(portions[s]));
    text.append(" because the portion of this stream in the global batch, which is of size ");
    text.append(std::to_string(global)).append(", is too low. Please increase the global batch size or increase ");
    text.append("the proportion of total samples that come from stream ").append(stream).append(".");
    return raised("ValueError", std::move(text), "loader.batch_size");
  }
  return portions;
}

Result<StreamingWork> stratified(const Streams& streams) {
  const StreamingEpoch& epoch = streams.epoch();
  if (streams.weights().epoch_size == 0)
    return raised("ValueError", "cannot convert float NaN to integer", {}, worded("checks", "no sample is drawn"));
  std::vector<StreamingIds> parts;
  for (std::size_t s = 0; s < streams.size(); ++s) {
    auto part = streams.stream(s, 1, 1);
    if (!part) return part;
    parts.push_back(std::move(part->ids));
  }
  const auto portions = batchPortions(streams.weights(), epoch.batch * epoch.ranks * epoch.nodes);
  if (!portions) return portions.error();
  std::int64_t batches = std::numeric_limits<std::int64_t>::max();
  for (std::size_t s = 0; s < parts.size(); ++s) batches = std::min(batches, fullBatches(parts[s], (*portions)[s]));
  Collected ids(sizeOfAll(parts), streams.work());
  for (std::int64_t b = 0; b < batches; ++b) {
    for (std::size_t s = 0; s < parts.size(); ++s) {
      if (!ids.add(parts[s], b * (*portions)[s], (*portions)[s])) return cancelled();
    }
  }
  return finish(epoch, std::move(ids).take());
}

/// What some consecutive nodes of a partition in batches of one hold, in the order of training.
Result<StreamingIds> ofNodes(const StreamingWork& part, std::int64_t first, std::int64_t count, const Work& work) {
  const std::int64_t row = part.nodes * part.ranks;
  const auto size = static_cast<std::int64_t>(part.ids.size());
  Collected ids(part.ids.size() / static_cast<std::size_t>(part.nodes) * static_cast<std::size_t>(count), work);
  for (std::int64_t at = 0; at < size; at += row) {
    if (!ids.add(part.ids, at + first * part.ranks, count * part.ranks)) return cancelled();
  }
  return std::move(ids).take();
}

/// What one node holds of each stream, and how many device batches that fills.
struct NodeStreams {
  std::vector<StreamingIds> streams;
  std::vector<std::int64_t> batches;
};

/// Streams that were partitioned over the canonical nodes, dealt to the nodes. Every node is looked at before one is
/// mixed, so that the first to lack batches raises.
Result<std::vector<NodeStreams>> dealNodes(const StreamingEpoch& epoch, std::span<const StreamingWork> parts,
                                           const Work& work) {
  const std::int64_t canonical = epoch.num_canonical_nodes / epoch.nodes;
  std::vector<NodeStreams> nodes(static_cast<std::size_t>(epoch.nodes));
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    for (const StreamingWork& part : parts) {
      auto ids = ofNodes(part, static_cast<std::int64_t>(n) * canonical, canonical, work);
      if (!ids) return ids.error();
      nodes[n].streams.push_back(std::move(*ids));
    }
    auto batches = batchesOf(nodes[n].streams, epoch.batch,
                             "even a single device batch of size " + std::to_string(epoch.batch) +
                                 ". Training will occur without any samples from this stream!");
    if (!batches) return batches.error();
    nodes[n].batches = std::move(*batches);
  }
  return nodes;
}

/// Device batches of the nodes in turn; shorter nodes end in holes.
Result<StreamingIds> interleave(const StreamingEpoch& epoch, std::vector<StreamingIds>& nodes, const Work& work) {
  std::size_t most = 0;
  const auto batch = static_cast<std::size_t>(epoch.batch);
  for (const StreamingIds& node : nodes) most = std::max(most, node.size() / batch);
  const auto devices = static_cast<std::size_t>(epoch.nodes * epoch.ranks);
  most += devices - most % devices;
  for (StreamingIds& node : nodes) node.resize(most * batch, kNoSample);
  Collected ids(sizeOfAll(nodes), work);
  for (std::size_t b = 0; b < most * batch; b += batch) {
    for (const StreamingIds& node : nodes) {
      if (!ids.add(node, static_cast<std::int64_t>(b), epoch.batch)) return cancelled();
    }
  }
  return std::move(ids).take();
}

Result<StreamingWork> devicePerStream(const Streams& streams) {
  const StreamingEpoch& epoch = streams.epoch();
  if (epoch.num_canonical_nodes % epoch.nodes != 0) {
    return raised("ValueError",
                  "For `device_per_stream` batching, num_canonical_nodes must be divisible by physical nodes. Got " +
                      std::to_string(epoch.num_canonical_nodes) + " canonical nodes and " +
                      std::to_string(epoch.nodes) + " physical nodes.",
                  "sampler.num_canonical_nodes");
  }
  std::vector<StreamingWork> parts;
  for (std::size_t s = 0; s < streams.size(); ++s) {
    auto part = streams.stream(s, epoch.num_canonical_nodes, 1, true);
    if (!part) return part;
    parts.push_back(std::move(*part));
  }
  auto nodes = dealNodes(epoch, parts, streams.work());
  if (!nodes) return nodes.error();
  NumpyGenerator rng = streams.originsGenerator();
  std::vector<StreamingIds> mixed;
  for (const NodeStreams& node : *nodes) {
    auto ids = mixBatches(node.streams, node.batches, epoch.batch, rng, streams.work());
    if (!ids) return ids.error();
    mixed.push_back(std::move(*ids));
  }
  auto ids = interleave(epoch, mixed, streams.work());
  if (!ids) return ids.error();
  return finish(epoch, std::move(*ids));
}

}  // namespace

Result<StreamingWork> streamingWork(const StreamingEpoch& epoch, const StreamingWeights& weights, const Work& work) {
  const Streams streams(epoch, weights, work);
  if (epoch.batching_method == "stratified") return stratified(streams);
  if (epoch.batching_method == "per_stream") return perStream(streams);
  if (epoch.batching_method == "device_per_stream") return devicePerStream(streams);
  const Result<Resampled> drawn = streams.resample(0, streams.size());
  if (!drawn) return drawn.error();
  return streams.fill(*drawn, streams.partitionOf(weights.epoch_size), epoch.shuffle_block_size);
}

}  // namespace shardlens::sampling
