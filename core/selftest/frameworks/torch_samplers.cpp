// SPDX-License-Identifier: Apache-2.0
#include "core/random/numpy_legacy.h"
#include "core/random/python_random.h"
#include "core/random/torch_generator.h"
#include "core/random/torch_multinomial.h"
#include "core/random/torch_randperm.h"
#include "core/sampling/python.h"
#include "core/sampling/torch/arguments.h"
#include "core/sampling/torch/iterable_dataset.h"
#include "core/sampling/torch/loader_seeds.h"
#include "core/sampling/torch/random_split.h"
#include "core/sampling/torch/samplers.h"
#include "core/sampling/torch/weights.h"
#include "core/selftest/by_name.h"
#include "core/selftest/replay.h"
#include "core/selftest/vector_row.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace shardlens::selftest {

namespace torch_samplers_rows {
namespace {

/// DistributedSampler's own parameters, the same in both kinds of rows but for the name of drop_last.
std::optional<PipelineSpec> distributedSpec(const VectorRow& row, const char* drop_last) {
  const auto size = row.params.integer("dataset_size");
  const auto world = row.params.integer("world_size");
  const auto seed = row.params.bits("seed");
  const auto shuffle = row.params.flag("shuffle");
  const auto drops = row.params.flag(drop_last);
  const auto rank = row.fields.integer("rank");
  if (!size || !world || !seed || !shuffle || !drops || !rank) return std::nullopt;
  PipelineSpec spec = rowSpec(row, *size, *world);
  spec.sampler = {
      "torch.DistributedSampler",
      {{"shuffle", *shuffle}, {"seed", static_cast<std::int64_t>(*seed)}, {"drop_last", *drops}, {"set_epoch", true}}};
  if (*rank < 0 || *rank >= *world) spec.sampler.parameters["rank"] = *rank;  // what no rank of the world passes itself
  return spec;
}

Result<RankEpoch> drawn(const VectorRow& row, const PipelineSpec& spec, Planner& planner) {
  const std::int64_t rank = row.fields.integer("rank").value_or(0);
  const bool is_inside = rank >= 0 && rank < spec.worldSize();
  return planner.rankEpoch(spec, Epoch{row.fields.integer("epoch").value_or(0)}, Rank{is_inside ? rank : 0});
}

RowVerdict replayDistributed(const VectorRow& row, Planner& planner) {
  const auto spec = distributedSpec(row, "drop_last");
  if (!spec || !row.params.onlyHas({"dataset_size", "world_size", "shuffle", "seed", "drop_last"}))
    return unknownParameters();
  return judgeItems(row, drawn(row, *spec, planner));
}

RowVerdict replayDistributedBatches(const VectorRow& row, Planner& planner) {
  auto spec = distributedSpec(row, "sampler_drop_last");
  const auto batch_size = row.params.integer("batch_size");
  const auto drop_last = row.params.flag("drop_last");
  const bool known = row.params.onlyHas(
      {"dataset_size", "world_size", "shuffle", "seed", "sampler_drop_last", "batch_size", "drop_last"});
  if (!spec || !batch_size || !drop_last || !known) return unknownParameters();
  spec->loader.batch_size = *batch_size;
  spec->loader.drop_last = *drop_last;
  return judgeBatches(row, drawn(row, *spec, planner));
}

RowVerdict replayBatchArguments(const VectorRow& row) {
  const auto batch_size = pythonValue(row.params.find("batch_size"));
  const auto drop_last = pythonValue(row.params.find("drop_last"));
  if (!batch_size || !drop_last) return unknownParameters();
  return compareError(row, sampling::checkBatchSampler(*batch_size, *drop_last));
}

RowVerdict replayBatches(const VectorRow& row, Planner& planner) {
  if (!row.params.onlyHas({"dataset_size", "inner", "batch_size", "drop_last"})) return unknownParameters();
  if (row.error) return replayBatchArguments(row);
  const auto spec = specByName(row, "torch.SequentialSampler", "dataset_size inner=- batch_size drop_last");
  if (!spec || row.params.text("inner") != "SequentialSampler") return unsupported("an unknown inner sampler");
  return judgeBatches(row, planner.rankEpoch(*spec, row));
}

/// The constructor alone: a dataset of n, and arguments of any type.
RowVerdict replayRandomArguments(const VectorRow& row) {
  const auto size = row.params.integer(row.params.has("n") ? "n" : "dataset_size");
  const auto replacement = row.params.has("replacement") ? pythonValue(row.params.find("replacement")) : false;
  const auto num_samples =
      row.params.has("num_samples") ? pythonValue(row.params.find("num_samples")) : sampling::PyValue(std::monostate{});
  if (!size || !replacement || !num_samples) return unknownParameters();
  return compareError(row, sampling::checkRandomSampler(*size, *replacement, *num_samples));
}

/// list(sampler) without a loader: the sampler's seeds are all that is drawn from the global generator.
RowVerdict replayGlobalRandom(const VectorRow& row, const PipelineSpec& spec, std::uint64_t seed) {
  if (const auto plan = Plan::make(spec); !plan) return compareError(row, plan.error());
  TorchGenerator global(seed);
  for (std::int64_t left = row.fields.integer("epoch").value_or(0); left > 0; --left) global.random63();
  TorchGenerator own(static_cast<std::uint64_t>(global.random63()));
  const Result<OrderPtr> order = sampling::torchRandomOrder(spec, own, {});
  if (!order) return failed(order.error().text());
  const std::int64_t samples = row.params.integer("num_samples").value_or(spec.dataset.size);
  return compare(row, Answer::ofOrder(**order, samples));
}

RowVerdict replayRandom(const VectorRow& row, Planner& planner) {
  const auto samples = row.params.integer("num_samples");
  const bool odd = row.params.has("num_samples") && !row.params.isNull("num_samples") && !samples;
  if (row.params.has("n") || odd) return replayRandomArguments(row);
  auto spec = specByName(row, "dataset_size replacement num_samples? seed=- seeding=-");
  const auto seed = row.params.bits("seed");
  const auto seeding = row.params.text("seeding");
  if (!spec || !seed || !seeding) return unknownParameters();
  if (*seeding == "default_generator") return replayGlobalRandom(row, *spec, *seed);
  if (*seeding != "explicit_generator") return unsupported("an unknown seeding: " + *seeding);
  spec->sampler.parameters["generator"] = std::string("sampler");
  spec->sampler.parameters["generator_seed"] = static_cast<std::int64_t>(*seed);
  return judgeItems(row, planner.rankEpoch(*spec, row));
}

RowVerdict replaySubset(const VectorRow& row, Planner& planner) {
  auto spec = specByName(row, "indices_in=indices seed=generator_seed");
  const auto indices = row.params.integers("indices_in");
  if (!spec || !indices) return unknownParameters();
  spec->dataset.size = indices->empty() ? 1 : std::ranges::max(*indices) + 1;
  spec->sampler.parameters["generator"] = std::string("sampler");
  return judgeItems(row, planner.rankEpoch(*spec, row));
}

/// The constructor alone: arguments of any type, and weights of any shape.
RowVerdict replayWeightedArguments(const VectorRow& row) {
  const auto shape = shapeOfWeights(row.params);
  const auto num_samples = pythonValue(row.params.find("num_samples"));
  const auto replacement = row.params.has("replacement") ? pythonValue(row.params.find("replacement")) : true;
  if (!shape || !num_samples || !replacement) return unknownParameters();
  return compareError(row, sampling::checkWeightedRandomSampler(*num_samples, *replacement, *shape));
}

RowVerdict replayWeighted(const VectorRow& row, Planner& planner) {
  const auto mkl = usesMkl(row);
  if (!mkl || !row.params.onlyHas({"weights", "num_samples", "replacement", "seed", "math_library"}))
    return unknownParameters();
  const bool has_flag = !row.params.has("replacement") || row.params.flag("replacement").has_value();
  if (!rowWeights(row.params) || !row.params.integer("num_samples") || !has_flag) return replayWeightedArguments(row);
  auto spec = specByName(row, "weights num_samples replacement? seed=generator_seed? math_library=-?");
  if (!spec) return unknownParameters();
  spec->framework.torch_mkl = *mkl;
  spec->sampler.parameters["generator"] = std::string("sampler");
  return judgeItems(row, planner.rankEpoch(*spec, row));
}

std::optional<std::vector<sampling::SplitLength>> splitLengths(const Fields& params) {
  const nlohmann::json* given = params.find("lengths");
  if (given == nullptr || !given->is_array()) return std::nullopt;
  std::vector<sampling::SplitLength> lengths;
  for (const nlohmann::json& length : *given) {
    const auto value = pythonValue(&length);
    if (!value) return std::nullopt;
    const auto* whole = std::get_if<std::int64_t>(&*value);
    const auto* real = std::get_if<double>(&*value);
    if (whole == nullptr && real == nullptr) return std::nullopt;
    lengths.push_back(whole != nullptr ? sampling::SplitLength(*whole) : sampling::SplitLength(*real));
  }
  return lengths;
}

RowVerdict replayRandomSplit(const VectorRow& row, Planner& planner) {
  const auto size = row.params.integer("dataset_size");
  const auto seed = row.params.bits("seed");
  const auto lengths = splitLengths(row.params);
  const auto subset = row.params.integer("subset");
  const bool known = row.params.onlyHas({"dataset_size", "lengths", "seed", "subset"});
  if (!size || !seed || !lengths || !known || !planner.allows(*size)) return unknownParameters();
  TorchGenerator generator(*seed);
  auto subsets = sampling::torchRandomSplit(torchRelease(row.version), *size, *lengths, generator);
  if (!subsets && subsets.error().code == ErrorCode::Unsupported) return unsupported(subsets.error().message);
  if (!subsets) return compareError(row, subsets.error());
  if (!subset || *subset < 0 || *subset >= static_cast<std::int64_t>(subsets->size()))
    return unsupported("the row names none of its subsets");
  Answer answer;
  answer.indices = std::move((*subsets)[static_cast<std::size_t>(*subset)]);
  return compare(row, answer);
}

std::vector<std::uint64_t> draw(std::uint64_t seed, std::size_t count, std::uint64_t (*next)(TorchGenerator&)) {
  TorchGenerator generator(seed);
  std::vector<std::uint64_t> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(next(generator));
  return values;
}

/// The draw of each kind of row, by how the row's `what` begins.
struct DrawKind {
  std::string_view what;
  std::uint64_t (*next)(TorchGenerator&);
};
constexpr auto kFull = [](TorchGenerator& g) { return g.random64(); };
constexpr auto k63 = [](TorchGenerator& g) { return static_cast<std::uint64_t>(g.random63()); };
constexpr std::array<DrawKind, 4> kDrawKinds = {{
    {"int64 random_()", k63},
    {"scalar int64 random_()", k63},
    {"rand float32 times 2^24", [](TorchGenerator& g) { return std::uint64_t{g.random24()}; }},
    {"rand float64 times 2^53", [](TorchGenerator& g) { return g.random53(); }},
}};

/// 700 draws of 64 bits: the first ones, and three behind the borders of the state.
RowVerdict replayFullRange(const VectorRow& row, std::uint64_t seed) {
  constexpr std::size_t kDrawn = 700;
  const auto first = row.fields.words("values_hex", 16);
  if (!first || first->size() > kDrawn) return unsupported("the row has no values_hex");
  if (row.fields.bits("initial_seed_u64") != TorchGenerator(seed).initialSeed())
    return failed("initial_seed_u64 is not " + std::to_string(seed));
  const std::vector<std::uint64_t> values = draw(seed, kDrawn, kFull);
  std::vector<std::uint64_t> got(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(first->size()));
  std::vector<std::uint64_t> wanted = *first;
  for (const std::size_t at : {311U, 312U, 699U}) {
    const auto value = row.fields.bits("value_" + std::to_string(at) + "_hex", 16);
    if (!value) return unsupported("the row lacks a value");
    got.push_back(values[at]);
    wanted.push_back(*value);
  }
  return judged("values_hex", difference(got, wanted));
}

RowVerdict replayGenerator(const VectorRow& row, Planner& /*planner*/) {
  const auto seed = row.params.bits("seed");
  const auto what = row.params.text("what");
  if (!seed || !what || !row.params.onlyHas({"seed", "what"})) return unknownParameters();
  if (what->starts_with("uint64 draws, full range")) return replayFullRange(row, *seed);
  const auto wanted = row.fields.words("values");
  for (const DrawKind& kind : kDrawKinds) {
    if (!what->starts_with(kind.what)) continue;
    if (!wanted) return unsupported("the row has no values");
    return judged("values", difference(draw(*seed, wanted->size(), kind.next), *wanted));
  }
  return unsupported("an unknown draw: " + *what);
}

/// The `draw`-th consecutive randperm of one generator.
RowVerdict replayRandperm(const VectorRow& row, Planner& planner) {
  const auto n = row.params.integer("n");
  const auto seed = row.params.bits("seed");
  const std::int64_t draws = row.params.integer("draw").value_or(0);
  const bool known = row.params.onlyHas({"n", "seed", "draw"});
  if (!n || !seed || !known || !planner.allows(*n) || !planner.allows(draws)) return unknownParameters();
  const auto size = static_cast<std::uint64_t>(*n);
  const TorchRandpermRule rule = torchRandpermRule(torchRelease(row.version), size);
  TorchGenerator generator(*seed);
  generator.skip(torchRandpermOutputs(rule, size) * static_cast<std::uint64_t>(draws));
  Answer answer;
  answer.indices.resize(size);
  if (auto done = torchRandperm(generator, std::span(answer.indices), {}, rule); !done) return failed("cancelled");
  return compare(row, answer);
}

Result<void> checkRandint(std::int64_t low, std::int64_t high, std::int64_t size) {
  if (size < 0) {
    const std::string text = std::to_string(size);
    return sampling::raised("RuntimeError",
                            "Trying to create tensor with negative dimension " + text + ": [" + text + "]");
  }
  if (low < high) return {};
  return sampling::raised("RuntimeError", "random_ expects 'from' to be less than 'to', but got from=" +
                                              std::to_string(low) + " >= to=" + std::to_string(high));
}

RowVerdict replayRandint(const VectorRow& row, Planner& planner) {
  const auto low = row.params.bits("low");
  const auto high = row.params.bits("high");
  const auto size = row.params.integer("size");
  const auto seed = row.params.bits("seed");
  if (!low || !high || !size || !seed || !row.params.onlyHas({"low", "high", "size", "seed"}))
    return unknownParameters();
  const auto first = static_cast<std::int64_t>(*low);
  const auto last = static_cast<std::int64_t>(*high);
  if (auto checked = checkRandint(first, last, *size); !checked) return compareError(row, checked);
  if (!planner.allows(*size)) return unsupported("too many numbers");
  const TorchRandint draw(torchRelease(row.version), first, last);
  TorchGenerator generator(*seed);
  Answer answer;
  for (std::int64_t i = 0; i < *size; ++i) answer.indices.push_back(draw(generator));
  return compare(row, answer);
}

struct Multinomial {
  std::int64_t num_samples = 0;
  bool replacement = false;
  TorchMultinomialPath path = TorchMultinomialPath::Cumulative;
  std::uint64_t seed = 0;
};

template <class Weight>
RowVerdict replayMultinomialOf(const VectorRow& row, std::span<const Weight> weights, const Multinomial& call) {
  if (auto checked = checkTorchMultinomial(weights, call.num_samples, call.replacement, call.path); !checked)
    return compareError(row, checked);
  TorchGenerator generator(call.seed);
  std::vector<std::uint32_t> drawn(static_cast<std::size_t>(call.num_samples));
  if (auto done = torchMultinomial(generator, weights, call.path, drawn); !done) return failed(done.error().text());
  Answer answer;
  answer.indices.assign(drawn.begin(), drawn.end());
  return compare(row, answer);
}

RowVerdict replayMultinomial(const VectorRow& row, Planner& planner) {
  const auto given = rowWeights(row.params);
  const auto samples = row.params.integer("num_samples");
  const auto replacement = row.params.flag("replacement");
  const auto seed = row.params.bits("seed");
  const auto type = row.params.text("dtype");
  const auto mkl = usesMkl(row);
  const bool known = row.params.onlyHas({"weights", "num_samples", "replacement", "seed", "dtype", "math_library"});
  if (!given || !samples || !replacement || !seed || !type || !mkl || !known) return unknownParameters();
  if (!planner.allows(given->size) || !planner.allows(std::max<std::int64_t>(0, *samples)))
    return unsupported("too many samples");
  const auto weights = sampling::weightsOf(given->value, given->size);
  if (!weights) return failed(weights.error().text());
  const Multinomial call{*samples, *replacement,
                         torchMultinomialPath(torchRelease(row.version), *samples, *replacement, *mkl), *seed};
  if (*type == "float64") return replayMultinomialOf(row, weights->items(), call);
  if (*type != "float32") return unsupported("an unknown dtype: " + *type);
  const std::vector<float> narrow(weights->items().begin(), weights->items().end());
  return replayMultinomialOf(row, std::span<const float>(narrow), call);
}

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

/// The dataset and the loader of a row, and its sampler.
std::optional<PipelineSpec> loaderSpec(const VectorRow& row) {
  const Fields& params = row.params;
  const auto size = params.integer("dataset_size");
  const auto batch_size = params.integer("batch_size");
  const auto workers = params.integer("num_workers");
  const auto drop_last = params.flag("drop_last");
  if (!size || !batch_size || !workers || !drop_last) return std::nullopt;
  PipelineSpec spec = rowSpec(row, *size, 1, *batch_size);
  spec.loader.num_workers = *workers;
  spec.loader.drop_last = *drop_last;
  spec.loader.prefetch_factor = params.integer("prefetch_factor").value_or(2);
  spec.loader.persistent_workers = params.flag("persistent_workers").value_or(false);
  return putSampler(params, spec) && putSeeds(params, spec) ? std::optional(std::move(spec)) : std::nullopt;
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

/// Worker k yields n * (k + 1) samples from 1000 k on: a dataset of the reference's own, that no spec describes.
Result<RankEpoch> triangular(const PipelineSpec& spec) {
  if (auto plan = Plan::make(spec); !plan) return plan.error();
  const std::int64_t workers = spec.loader.num_workers;
  std::vector<sampling::WorkerStream> streams;
  for (std::int64_t worker = 0; worker < std::max<std::int64_t>(1, workers); ++worker)
    streams.push_back({1000 * worker, 1, spec.dataset.size * (worker + 1)});
  const sampling::IterableLoader loader{spec.loader.batch_size, spec.loader.drop_last, workers > 0};
  auto order = loader.deal(std::array{std::move(streams)}, {});
  if (!order) return order.error();
  const Rank rank{0};
  Batching batching = Batching::listed((*order)->deal(), rank);
  return RankEpoch(rank, Epoch{0}, Slice::ofDeal(std::move(*order), rank), std::move(batching), workers);
}

RowVerdict replayIterable(const VectorRow& row, Planner& planner) {
  auto spec = specByName(row, "torch.IterableDataset",
                         "dataset_size worker_split=- batch_size num_workers drop_last "
                         "prefetch_factor=loader.prefetch_factor?");
  const auto split = row.params.text("worker_split");
  if (!spec || !split) return unknownParameters();
  const bool is_triangular = *split == "triangular";
  if (!is_triangular) spec->sampler.parameters["worker_split"] = *split;
  const auto rank_epoch = is_triangular ? triangular(*spec) : planner.rankEpoch(*spec, row);
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
  if (!base_seed || !worker || !wanted || !row.params.onlyHas({"base_seed", "worker_id"})) return unknownParameters();
  const auto words = sampling::torchWorkerNumpyWords(*base_seed, *worker);
  return judged("values", difference(Words(words.begin(), words.end()), *wanted));
}

}  // namespace
}  // namespace torch_samplers_rows

std::vector<Replay> torchReplays() {
  using namespace torch_samplers_rows;
  return {
      {"torch", "BatchSampler", replayBatches},
      {"torch", "BatchSampler(DistributedSampler)", replayDistributedBatches},
      {"torch", "DistributedSampler", replayDistributed},
      {"torch", "RandomSampler", replayRandom},
      {"torch", "SubsetRandomSampler", replaySubset},
      {"torch", "WeightedRandomSampler", replayWeighted},
      {"torch", "random_split", replayRandomSplit},
      {"torch", "Generator", replayGenerator},
      {"torch", "multinomial", replayMultinomial},
      {"torch", "randint", replayRandint},
      {"torch", "randperm", replayRandperm},
      {"torch", "DataLoader(iterable)", replayIterable},
      {"torch", "DataLoader(map-style)", replayLoader},
      {"torch", "DataLoader worker seeding", replayWorkerSeeds},
      {"torch", "worker numpy seed words", replayNumpyWords},
  };
}

}  // namespace shardlens::selftest
