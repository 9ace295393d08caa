// SPDX-License-Identifier: Apache-2.0
#include "core/random/numpy_legacy.h"
#include "core/random/python_random.h"
#include "core/random/torch_generator.h"
#include "core/sampling/torch/arguments.h"
#include "core/sampling/torch/iterable_dataset.h"
#include "core/sampling/torch/loader_seeds.h"
#include "core/selftest/by_name.h"
#include "core/selftest/replay.h"

#include <algorithm>
#include <array>

namespace shardlens::selftest {
namespace torch_loader_rows {
namespace {

using Words = std::vector<std::uint64_t>;

std::int64_t asInt(std::uint64_t bits) {
  return static_cast<std::int64_t>(bits);
}

/// DataLoader(shuffle=...) with a sampler of its own, or with a DistributedSampler.
bool putSampler(const Fields& params, PipelineSpec& spec) {
  if (params.text("sampler") == "DistributedSampler") {
    const auto world = params.integer("world_size");
    const auto seed = params.bits("sampler_seed");
    if (!world || !seed) return false;
    spec.world.ranks_per_node = *world;
    spec.sampler = {"torch.DistributedSampler", {{"seed", asInt(*seed)}, {"set_epoch", true}}};
    return true;
  }
  const auto shuffle = params.flag("shuffle");
  if (!shuffle || params.has("sampler")) return false;
  spec.sampler = {*shuffle ? "torch.RandomSampler" : "torch.SequentialSampler", {}};
  return true;
}

/// A generator handed to the loader, or the seed of the global one.
bool putSeeds(const Fields& params, PipelineSpec& spec) {
  if (params.text("generator") == "explicit") {
    const auto seed = params.bits("generator_seed");
    if (!seed || spec.sampler.type != "torch.RandomSampler") return false;
    spec.sampler.parameters = {{"generator", std::string("loader")}, {"generator_seed", asInt(*seed)}};
    return true;
  }
  const auto seed = params.bits("main_seed");
  if (!seed || (params.has("generator") && !params.isNull("generator"))) return false;
  spec.seeds.base = asInt(*seed);
  return true;
}

/// The dataset and the loader of a row.
std::optional<PipelineSpec> loaderOf(const VectorRow& row) {
  const Fields& params = row.params;
  const auto size = params.integer("dataset_size");
  const auto batch_size = params.integer("batch_size");
  const auto workers = params.integer("num_workers");
  const auto drop_last = params.flag("drop_last");
  if (!size || !batch_size || !workers || !drop_last) return std::nullopt;
  PipelineSpec spec;
  spec.dataset.size = *size;
  spec.world.ranks_per_node = 1;
  spec.loader.batch_size = *batch_size;
  spec.loader.num_workers = *workers;
  spec.loader.drop_last = *drop_last;
  spec.loader.prefetch_factor = params.integer("prefetch_factor").value_or(2);
  spec.loader.persistent_workers = params.flag("persistent_workers").value_or(false);
  spec.framework.torch = torchRelease(row.version);
  return spec;
}

std::optional<PipelineSpec> loaderSpec(const VectorRow& row) {
  auto spec = loaderOf(row);
  return spec && putSampler(row.params, *spec) && putSeeds(row.params, *spec) ? spec : std::nullopt;
}

std::vector<std::int64_t> workersOf(const RankEpoch& rank_epoch) {
  std::vector<std::int64_t> workers;
  for (Step step{0}; step.value < rank_epoch.batches(); ++step) workers.push_back(rank_epoch.worker(step));
  return workers;
}

/// DataLoader.__init__ alone.
RowVerdict replayArguments(const VectorRow& row) {
  const Fields& params = row.params;
  sampling::LoaderArguments arguments;
  arguments.release = torchRelease(row.version);
  const auto put = [&params](const char* key, auto& argument) {
    if (!params.has(key)) return true;
    const auto value = pythonValue(params.find(key));
    if (value) argument = *value;
    return value.has_value();
  };
  if (!put("batch_size", arguments.batch_size) || !put("drop_last", arguments.drop_last) ||
      !put("prefetch_factor", arguments.prefetch_factor)) {
    return unknownParameters();
  }
  arguments.shuffle = params.flag("shuffle").value_or(false);
  arguments.has_sampler = params.has("sampler");
  arguments.has_batch_sampler = params.has("batch_sampler");
  arguments.num_workers = params.integer("num_workers").value_or(0);
  arguments.persistent_workers = params.flag("persistent_workers").value_or(false);
  const Result<void> checked = sampling::checkLoader(arguments);
  if (row.error || !checked) return compareError(row, checked);
  Answer empty;  // of a dataset without samples: the row names none
  empty.batch_sizes.emplace();
  return compare(row, empty);
}

RowVerdict replayLoader(const VectorRow& row, Planner& planner) {
  const bool known = row.params.onlyHas({"dataset_size", "batch_size", "num_workers", "prefetch_factor", "shuffle",
                                         "drop_last", "main_seed", "generator", "generator_seed", "persistent_workers",
                                         "world_size", "sampler", "sampler_seed", "batch_sampler"});
  if (!known) return unknownParameters();
  if (row.error || !row.params.has("dataset_size")) return replayArguments(row);
  const auto spec = loaderSpec(row);
  if (!spec) return unknownParameters();
  const Epoch epoch{row.fields.integer("epoch").value_or(0)};
  if (!planner.allows(epoch.value)) return unsupported("too many epochs");
  const Rank rank{row.fields.integer("rank").value_or(0)};
  if (rank.value < 0 || rank.value >= spec->worldSize()) return unsupported("a rank outside the world");
  const Result<RankEpoch> rank_epoch = planner.rankEpoch(*spec, epoch, rank);
  if (!rank_epoch) return failed(rank_epoch.error().text());
  RowVerdict batches = compare(row, Answer::ofBatches(*rank_epoch));
  if (batches.outcome != Outcome::Passed) return batches;
  const auto workers = row.fields.integers("batch_workers");
  const auto base_seed = row.fields.bits("base_seed");
  if (!workers || !base_seed) return unsupported("the row has no batch_workers and base_seed");
  RowVerdict dealt = judged("batch_workers", difference(workersOf(*rank_epoch), *workers));
  if (dealt.outcome != Outcome::Passed) return dealt;
  return judged("base_seed", difference(Words{sampling::torchBaseSeed(*spec, epoch, rank)}, Words{*base_seed}));
}

std::optional<PipelineSpec> iterableSpec(const VectorRow& row) {
  auto spec = loaderOf(row);
  const auto split = row.params.text("worker_split");
  const bool known =
      row.params.onlyHas({"dataset_size", "worker_split", "batch_size", "num_workers", "drop_last", "prefetch_factor"});
  if (!spec || !split || !known) return std::nullopt;
  spec->sampler = {"torch.IterableDataset", {{"worker_split", *split}}};
  return spec;
}

/// Worker k yields n * (k + 1) samples from 1000 k on: a dataset of the reference's own, that no spec describes.
Result<RankEpoch> triangular(PipelineSpec spec) {
  spec.sampler.parameters.clear();
  if (auto plan = Plan::make(spec); !plan) return plan.error();
  const std::int64_t workers = spec.loader.num_workers;
  std::vector<sampling::WorkerStream> streams;
  for (std::int64_t worker = 0; worker < std::max<std::int64_t>(1, workers); ++worker) {
    streams.push_back({1000 * worker, 1, spec.dataset.size * (worker + 1)});
  }
  const sampling::IterableLoader loader{spec.loader.batch_size, spec.loader.drop_last, workers > 0};
  auto order = loader.deal(std::array{std::move(streams)}, {});
  if (!order) return order.error();
  const Rank rank{0};
  Batching batching = Batching::listed((*order)->deal(), rank);
  return RankEpoch(rank, Epoch{0}, Slice::ofDeal(std::move(*order), rank), std::move(batching), workers);
}

RowVerdict replayIterable(const VectorRow& row, Planner& planner) {
  const auto spec = iterableSpec(row);
  if (!spec) return unknownParameters();
  const bool is_triangular = row.params.text("worker_split") == "triangular";
  const auto rank_epoch = is_triangular ? triangular(*spec) : planner.rankEpoch(*spec, Epoch{0}, Rank{0});
  if (!rank_epoch) return compareError(row, rank_epoch.error());
  RowVerdict batches = compare(row, Answer::ofBatches(*rank_epoch));
  if (batches.outcome != Outcome::Passed) return batches;
  const auto workers = row.fields.integers("batch_workers");
  if (!workers) return unsupported("the row has no batch_workers");
  return judged("batch_workers", difference(workersOf(*rank_epoch), *workers));
}

/// What a worker's three libraries draw first.
Words drawsOf(std::uint64_t base_seed, std::int64_t worker) {
  const std::uint64_t seed = sampling::torchWorkerSeed(base_seed, worker);
  TorchGenerator torch(seed);
  PythonRandom python = PythonRandom::ofUnsigned(seed);
  const auto words = sampling::torchWorkerNumpyWords(base_seed, worker);
  NumpyLegacy numpy{std::span<const std::uint32_t>(words)};
  Words draws = {base_seed, seed, torch.initialSeed()};
  for (int i = 0; i < 2; ++i) draws.push_back(static_cast<std::uint64_t>(torch.random63()));
  for (int i = 0; i < 3; ++i) draws.push_back(python.getrandbits(32));
  for (int i = 0; i < 3; ++i) draws.push_back(numpy.next());
  return draws;
}

std::optional<Words> wantedDraws(const Fields& fields) {
  Words wanted;
  for (const char* key : {"base_seed", "worker_seed", "torch_initial_seed"}) {
    const auto value = fields.bits(key);
    if (!value) return std::nullopt;
    wanted.push_back(*value);
  }
  for (const char* key : {"torch_random_63bit", "python_getrandbits32", "numpy_randint_0_2pow32_uint64"}) {
    const auto values = fields.words(key);
    if (!values) return std::nullopt;
    wanted.insert(wanted.end(), values->begin(), values->end());
  }
  return wanted;
}

RowVerdict replayWorkerSeeds(const VectorRow& row, Planner& planner) {
  const auto seed = row.params.bits("main_seed");
  const auto worker = row.fields.integer("worker");
  const auto epoch = row.fields.integer("epoch");
  const bool known = row.params.onlyHas({"main_seed", "num_workers", "draws_per_library_before_this_row"}) &&
                     row.params.integer("draws_per_library_before_this_row") == 0;
  const auto wanted = wantedDraws(row.fields);
  if (!seed || !worker || !epoch || !planner.allows(*epoch) || !known || !wanted) return unknownParameters();
  PipelineSpec spec;
  spec.sampler = {"torch.SequentialSampler", {}};
  spec.seeds.base = asInt(*seed);
  spec.loader.num_workers = row.params.integer("num_workers").value_or(1);
  const std::uint64_t base_seed = sampling::torchBaseSeed(spec, Epoch{*epoch}, Rank{0});
  return judged("base_seed, worker_seed, torch_initial_seed, draws", difference(drawsOf(base_seed, *worker), *wanted));
}

RowVerdict replayNumpyWords(const VectorRow& row, Planner& /*planner*/) {
  const auto base_seed = row.params.bits("base_seed");
  const auto worker = row.params.integer("worker_id");
  const auto wanted = row.fields.words("values");
  if (!base_seed || !worker || !wanted || !row.params.onlyHas({"base_seed", "worker_id"})) {
    return unknownParameters();
  }
  const auto words = sampling::torchWorkerNumpyWords(*base_seed, *worker);
  return judged("values", difference(Words(words.begin(), words.end()), *wanted));
}

}  // namespace
}  // namespace torch_loader_rows

std::vector<Replay> torchLoaderReplays() {
  using namespace torch_loader_rows;
  return {
      {"torch", "DataLoader(iterable)", replayIterable},
      {"torch", "DataLoader(map-style)", replayLoader},
      {"torch", "DataLoader worker seeding", replayWorkerSeeds},
      {"torch", "worker numpy seed words", replayNumpyWords},
  };
}

}  // namespace shardlens::selftest
