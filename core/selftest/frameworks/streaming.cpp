// SPDX-License-Identifier: Apache-2.0
#include "core/random/grain_index_shuffle.h"
#include "core/sampling/grain/index_sampler.h"
#include "core/sampling/python.h"
#include "core/sampling/registry.h"
#include "core/sampling/streaming/batching.h"
#include "core/sampling/webdataset/webdataset.h"
#include "core/selftest/by_name.h"
#include "core/selftest/replay.h"
#include "core/spec/validate.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <numeric>
#include <string_view>

namespace shardlens::selftest {

namespace streaming_rows {
namespace {

using namespace sampling;

constexpr std::int64_t kMostSamples = 300'000'000;

/// A list of sizes, or {repeat, count, last}: `count - 1` shards of one size and a last one.
std::optional<std::vector<std::int64_t>> listedSizes(const nlohmann::json& value) {
  if (value.is_array()) return Fields(nlohmann::json{{"sizes", value}}).integers("sizes");
  if (!value.is_object()) return std::nullopt;
  const Fields pattern(value);
  const auto size = pattern.integer("repeat");
  const auto count = pattern.integer("count");
  const auto last = pattern.integer("last");
  const bool known = pattern.onlyHas({"repeat", "count", "last"});
  if (!size || !count || !last || !known || *count < 1 || *count > 1'000'000) return std::nullopt;
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(*count), *size);
  sizes.back() = *last;
  return sizes;
}

/// The same, when it is the sizes of shards that can be held.
std::optional<std::vector<std::int64_t>> shardSizes(const nlohmann::json* value) {
  auto sizes = value == nullptr ? std::nullopt : listedSizes(*value);
  std::int64_t samples = 0;
  for (const std::int64_t size : sizes.value_or(std::vector<std::int64_t>{})) {
    if (size < 0 || size > kMostSamples - samples) return std::nullopt;
    samples += size;
  }
  return sizes;
}

RowVerdict replayGetShuffle(const VectorRow& row, Planner& /*planner*/) {
  const auto name = row.params.text("algo");
  const auto algorithm = name ? streamingShuffleNamed(*name) : std::nullopt;
  const auto sizes = shardSizes(row.params.find("shard_sizes"));
  const auto nodes = row.params.integer("num_canonical_nodes");
  const auto seed = row.params.bits("seed");
  const auto block = row.params.integer("block_size");
  const auto epoch = row.fields.bits("epoch");
  const bool known = row.params.onlyHas({"algo", "shard_sizes", "num_canonical_nodes", "seed", "block_size"});
  if (!algorithm || !sizes || !nodes || *nodes < 1 || !seed || !block || !epoch || !known) return unknownParameters();
  const auto order = streamingShuffle(*sizes, {*algorithm, *nodes, *seed, *epoch, *block}, {});
  if (!order) return compareError(row, order.error());
  return compare(row, Answer{{order->begin(), order->end()}, {}, {}});
}

RowVerdict replaySampling(const VectorRow& row, Planner& /*planner*/) {
  const auto sizes = shardSizes(row.params.find("samples_per_shard"));
  const auto choose = row.params.integer("choose");
  const auto granularity = row.params.integer("granularity");
  const auto seed = row.params.integer("seed");
  const auto use_epoch = row.params.flag("use_epoch");
  const auto epoch = row.fields.integer("epoch");
  const bool known = row.params.onlyHas({"samples_per_shard", "choose", "granularity", "seed", "use_epoch"});
  if (!sizes || !choose || !granularity || !seed || !use_epoch || !epoch || !known) return unknownParameters();
  const auto chosen = streamingSampling(*sizes, *choose, *granularity, *seed, *epoch, *use_epoch);
  if (!chosen) return compareError(row, chosen.error());
  return compare(row, Answer{*chosen, {}, {}});
}

/// Streaming's tensor in C order, -1 for a hole.
std::vector<std::int64_t> tensorOf(const StreamingWork& work) {
  std::vector<std::int64_t> flat;
  const std::int64_t batches = work.batches();
  for (std::int64_t device = 0; device < work.nodes * work.ranks; ++device) {
    for (std::int64_t worker = 0; worker < work.workers; ++worker) {
      for (std::int64_t b = 0; b < batches; ++b) {
        const std::int64_t first = (b * work.workers + worker) * work.globalBatch() + device * work.batch;
        for (std::int64_t i = first; i < first + work.batch; ++i) {
          const std::uint32_t id = work.ids[static_cast<std::size_t>(i)];
          flat.push_back(id == kNoSample ? std::int64_t{-1} : std::int64_t{streamingSample(id)});
        }
      }
    }
  }
  return flat;
}

RowVerdict compareWork(const VectorRow& row, const StreamingWork& work) {
  const auto shape = row.fields.integers("shape");
  const std::vector<std::int64_t> got = {work.nodes, work.ranks, work.workers, work.batches(), work.batch};
  if (!row.error && (!shape || *shape != got)) return failed("shape: " + difference(got, shape.value_or(got)));
  return compare(row, Answer{tensorOf(work), {}, {}});
}

RowVerdict replayPartitions(const VectorRow& row, Planner& /*planner*/) {
  const Fields& p = row.params;
  const auto algo = p.text("algo");
  const auto samples = p.integer("num_samples");
  const auto canonical = p.integer("num_canonical_nodes");
  const auto nodes = p.integer("num_physical_nodes");
  const auto ranks = p.integer("ranks_per_node");
  const auto workers = p.integer("workers_per_rank");
  const auto batch = p.integer("batch_size");
  const auto drop = p.integer("drop_first");
  const bool known = p.onlyHas({"algo", "num_samples", "num_canonical_nodes", "num_physical_nodes", "ranks_per_node",
                                "workers_per_rank", "batch_size", "drop_first", "initial_physical_nodes"});
  if (!known || !algo || !samples || !canonical || !nodes || !ranks || !workers || !batch || !drop)
    return unknownParameters();
  const auto initial = p.integer("initial_physical_nodes");
  if (std::min({*canonical, *nodes, *ranks, *workers, *batch, initial.value_or(1)}) < 1) return unknownParameters();
  if (*samples < 0 || *drop < 0) return unknownParameters();
  if (*algo != "orig" && *algo != "relaxed") return unknownParameters();
  const auto work = streamingPartition(
      {*algo == "relaxed", *samples, *canonical, *nodes, *ranks, *workers, *batch, *drop, initial}, {});
  return work ? compareWork(row, *work) : compareError(row, work.error());
}

std::optional<std::vector<StreamingStream>> streamsOf(const nlohmann::json* list) {
  if (list == nullptr || !list->is_array()) return std::nullopt;
  std::vector<StreamingStream> streams;
  for (const nlohmann::json& item : *list) {
    const Fields fields(item);
    const auto sizes = shardSizes(fields.find("shard_sizes"));
    if (!sizes || !fields.onlyHas({"shard_sizes", "proportion", "repeat", "choose"})) return std::nullopt;
    streams.push_back({*sizes, fields.number("proportion"), fields.number("repeat"), fields.integer("choose")});
  }
  return streams;
}

std::optional<StreamingEpoch> epochOf(const VectorRow& row) {
  const Fields& p = row.params;
  const auto streams = streamsOf(p.find("streams"));
  const auto algo = p.text("shuffle_algo");
  const auto algorithm = algo ? streamingShuffleNamed(*algo) : std::nullopt;
  const auto epoch = row.fields.integer("epoch");
  const bool known = p.onlyHas(
      {"streams", "num_nodes", "ranks_per_node", "workers_per_rank", "batch_size", "batching_method", "shuffle_algo",
       "shuffle", "num_canonical_nodes", "partition_algo", "sampling_method", "sampling_granularity", "epoch_size",
       "shuffle_seed", "shuffle_block_size", "initial_physical_nodes", "epoch_seed_change", "sample_in_epoch"});
  if (!streams || !algorithm || !epoch || !known) return std::nullopt;
  for (const char* key : {"num_nodes", "ranks_per_node", "workers_per_rank", "batch_size", "num_canonical_nodes",
                          "sampling_granularity", "shuffle_seed", "shuffle_block_size", "sample_in_epoch"}) {
    const bool from_zero = std::string_view(key) == "shuffle_seed" || std::string_view(key) == "sample_in_epoch";
    if (p.integer(key).value_or(-1) < (from_zero ? 0 : 1)) return std::nullopt;
  }
  if (p.integer("initial_physical_nodes").value_or(1) < 1 || p.integer("epoch_size").value_or(0) < 0)
    return std::nullopt;
  if (*epoch < 0 || streams->empty()) return std::nullopt;
  StreamingEpoch e;
  e.streams = *streams;
  e.batching_method = p.text("batching_method").value_or("");
  e.shuffle = p.flag("shuffle").value_or(true);
  e.shuffle_algo = *algorithm;
  e.shuffle_seed = *p.integer("shuffle_seed");
  e.shuffle_block_size = *p.integer("shuffle_block_size");
  e.num_canonical_nodes = *p.integer("num_canonical_nodes");
  e.relaxed = p.text("partition_algo") == "relaxed";
  e.balanced = p.text("sampling_method") == "balanced";
  e.epoch_seed_change = p.flag("epoch_seed_change").value_or(e.shuffle && e.balanced);
  e.sampling_granularity = *p.integer("sampling_granularity");
  e.epoch_size = p.integer("epoch_size").value_or(0);
  e.initial_physical_nodes = p.integer("initial_physical_nodes");
  e.epoch = *epoch;
  e.sample_in_epoch = *p.integer("sample_in_epoch");
  e.nodes = *p.integer("num_nodes");
  e.ranks = *p.integer("ranks_per_node");
  e.workers = *p.integer("workers_per_rank");
  e.batch = *p.integer("batch_size");
  return e;
}

/// The row as a user would write it down; nothing where the sampler derives what the row sets apart.
std::optional<PipelineSpec> specOf(const StreamingEpoch& e, const std::string& algorithm) {
  if (e.epoch_seed_change != (e.shuffle && e.balanced)) return std::nullopt;
  PipelineSpec spec;
  std::vector<std::int64_t> shards, streams, choose;
  std::vector<double> proportion, repeat;
  for (const StreamingStream& stream : e.streams) {
    if (std::min({stream.proportion.value_or(0), stream.repeat.value_or(0)}) < 0) return std::nullopt;
    if (stream.choose.value_or(0) < 0) return std::nullopt;
    shards.insert(shards.end(), stream.shards.begin(), stream.shards.end());
    streams.push_back(static_cast<std::int64_t>(stream.shards.size()));
    proportion.push_back(stream.proportion.value_or(-1));
    repeat.push_back(stream.repeat.value_or(-1));
    choose.push_back(stream.choose.value_or(-1));
  }
  spec.dataset.size = std::accumulate(shards.begin(), shards.end(), std::int64_t{0});
  spec.dataset.shards = shards;
  spec.world = {e.nodes, e.ranks};
  spec.loader.batch_size = e.batch;
  spec.loader.num_workers = e.workers;
  spec.epochs = e.epoch + 1;
  spec.sampler = {"streaming.StreamingDataset",
                  {{"shuffle", e.shuffle},
                   {"shuffle_algo", algorithm},
                   {"shuffle_seed", e.shuffle_seed},
                   {"shuffle_block_size", e.shuffle_block_size},
                   {"num_canonical_nodes", e.num_canonical_nodes},
                   {"partition_algo", std::string(e.relaxed ? "relaxed" : "orig")},
                   {"batching_method", e.batching_method},
                   {"sampling_method", std::string(e.balanced ? "balanced" : "fixed")},
                   {"sampling_granularity", e.sampling_granularity},
                   {"epoch_size", e.epoch_size},
                   {"streams", streams},
                   {"proportion", proportion},
                   {"repeat", repeat},
                   {"choose", choose},
                   {"epoch", e.epoch},
                   {"sample_in_epoch", e.sample_in_epoch}}};
  if (e.initial_physical_nodes) spec.sampler.parameters["initial_physical_nodes"] = *e.initial_physical_nodes;
  return validate(spec, sampling::catalogue()).empty() ? std::optional(spec) : std::nullopt;
}

using Batch = std::vector<SampleIndex>;

/// What a DataLoader delivers whose workers yield these samples.
std::vector<Batch> deliveredOf(std::vector<Batch> workers, std::size_t batch_size) {
  std::vector<Batch> batches;
  while (std::ranges::any_of(workers, [](const Batch& left) { return !left.empty(); })) {
    for (Batch& left : workers) {
      if (left.empty()) continue;
      const auto end = left.begin() + static_cast<std::ptrdiff_t>(std::min(batch_size, left.size()));
      batches.emplace_back(left.begin(), end);
      left.erase(left.begin(), end);
    }
  }
  return batches;
}

/// Rank by rank, the plan holds what DataLoaders over the row's tensor deliver.
RowVerdict comparePlan(const StreamingWork& shape, const PipelineSpec& spec, Planner& planner) {
  const Epoch epoch{spec.epochs - 1};
  const std::vector<std::int64_t> tensor = tensorOf(shape);
  auto item = tensor.begin();
  for (Rank rank{0}; rank.value < spec.worldSize(); ++rank) {
    std::vector<Batch> workers(static_cast<std::size_t>(shape.workers));
    for (Batch& worker : workers) {
      std::copy_n(item, shape.batches() * shape.batch, std::back_inserter(worker));
      item += shape.batches() * shape.batch;
      std::erase(worker, SampleIndex{-1});
    }
    const auto plan = planner.rankEpoch(spec, epoch, rank);
    if (!plan) return failed("the plan: " + plan.error().message);
    std::vector<Batch> planned;
    for (Step step{0}; step.value < plan->batches(); ++step) planned.push_back(plan->batchSamples(step));
    const auto delivered = deliveredOf(std::move(workers), static_cast<std::size_t>(shape.batch));
    if (planned != delivered) return failed("the batches of rank " + std::to_string(rank.value));
  }
  return passed();
}

RowVerdict replayWork(const VectorRow& row, Planner& planner) {
  const auto epoch = epochOf(row);
  if (!epoch) return unknownParameters();
  const auto weights = streamingWeights(epoch->streams, epoch->epoch_size, epoch->shuffle_seed);
  if (!weights) return compareError(row, weights.error());
  const auto work = streamingWork(*epoch, *weights, {});
  const auto spec = specOf(*epoch, *row.params.text("shuffle_algo"));
  if (!work && spec) {
    const auto plan = planner.rankEpoch(*spec, Epoch{epoch->epoch}, Rank{0});
    return compareError(row, plan ? Result<void>{} : plan.error());
  }
  if (!work) return compareError(row, work.error());
  if (!row.error && row.fields.integers("choose_per_stream") != weights->chosen) return failed("choose_per_stream");
  if (!row.error && row.fields.integer("resolved_epoch_size") != weights->epoch_size)
    return failed("resolved_epoch_size");
  const RowVerdict bare = compareWork(row, *work);
  return spec && bare.outcome == Outcome::Passed ? comparePlan(*work, *spec, planner) : bare;
}

RowVerdict replaySplit(const VectorRow& row, Planner& /*planner*/) {
  const auto shards = row.params.integer("num_shards");
  const auto world = row.params.integer("world_size");
  const auto workers = row.params.integer("num_workers");
  const auto rank = row.fields.integer("rank");
  const auto worker = row.fields.integer("worker");
  const bool known = row.params.onlyHas({"num_shards", "world_size", "num_workers"});
  if (!shards || !world || !workers || !rank || !worker || !known) return unknownParameters();
  const bool in_range = *world >= 1 && *workers >= 0 && *rank >= 0 && *rank < *world && *worker >= 0 &&
                        *worker < std::max<std::int64_t>(1, *workers);
  if (!in_range) return unsupported("no such rank or worker");
  Answer answer;
  answer.indices = sampling::webDatasetShare(*shards, *rank, *world, *worker, *workers);
  return compare(row, answer);
}

/// Both shuffles of 0..n-1; detshuffle adds the epoch to its seed.
RowVerdict replaySeededShuffle(const VectorRow& row, std::int64_t epoch) {
  const auto n = row.params.integer("n");
  const auto bufsize = row.params.integer("bufsize");
  const auto initial = row.params.integer("initial");
  const auto seed = row.params.integer("seed");
  const bool known = row.params.onlyHas({"n", "bufsize", "initial", "seed"});
  if (!n || *n < 0 || !bufsize || !initial || !seed || !known) return unknownParameters();
  if (*seed > std::numeric_limits<std::int64_t>::max() - epoch) return unsupported("the seed is too large");
  std::vector<std::int64_t> items(static_cast<std::size_t>(*n));
  std::iota(items.begin(), items.end(), std::int64_t{0});
  Answer answer;
  answer.indices = sampling::WebDatasetShuffle{*bufsize, *initial}.run(items, PythonRandom(*seed + epoch));
  return compare(row, answer);
}

RowVerdict replayDetshuffle(const VectorRow& row, Planner& planner) {
  const std::int64_t epoch = row.fields.integer("epoch").value_or(0);
  return planner.allows(epoch) ? replaySeededShuffle(row, epoch) : unsupported("an impossible epoch");
}

RowVerdict replayResampled(const VectorRow& row, Planner& planner) {
  const auto urls = row.params.integer("num_urls");
  const auto nshards = row.params.integer("nshards");
  const auto seed = row.params.integer("seed");
  const auto worker_seed = row.params.integer("worker_seed");
  const std::int64_t epoch = row.fields.integer("epoch").value_or(0);
  const bool known = row.params.onlyHas({"num_urls", "nshards", "seed", "worker_seed", "deterministic"}) &&
                     row.params.flag("deterministic") == true && planner.allows(epoch);
  if (!urls || *urls < 0 || !nshards || !seed || !worker_seed || !known) return unknownParameters();
  if (*urls == 0)
    return compareError(row,
                        sampling::raised("ValueError", "empty_check=True, but no shards found in ResampledShards"));
  Answer answer;
  answer.indices = sampling::webDatasetResampled(*urls, *nshards, *worker_seed, epoch, *seed);
  return compare(row, answer);
}

/// Whole numbers as texts.
std::optional<std::vector<std::int64_t>> numbers(const nlohmann::json* texts) {
  if (texts == nullptr || !texts->is_array()) return std::nullopt;
  std::vector<std::int64_t> read;
  for (const nlohmann::json& text : *texts) {
    if (!text.is_string()) return std::nullopt;
    const auto& digits = text.get_ref<const std::string&>();
    const char* const end = digits.data() + digits.size();
    const auto [after, error] = std::from_chars(digits.data(), end, read.emplace_back());
    if (error != std::errc{} || after != end) return std::nullopt;
  }
  return read;
}

RowVerdict replaySeed(const VectorRow& row, Planner& /*planner*/) {
  const auto args = numbers(row.params.find("args"));
  const auto wanted = row.fields.integer("value");
  if (!args || !wanted || !row.params.onlyHas({"args"})) return unknownParameters();
  const std::int64_t got = sampling::webDatasetSeed(*args);
  return got == *wanted ? passed() : failed("value: " + std::to_string(got) + ", not " + std::to_string(*wanted));
}

/// index = 0,1,2,3,4 and max_index.
RowVerdict replayQueries(const VectorRow& row, std::uint32_t seed, std::uint32_t rounds) {
  const auto most = row.params.bits("max_index");
  const auto wanted = row.fields.words("values");
  const bool known = row.params.onlyHas({"max_index", "queried", "seed", "rounds"}) &&
                     row.params.text("queried") == "index = 0,1,2,3,4 and max_index";
  if (!most || !wanted || !known || *most < 4 || *most > std::numeric_limits<std::int64_t>::max())
    return unknownParameters();
  const GrainIndexShuffle shuffle(*most, seed, rounds);
  std::vector<std::uint64_t> got;
  for (const std::uint64_t index :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{4}, *most}) {
    got.push_back(shuffle(index));
  }
  return judged("values", difference(got, *wanted));
}

RowVerdict replayIndexShuffle(const VectorRow& row, Planner& /*planner*/) {
  const auto n = row.params.integer("n");
  const auto seed = row.params.integer("seed");
  const auto rounds = row.params.integer("rounds");
  if (!seed || *seed < 0 || *seed > std::numeric_limits<std::uint32_t>::max() || !rounds || *rounds < 4 ||
      *rounds % 2 != 0 || *rounds > 1000) {
    return unknownParameters();
  }
  if (!n) return replayQueries(row, static_cast<std::uint32_t>(*seed), static_cast<std::uint32_t>(*rounds));
  if (*n < 1 || !row.params.onlyHas({"n", "seed", "rounds"})) return unknownParameters();
  const GrainIndexShuffle shuffle(static_cast<std::uint64_t>(*n - 1), static_cast<std::uint32_t>(*seed),
                                  static_cast<std::uint32_t>(*rounds));
  Answer answer;
  for (std::int64_t i = 0; i < *n; ++i)
    answer.indices.push_back(static_cast<std::int64_t>(shuffle(static_cast<std::uint64_t>(i))));
  return compare(row, answer);
}

RowVerdict replayGrainSplit(const VectorRow& row, Planner& /*planner*/) {
  const auto examples = row.params.integer("num_examples");
  const auto count = row.params.integer("shard_count");
  const auto drops = row.params.flag("drop_remainder");
  const auto rank = row.fields.integer("rank");
  const bool known = row.params.onlyHas({"num_examples", "shard_count", "drop_remainder"});
  if (!examples || *examples < 0 || !count || !drops || !rank || !known) return unknownParameters();
  if (auto shard = sampling::checkGrainShard(*rank, *count); !shard) return compareError(row, shard);
  const auto wanted = row.fields.integers("values");
  if (!wanted) return unsupported("the row has no values");
  const auto [first, last] = sampling::grainEvenSplit(*examples, *rank, *count, *drops);
  return judged("values", difference(std::vector<std::int64_t>{first, last}, *wanted));
}

RowVerdict replaySampler(const VectorRow& row, Planner& planner) {
  const auto records = row.params.integer("num_records");
  const auto count = row.params.integer("shard_count");
  const auto drops = row.params.flag("drop_remainder");
  const auto shuffle = row.params.flag("shuffle");
  const auto rank = row.fields.integer("rank");
  const bool known =
      row.params.onlyHas({"num_records", "shard_count", "drop_remainder", "shuffle", "num_epochs", "seed"}) &&
      (row.params.integer("num_epochs") || row.params.isNull("num_epochs")) &&
      (row.params.integer("seed") || row.params.isNull("seed"));
  if (!records || !count || !drops || !shuffle || !rank || !known) return unknownParameters();
  const sampling::GrainArguments arguments = {
      *records, *count, *drops, *shuffle, row.params.integer("num_epochs"), row.params.integer("seed")};
  if (row.error) return compareError(row, arguments.check(*rank));
  const auto spec =
      specByName(row, "num_records=dataset_size shard_count=world_size drop_remainder shuffle num_epochs seed");
  if (!spec) return unknownParameters();
  const auto drawn = planner.rankEpoch(*spec, row);
  if (!drawn) return compareError(row, drawn.error());
  Answer answer = Answer::ofItems(*drawn);
  answer.length = arguments.length(*rank);
  return compare(row, answer);
}

}  // namespace
}  // namespace streaming_rows

std::vector<Replay> streamingReplays() {
  using namespace streaming_rows;
  return {
      {"streaming", "get_shuffle", replayGetShuffle},
      {"streaming", "get_sampling", replaySampling},
      {"streaming", "get_partitions", replayPartitions},
      {"streaming", "generate_work", replayWork},
      {"webdataset", "ResampledShards", replayResampled},
      {"webdataset", "detshuffle", replayDetshuffle},
      {"webdataset", "make_seed", replaySeed},
      {"webdataset", "shuffle(seed)", [](const VectorRow& row, Planner&) { return replaySeededShuffle(row, 0); }},
      {"webdataset", "split_by_node+split_by_worker", replaySplit},
      {"grain", "IndexSampler", replaySampler},
      {"grain", "even_split [start,end)", replayGrainSplit},
      {"grain", "index_shuffle", replayIndexShuffle},
  };
}

}  // namespace shardlens::selftest
