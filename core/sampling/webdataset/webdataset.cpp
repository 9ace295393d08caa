// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/webdataset/webdataset.h"

#include "core/base/phrase.h"
#include "core/sampling/python.h"
#include "core/sampling/torch/shard_streams.h"
#include "core/sampling/webdataset/shuffle.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace shardlens::sampling {
namespace webdataset_webdataset {
namespace {

constexpr std::int64_t kMost = 1'000'000'000;
constexpr std::int64_t kMostSeed = std::int64_t{1} << 53;

using K = FieldKind;

Field number(const char* path, std::int64_t fallback, const char* unit, std::string help) {
  return {path, K::Int, fallback, 0, kMost, {}, unit, std::move(help)};
}

Field choice(const char* path, std::vector<std::string> names, std::string help) {
  return {path, K::Choice, names.front(), 0, 0, names, "", std::move(help)};
}

Field optionalSeed(const char* path, std::string help) {
  return seedOrNameField(path, "none", -kMostSeed, kMostSeed, std::move(help));
}

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "webdataset.WebDataset",
      marked(
          "samplers",
          "Splits the shards between ranks, then between workers, and reads each worker's shards one after another."),
      {
          choice("sampler.nodesplitter", {"split_by_node", "single_node_only", "none"},
                 marked("fields",
                        "How shards are split between ranks. WebDataset's own default, single_node_only, raises with "
                        "more than one rank; none gives every rank all shards.")),
          choice("sampler.workersplitter", {"split_by_worker", "none"},
                 marked("fields", "How a rank's shards are split between workers.")),
          number("sampler.shardshuffle", 0, "shards",
                 marked("fields", "Buffer in which each worker shuffles its shards; 0 keeps their order.")),
          boolField("sampler.detshuffle", false,
                    marked("fields", "Shuffle shards by seed + epoch instead of by the seed alone.")),
          optionalSeed("sampler.seed", marked("fields", "Seed of the shards' shuffle; none draws one at random.")),
          number("sampler.shuffle", 0, "samples",
                 marked("fields", "Buffer of a following .shuffle() over samples; 0 means none.")),
          number("sampler.initial", 100, "samples",
                 marked("fields", "Samples that .shuffle() holds before it yields the first one.")),
          optionalSeed("sampler.shuffle_seed",
                       marked("fields", "Seed of .shuffle(); none takes the time and the process id.")),
          boolField("sampler.empty_check", true, marked("fields", "Raise when a worker has no samples.")),
      },
      {marked("samplers",
              "With fewer shards than workers of all ranks, some have nothing to read, and DDP hangs or raises "
              "(webdataset#188, #65, #225)."),
       marked("samplers", "Shards are not balanced: ranks differ by whole shards."),
       marked("samplers",
              "A shuffle() before the split is seeded by time and process id, so ranks disagree on the order of "
              "shards, and read some twice and others never (webdataset#233)."),
       marked("samplers",
              "shuffle by a seed repeats the same order in every epoch; detshuffle does too with workers that are not "
              "persistent, because each new worker counts its epochs from 0.")},
      {"dataset.shards"}};
  return kInfo;
}

const SamplerInfo& resampledInfo() {
  static const SamplerInfo kInfo = {
      "webdataset.ResampledShards",
      marked("samplers", "Draws shards with replacement in each worker of each rank, without splitting them."),
      {
          number("sampler.nshards", 100, "shards",
                 marked("fields", "Shards that each worker draws; WebDataset's default is endless.")),
          seedField("sampler.seed", 0, -kMostSeed, kMostSeed, marked("fields", "Mixed with worker and epoch.")),
          boolField("sampler.deterministic", true,
                    marked("fields",
                           "Seed by worker, epoch and seed alone. WebDataset's default is false, which adds time and "
                           "process id.")),
      },
      {marked("samplers", "deterministic is false by default: no two runs draw the same shards."),
       marked("samplers", "Workers are seeded by rank * 1000 + worker, which collides from 1000 workers on."),
       marked("samplers", "An epoch repeats some shards and leaves others out: nothing splits them."),
       marked("samplers",
              "Workers that are not persistent count their epochs from 0, so every epoch draws the same shards.")},
      {"dataset.shards"}};
  return kInfo;
}

std::string name(const PipelineSpec& spec, const char* key) {
  return std::get<std::string>(parameter(spec, info(), key));
}

std::optional<std::int64_t> seedOf(const PipelineSpec& spec, const char* key) {
  const Value value = parameter(spec, info(), key);
  const auto* given = std::get_if<std::int64_t>(&value);
  return given == nullptr ? std::nullopt : std::optional(*given);
}

Error unpredictable(const std::string& because, const char* field, const std::string& hint) {
  return Error{ErrorCode::Unsupported, filled(worded("lens", "not predictable: %1."), because), Place{{}, 0, 0, field},
               hint};
}

std::int64_t shardsOf(const PipelineSpec& spec) {
  return static_cast<std::int64_t>(std::max<std::size_t>(1, spec.dataset.shards.size()));
}

/// Which time the worker's copy of the dataset is read: copies of workers that are made anew start again.
std::int64_t epochOfCopy(const PipelineSpec& spec, Epoch epoch) {
  return spec.loader.num_workers > 0 && !spec.loader.persistent_workers ? 0 : epoch.value;
}

std::int64_t workersOf(const PipelineSpec& spec) {
  return std::max<std::int64_t>(1, spec.loader.num_workers);
}

StreamReaders readersOf(const PipelineSpec& spec, std::int64_t most) {
  return {spec.worldSize(), workersOf(spec), most};
}

/// The shards of one worker, before they are shuffled.
std::vector<std::int64_t> shareOf(const PipelineSpec& spec, Rank rank, std::int64_t worker) {
  const bool by_node = name(spec, "nodesplitter") == "split_by_node";
  const bool by_worker = name(spec, "workersplitter") == "split_by_worker";
  return webDatasetShare(shardsOf(spec), by_node ? rank.value : 0, by_node ? spec.worldSize() : 1,
                         by_worker ? worker : 0, by_worker ? spec.loader.num_workers : 0);
}

Result<void> check(const PipelineSpec& spec) {
  if (name(spec, "nodesplitter") == "single_node_only" && spec.worldSize() > 1) {
    return raised("ValueError",
                  "you need to add an explicit nodesplitter to your input pipeline for multi-node training",
                  "sampler.nodesplitter", worded("checks", "take split_by_node"));
  }
  if (intParameter(spec, info(), "shardshuffle") > 0 && !seedOf(spec, "seed")) {
    return unpredictable(worded("checks", "WebDataset draws the seed of its shards' shuffle at random"), "sampler.seed",
                         worded("checks", "give a seed"));
  }
  if (intParameter(spec, info(), "shuffle") > 0 && !seedOf(spec, "shuffle_seed")) {
    return unpredictable(worded("checks", "shuffle() is seeded by the time and the process id"), "sampler.shuffle_seed",
                         worded("checks", "give a seed"));
  }
  return {};
}

/// check_empty of each worker, on the first that has no sample.
Result<void> checkRank(const PipelineSpec& spec, Rank rank) {
  if (!boolParameter(spec, info(), "empty_check")) return {};
  const std::vector<std::int64_t> starts = shardStarts(spec);
  for (std::int64_t worker = 0; worker < workersOf(spec); ++worker) {
    const std::vector<std::int64_t> share = shareOf(spec, rank, worker);
    const bool holds = std::ranges::any_of(share, [&](std::int64_t shard) {
      return starts[static_cast<std::size_t>(shard)] < starts[static_cast<std::size_t>(shard) + 1];
    });
    if (holds) continue;
    return raised("ValueError",
                  "No samples found in dataset; perhaps you have fewer shards than workers.\n"
                  "Turn off using empty_check=False in the WebDataset constructor.",
                  "dataset.shards", worded("checks", "give at least one shard to each worker of each rank"));
  }
  return {};
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  const bool counts = intParameter(spec, info(), "shardshuffle") > 0 && boolParameter(spec, info(), "detshuffle");
  return {info().type, 0, static_cast<std::uint64_t>(counts ? epochOfCopy(spec, epoch) : 0)};
}

std::vector<std::int64_t> streamOf(const PipelineSpec& spec, const std::vector<std::int64_t>& starts, Rank rank,
                                   std::int64_t worker, std::int64_t epoch) {
  constexpr std::int64_t kInitialShards = 100;
  std::vector<std::int64_t> shards = shareOf(spec, rank, worker);
  if (const std::int64_t buffer = intParameter(spec, info(), "shardshuffle"); buffer > 0) {
    const WebDatasetShuffle shuffle{buffer, kInitialShards};
    shards = shuffle.run(shards, PythonRandom(*seedOf(spec, "seed") + epoch));
  }
  std::vector<std::int64_t> samples = samplesOf(starts, shards);
  const WebDatasetShuffle shuffle{intParameter(spec, info(), "shuffle"), intParameter(spec, info(), "initial")};
  return shuffle.bufsize > 0 ? shuffle.run(samples, PythonRandom(*seedOf(spec, "shuffle_seed"))) : samples;
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const std::vector<std::int64_t> starts = shardStarts(spec);
  const auto epoch = static_cast<std::int64_t>(key.skip);
  return dealStreams(
      spec, readersOf(spec, starts.back()),
      [&](Rank rank, std::int64_t worker) { return streamOf(spec, starts, rank, worker, epoch); }, work);
}

Result<void> checkResampled(const PipelineSpec& spec) {
  if (boolParameter(spec, resampledInfo(), "deterministic")) return {};
  return unpredictable(
      worded("checks", "ResampledShards is seeded by the time, the process id and the system's random bytes"),
      "sampler.deterministic", worded("checks", "set deterministic"));
}

OrderKey resampledKey(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  return {resampledInfo().type, 0, static_cast<std::uint64_t>(epochOfCopy(spec, epoch))};
}

Result<OrderPtr> resampledOrder(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const std::vector<std::int64_t> starts = shardStarts(spec);
  const std::int64_t seed = intParameter(spec, resampledInfo(), "seed");
  const std::int64_t nshards = intParameter(spec, resampledInfo(), "nshards");
  const auto largest = spec.dataset.shards.empty() ? spec.dataset.size : *std::ranges::max_element(spec.dataset.shards);
  const auto read = [&](Rank rank, std::int64_t worker) {
    const std::int64_t worker_seed = webDatasetWorkerSeed(rank.value, worker);
    return samplesOf(
        starts, webDatasetResampled(shardsOf(spec), nshards, worker_seed, static_cast<std::int64_t>(key.skip), seed));
  };
  return dealStreams(spec, readersOf(spec, nshards * (1 + largest)), read, work);
}

SamplerClaims claims(const PipelineSpec& spec) {
  return {.divides = name(spec, "nodesplitter") == "split_by_node",
          .is_stream = true,
          .in_order = RepeatCause::DuplicatingWorkers};
}

SamplerClaims resampledClaims(const PipelineSpec& /*spec*/) {
  return {.is_stream = true, .in_order = RepeatCause::Replacement, .across_shares = RepeatCause::Replacement};
}

}  // namespace
}  // namespace webdataset_webdataset

SamplerRule webDataset() {
  using namespace webdataset_webdataset;
  return {.info = info(),
          .traits = {.shuffle = "shuffle", .seed = "seed"},
          .claims = claims,
          .check = check,
          .key = key,
          .order = order,
          .check_rank = checkRank};
}

SamplerRule webDatasetResampledShards() {
  using namespace webdataset_webdataset;
  return {.info = resampledInfo(),
          .traits = {.seed = "seed"},
          .claims = resampledClaims,
          .left_out = always<MissingCause::NotDrawn>,
          .check = checkResampled,
          .key = resampledKey,
          .order = resampledOrder};
}

}  // namespace shardlens::sampling
