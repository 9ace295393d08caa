// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_array.h"
#include "core/base/phrase.h"
#include "core/sampling/equal_nodes.h"
#include "core/sampling/python.h"
#include "core/sampling/rules.h"
#include "core/sampling/streaming/batching.h"
#include "core/sampling/streaming/shuffle.h"
#include "core/sampling/torch/iterable_dataset.h"
#include "core/spec/field.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
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

/// What the spec's DataLoaders deliver from Streaming's tensor: each worker yields its part of it without the holes,
/// and cuts batches of loader.batch_size. `replication` consecutive ranks read the same; the tensor is that of world
/// size / replication ranks, and has the spec's workers.
Result<OrderPtr> dealStreaming(const PipelineSpec& spec, const StreamingWork& tensor, std::int64_t replication,
                               const Work& work) {
  const auto counts = countOf(tensor, work);
  if (!counts) return counts.error();
  const bool whole = counts->holes_at_end && spec.loader.batch_size == tensor.batch;
  return whole ? dealWhole(tensor, *counts, replication, work) : dealByWorker(spec, tensor, *counts, replication, work);
}

}  // namespace

namespace streaming_dataset {
namespace {

constexpr std::int64_t kStreamingUnset = -1;  ///< in a list: this stream has no such weight

constexpr std::int64_t kMostOfAField = kMostStreamingSamples;
constexpr std::int64_t kMostNodes = 100'000'000;
constexpr std::int64_t kMostBlock = std::int64_t{1} << 53;

using K = FieldKind;

Field weights(const char* path, K kind, Value none, std::string help) {
  return {path, kind, std::move(none), kStreamingUnset, kMostOfAField, {}, "one per stream", std::move(help)};
}

/// How samples are shuffled and cut into nodes and batches.
std::vector<Field> shuffling() {
  return {
      boolField("sampler.shuffle", false, marked("fields", "Shuffle the samples; Streaming's default is off.")),
      choiceField("sampler.shuffle_algo", "py1e", {"py1e", "py1s", "py2s", "py1br", "naive"},
                  marked("fields",
                         "How samples are shuffled: by moving spans at random, within shards once or twice, within "
                         "blocks, or all at once.")),
      seedField("sampler.shuffle_seed", 9176, INT64_MIN, INT64_MAX,
                marked("fields", "Seed of sampling and shuffling.")),
      intOrNameField(
          "sampler.shuffle_block_size", "none", -kMostOfAField, kMostBlock, "samples",
          marked("fields", "Unit of py1e and py1br; none means max(4 000 000 // num_canonical_nodes, 262 144).")),
      intOrNameField("sampler.num_canonical_nodes", "none", 0, kMostNodes, "nodes",
                     marked("fields",
                            "Parts that the samples are cut into before the nodes share them; none means the nodes of "
                            "the first run, or 64 times as many with py1s and py2s.")),
      choiceField("sampler.partition_algo", "relaxed", {"relaxed", "orig"},
                  marked("fields",
                         "Whether a resumed run may use a number of nodes that does not divide the canonical nodes.")),
      choiceField("sampler.batching_method", "random", {"random", "stratified", "per_stream", "device_per_stream"},
                  marked("fields",
                         "What a batch holds: samples of any stream, a fixed share of every stream, or one stream per "
                         "global batch or per rank's batch.")),
      Field{.path = "sampler.batch_size",
            .kind = K::IntOrName,
            .fallback = std::string("loader"),
            .min = 1,
            .max = kMostOfAField,
            .choices = {"loader", "none"},
            .unit = "per rank",
            .help = marked("fields", "batch_size of the dataset: the loader's, as it must be, another one, or none.")},
  };
}

/// What an epoch takes from each stream, and where a resumed run begins.
std::vector<Field> streams() {
  return {
      choiceField(
          "sampler.sampling_method", "balanced", {"balanced", "fixed"},
          marked(
              "fields",
              "Whether a stream that is only partly used gives different samples in each epoch, or always the same.")),
      intField("sampler.sampling_granularity", 1, -kMostOfAField, kMostOfAField, "samples",
               marked("fields", "Samples that a partial repeat of a stream takes from one shard at a time.")),
      intOrNameField(
          "sampler.epoch_size", "none", -kMostOfAField, kMostOfAField, "samples",
          marked("fields", "Samples in an epoch, over all streams; none means as many as the streams have.")),
      {"sampler.streams",
       K::Indices,
       IndexList{},
       0,
       kMostOfAField,
       {},
       "shards each",
       marked("fields",
              "How many of dataset.shards each stream has, in order; an empty list means one stream of all shards.")},
      weights(
          "sampler.proportion", K::Numbers, NumberList{},
          marked("fields",
                 "Weight of each stream relative to the others; an empty list, or -1 for a stream, means not set.")),
      weights("sampler.repeat", K::Numbers, NumberList{},
              marked("fields", "How often each stream is repeated; an empty list, or -1 for a stream, means not set.")),
      weights("sampler.choose", K::Indices, IndexList{},
              marked("fields", "Samples taken from each stream; an empty list, or -1 for a stream, means not set.")),
      intOrNameField(
          "sampler.replication", "none", -kMostOfAField, kMostOfAField, "ranks",
          marked("fields", "How many neighbouring ranks read the same samples, for tensor or sequence parallelism.")),
      intField("sampler.epoch", 0, 0, kMostOfAField, "",
               marked("fields", "Epoch that the loaded state was saved in: only this one begins at sample_in_epoch.")),
      intField("sampler.sample_in_epoch", 0, 0, kMostOfAField, "samples",
               marked("fields", "Samples that all ranks together had seen of that epoch when the state was saved.")),
      intOrNameField("sampler.initial_physical_nodes", "none", 1, kMostNodes, "nodes",
                     marked("fields", "Nodes of the run that saved the first state; none when nothing is resumed.")),
  };
}

std::vector<Field> streamingParameters() {
  std::vector<Field> all = shuffling();
  for (Field& field : streams()) all.push_back(std::move(field));
  return all;
}

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "streaming.StreamingDataset",
      marked("samplers",
             "Samples the streams, cuts them into canonical nodes, shuffles shards inside those and divides the epoch "
             "among nodes, ranks and workers, in the same way for any number of nodes."),
      streamingParameters(),
      {marked("samplers",
              "The dataset needs the loader's batch_size: with another one the batches mix what the dataset keeps "
              "apart, and a resumed run begins in the wrong place; without one it raises when iterated."),
       marked("samplers",
              "The order is the same for another number of nodes only while the global batch size stays the same (PR "
              "476) and num_canonical_nodes is set: by default it follows the nodes of the first run, 64 times with "
              "py1s and py2s (PR 479)."),
       marked("samplers",
              "Canonical nodes of uneven size repeat their last sample, and with fewer samples than canonical nodes "
              "the dataset is repeated over and over (#380)."),
       marked(
           "samplers",
           "num_canonical_nodes must divide the number of nodes or be a multiple of it; otherwise iterating raises."),
       marked("samplers",
              "per_stream and device_per_stream drop batches that are not full, and stratified drops the rest of the "
              "longer streams, with only a line in the log."),
       marked("samplers",
              "sample_in_epoch counts samples of all ranks: a state saved by a loader that does not count them resumes "
              "in the wrong place.")},
      {"dataset.shards"}};
  return kInfo;
}

/// The number, if it is one and no name.
std::optional<std::int64_t> given(const PipelineSpec& spec, const char* key) {
  return intIfGiven(spec, info(), key);
}

/// The list's weight of stream s, if it has one.
template <class Number>
std::optional<Number> weightOf(const SharedList<Number>& list, std::size_t s) {
  if (s >= list.size() || list[s] == static_cast<Number>(kStreamingUnset)) return std::nullopt;
  return list[s];
}

Result<std::vector<StreamingStream>> shardsOfStreams(const PipelineSpec& spec) {
  const IndexList& all = spec.dataset.shards;
  const IndexList shards = all.empty() ? IndexList{spec.dataset.size} : all;
  auto counts = std::get<IndexList>(parameter(spec, info(), "streams"));
  const auto whole = static_cast<std::int64_t>(shards.size());
  if (counts.empty()) counts = {whole};
  std::vector<StreamingStream> streams;
  std::int64_t first = 0;
  for (const std::int64_t count : counts) {
    if (count > whole - first) break;
    streams.push_back({{shards.begin() + first, shards.begin() + first + count}, {}, {}, {}});
    first += count;
  }
  if (first == whole && streams.size() == counts.size()) return streams;
  return refused(filled(worded("checks", "The streams' numbers of shards do not add up to the %1 of dataset.shards."),
                        std::to_string(whole)),
                 "sampler.streams", worded("checks", "say how many of dataset.shards each stream has"));
}

Result<std::vector<StreamingStream>> streamsOf(const PipelineSpec& spec) {
  auto streams = shardsOfStreams(spec);
  if (!streams) return streams;
  const auto proportion = std::get<NumberList>(parameter(spec, info(), "proportion"));
  const auto repeat = std::get<NumberList>(parameter(spec, info(), "repeat"));
  const auto choose = std::get<IndexList>(parameter(spec, info(), "choose"));
  const std::pair<const char*, std::size_t> lists[] = {
      {"sampler.proportion", proportion.size()}, {"sampler.repeat", repeat.size()}, {"sampler.choose", choose.size()}};
  for (const auto& [field, size] : lists) {
    if (size == 0 || size == streams->size()) continue;
    return refused(filled(worded("checks", "There are %1 streams, and weights of %2."), std::to_string(streams->size()),
                          std::to_string(size)),
                   field, worded("checks", "give one for each stream of sampler.streams, -1 for none"));
  }
  for (std::size_t s = 0; s < streams->size(); ++s) {
    (*streams)[s].proportion = weightOf(proportion, s);
    (*streams)[s].repeat = weightOf(repeat, s);
    (*streams)[s].choose = weightOf(choose, s);
  }
  return streams;
}

/// World.replicate: the nodes and ranks of a node that the dataset believes in.
PipelineSpec::World parallelWorld(const PipelineSpec& spec) {
  const auto replication = given(spec, "replication");
  if (!replication) return spec.world;
  const std::int64_t ranks = spec.worldSize() / *replication;
  const std::int64_t per_node = spec.world.mostRanksOnNode();
  const std::int64_t nodes = ranks % per_node == 0 ? ranks / per_node : 1;
  return {nodes, ranks / nodes};
}

std::int64_t batchOf(const PipelineSpec& spec) {
  return given(spec, "batch_size").value_or(spec.loader.batch_size);
}

std::int64_t canonicalNodes(const PipelineSpec& spec) {
  if (const auto nodes = given(spec, "num_canonical_nodes"); nodes.value_or(0) != 0) return *nodes;
  const std::int64_t nodes = given(spec, "initial_physical_nodes").value_or(parallelWorld(spec).nodes);
  const std::string algorithm = textParameter(spec, info(), "shuffle_algo");
  return algorithm == "py1s" || algorithm == "py2s" ? 64 * nodes : nodes;
}

StreamingEpoch settings(const PipelineSpec& spec, std::vector<StreamingStream> streams, std::int64_t epoch) {
  StreamingEpoch out;
  const PipelineSpec::World world = parallelWorld(spec);
  out.streams = std::move(streams);
  out.batching_method = textParameter(spec, info(), "batching_method");
  out.shuffle = boolParameter(spec, info(), "shuffle");
  out.shuffle_algo = *streamingShuffleNamed(textParameter(spec, info(), "shuffle_algo"));
  out.shuffle_seed = intParameter(spec, info(), "shuffle_seed");
  out.num_canonical_nodes = canonicalNodes(spec);
  const std::int64_t block = std::max<std::int64_t>(4'000'000 / out.num_canonical_nodes, 1 << 18);
  out.shuffle_block_size = given(spec, "shuffle_block_size").value_or(block);
  out.relaxed = textParameter(spec, info(), "partition_algo") == "relaxed";
  out.balanced = textParameter(spec, info(), "sampling_method") == "balanced";
  out.epoch_seed_change = out.shuffle && out.balanced;
  out.sampling_granularity = intParameter(spec, info(), "sampling_granularity");
  out.epoch_size = given(spec, "epoch_size").value_or(0);
  out.epoch = epoch;
  if (epoch >= intParameter(spec, info(), "epoch")) out.initial_physical_nodes = given(spec, "initial_physical_nodes");
  if (epoch == intParameter(spec, info(), "epoch")) out.sample_in_epoch = intParameter(spec, info(), "sample_in_epoch");
  out.nodes = world.nodes;
  out.ranks = world.mostRanksOnNode();
  out.workers = std::max<std::int64_t>(1, spec.loader.num_workers);
  out.batch = batchOf(spec);
  return out;
}

Result<void> checkReplication(const PipelineSpec& spec) {
  const auto replication = given(spec, "replication");
  if (!replication) return {};
  if (*replication <= 0) return raised("ValueError", "Replication factor must be positive.", "sampler.replication");
  if (spec.worldSize() % *replication == 0) return {};
  return raised("ValueError", "World size must be divisible by your replication factor.", "sampler.replication");
}

Result<void> checkNumbers(const PipelineSpec& spec) {
  if (auto good = checkReplication(spec); !good) return good;
  if (const std::int64_t granularity = intParameter(spec, info(), "sampling_granularity"); granularity <= 0) {
    return raised("ValueError",
                  "`sampling_granularity` must be a positive integer, but got: " + std::to_string(granularity) + ".",
                  "sampler.sampling_granularity");
  }
  if (const std::int64_t seed = intParameter(spec, info(), "shuffle_seed"); seed < 0) {
    return raised("ValueError", "`shuffle_seed` must be a non-negative integer, but got: " + std::to_string(seed) + ".",
                  "sampler.shuffle_seed");
  }
  if (const std::int64_t size = given(spec, "epoch_size").value_or(0); size < 0) {
    return raised("ValueError", "Epoch size cannot be negative. Received " + std::to_string(size) + ".",
                  "sampler.epoch_size");
  }
  return {};
}

Result<StreamingWeights> weightsOf(const PipelineSpec& spec, const std::vector<StreamingStream>& streams) {
  return streamingWeights(streams, given(spec, "epoch_size").value_or(0), intParameter(spec, info(), "shuffle_seed"));
}

Result<void> check(const PipelineSpec& spec) {
  if (auto equal = checkEqualNodes(spec); !equal) return equal;
  const auto streams = streamsOf(spec);
  if (!streams) return streams.error();
  if (auto good = checkStreamingWeights(*streams); !good) return good;
  if (auto good = checkNumbers(spec); !good) return good;
  for (const StreamingStream& stream : *streams) {
    if (std::ranges::any_of(stream.shards, [](std::int64_t size) { return size > 0; })) continue;
    return raised("RuntimeError", "Stream contains no samples: index.json.", "dataset.shards",
                  worded("checks", "the real text names the whole path of the stream's index.json"));
  }
  const auto weights = weightsOf(spec, *streams);
  return weights ? Result<void>{} : weights.error();
}

OrderKey key(const PipelineSpec& /*spec*/, Epoch epoch, Rank /*rank*/) {
  return {info().type, static_cast<std::uint64_t>(epoch.value), 0};
}

/// Whether the tensor and what it is made of fit in memory; the world's sizes alone may say no.
Result<void> checkRoom(const StreamingEpoch& epoch, const StreamingWeights& weights) {
  constexpr double kBytesOfPlace = 12;    // in a stream's tensor, the epoch's, and the order
  constexpr double kBytesOfSample = 44;   // drawn, picked and shuffled
  constexpr double kBytesOfMoving = 64;   // of py1e in a canonical node and the one before
  constexpr double kBytesOfDevice = 256;  // and node, and stream: what is counted and listed
  const auto real = [](std::int64_t count) { return static_cast<double>(count); };
  const double devices = real(epoch.nodes) * real(epoch.ranks);
  const double streams = epoch.batching_method == "random" ? 1 : real(static_cast<std::int64_t>(epoch.streams.size()));
  const double samples = real(std::max<std::int64_t>(weights.epoch_size, 0));
  const double round = devices * real(epoch.workers) * real(epoch.batch) * streams;
  const double canonical = real(epoch.num_canonical_nodes) * (streams + 1);
  const double places = samples + 2 * round + canonical * real(epoch.ranks) * real(epoch.workers);
  const double moving = epoch.shuffle_algo == StreamingShuffle::Py1e
                            ? samples * std::min(1.0, 2 / real(epoch.num_canonical_nodes)) * kBytesOfMoving
                            : 0;
  const double bytes = places * kBytesOfPlace + samples * kBytesOfSample + moving +
                       (devices * real(epoch.workers) + canonical) * kBytesOfDevice;
  if (isAvailable(bytes)) return {};
  return tooLarge(worded("checks", "The epoch does not fit in memory."), "",
                  worded("checks", "take fewer samples, ranks, workers, or smaller batches"));
}

/// What says how many samples of which stream are drawn.
std::string samplesField(const StreamingEpoch& epoch) {
  const auto has = [&](auto weight) {
    return std::ranges::any_of(epoch.streams, [&](const StreamingStream& one) { return (one.*weight).has_value(); });
  };
  if (epoch.epoch_size != 0) return "sampler.epoch_size";
  if (has(&StreamingStream::proportion)) return "sampler.proportion";
  if (has(&StreamingStream::repeat)) return "sampler.repeat";
  return has(&StreamingStream::choose) ? "sampler.choose" : "dataset.shards";
}

/// The refusal with the field of the spec that it is about.
Error placed(const PipelineSpec& spec, const StreamingEpoch& epoch, Error error) {
  std::string& field = error.place.field;
  if (error.code == ErrorCode::Cancelled) return error;
  if (field.empty()) field = samplesField(epoch);
  if (field == "loader.batch_size" && given(spec, "batch_size")) field = "sampler.batch_size";
  return error;
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  if (parameter(spec, info(), "batch_size") == Value(std::string("none"))) {
    return raised("ValueError",
                  "Please pass `batch_size` to StreamingDataset. It should be set the same as the DataLoader, and is "
                  "the number of samples per batch, for each device. It is necessary for deterministic resumption and "
                  "optimal performance.",
                  "sampler.batch_size");
  }
  auto streams = streamsOf(spec);
  if (!streams) return streams.error();
  const auto weights = weightsOf(spec, *streams);
  if (!weights) return weights.error();
  const StreamingEpoch epoch = settings(spec, std::move(*streams), static_cast<std::int64_t>(key.seed));
  if (auto fits = checkRoom(epoch, *weights); !fits) return fits.error();
  const auto tensor = streamingWork(epoch, *weights, work.part(0, 0.9));
  if (!tensor) return placed(spec, epoch, tensor.error());
  return dealStreaming(spec, *tensor, given(spec, "replication").value_or(1), work.part(0.9, 1));
}

SamplerClaims claims(const PipelineSpec& /*spec*/) {
  return {.divides = true,
          .is_stream = true,
          .same_place = RepeatCause::Replication,
          .in_order = RepeatCause::RepeatFactor,
          .across_shares = RepeatCause::RepeatFactor};
}

/// StreamingDataset.__len__: the epoch over the ranks that the dataset believes in, rounded up.
std::vector<std::int64_t> datasetLengths(const PipelineSpec& spec) {
  const auto streams = streamsOf(spec);
  const auto weights = streams ? weightsOf(spec, *streams) : Result<StreamingWeights>(streams.error());
  const std::int64_t ranks = parallelWorld(spec).size();
  return {weights ? (weights->epoch_size + ranks - 1) / ranks : 0};
}

/// Of streams that are taken whole only what fills no batch is left out.
LeftOutCause leftOut(const PipelineSpec& spec, Epoch epoch) {
  if (intParameter(spec, info(), "sample_in_epoch") > 0 && epoch.value == intParameter(spec, info(), "epoch"))
    return always(MissingCause::HandedOutBefore);
  const auto streams = streamsOf(spec);
  const auto weights = streams ? weightsOf(spec, *streams) : Result<StreamingWeights>(streams.error());
  if (!weights) return always(MissingCause::NotExplained);
  bool whole = true;
  for (std::size_t s = 0; s < streams->size(); ++s) {
    const auto& shards = (*streams)[s].shards;
    whole = whole && weights->chosen[s] >= std::accumulate(shards.begin(), shards.end(), std::int64_t{0});
  }
  return always(whole ? MissingCause::CutBySampler : MissingCause::NotDrawn);
}

}  // namespace
}  // namespace streaming_dataset

SamplerRule streamingDataset() {
  using namespace streaming_dataset;
  return {.info = info(),
          .traits = {.shuffle = "shuffle", .consumed = "sample_in_epoch", .deals_to_world = true},
          .claims = claims,
          .left_out = leftOut,
          .check = check,
          .key = key,
          .order = order,
          .dataset_lengths = datasetLengths};
}

}  // namespace shardlens::sampling
