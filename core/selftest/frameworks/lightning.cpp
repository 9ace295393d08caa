// SPDX-License-Identifier: Apache-2.0
#include "core/base/ids.h"
#include "core/random/numpy_legacy.h"
#include "core/random/python_random.h"
#include "core/random/torch_generator.h"
#include "core/sampling/ignite/distributed_proxy_sampler.h"
#include "core/sampling/lightning/injection.h"
#include "core/sampling/lightning/seeds.h"
#include "core/sampling/python.h"
#include "core/sampling/torch/samplers.h"
#include "core/selftest/by_name.h"
#include "core/selftest/replay.h"
#include "core/selftest/vector_row.h"
#include "core/spec/pipeline_spec.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::selftest {

namespace lightning_rows {
namespace {

using Words = std::vector<std::uint64_t>;

RowVerdict judgeWords(const std::string& what, const Words& got, const std::optional<Words>& wanted) {
  return wanted ? judged(what, difference(got, *wanted)) : unsupported("the row has no " + what);
}

/// The place of a worker: base_seed, worker_id, global_rank.
std::optional<std::array<std::uint64_t, 3>> placeOf(const VectorRow& row) {
  const auto base_seed = row.params.bits("base_seed");
  const auto worker = row.params.bits("worker_id");
  const auto rank = row.params.bits("global_rank");
  const bool known = row.params.onlyHas({"base_seed", "worker_id", "global_rank"});
  if (!base_seed || !worker || !rank || !known) return std::nullopt;
  return std::array<std::uint64_t, 3>{*base_seed, *worker, *rank};
}

RowVerdict replaySeedSequence(const VectorRow& row, Planner& /*planner*/) {
  const auto place = placeOf(row);
  if (!place) return unknownParameters();
  const auto words = sampling::lightningSeedSequence((*place)[0], (*place)[1], (*place)[2]);
  return judgeWords("values", Words(words.begin(), words.end()), row.fields.words("values"));
}

template <class Draw>
Words draws(std::size_t count, Draw draw) {
  Words values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<std::uint64_t>(draw()));
  return values;
}

RowVerdict replayWorkerState(const VectorRow& row, Planner& /*planner*/) {
  const auto place = placeOf(row);
  if (!place) return unknownParameters();
  const auto seeds = sampling::lightningWorkerSeeds((*place)[0], (*place)[1], (*place)[2]);
  if (row.fields.bits("torch_initial_seed") != seeds.torch)
    return failed("torch_initial_seed is not " + std::to_string(seeds.torch));
  constexpr std::size_t kMost = 1000;
  const Words none;
  const auto torch_words = row.fields.words("torch_random_63bit");
  const auto python_words = row.fields.words("python_getrandbits32");
  const auto numpy_words = row.fields.words("numpy_randint_0_2pow32_uint64");
  for (const auto& words : {torch_words, python_words, numpy_words}) {
    if (!words || words->empty() || words->size() > kMost) return unsupported("the row lacks draws");
  }
  TorchGenerator torch(seeds.torch);
  RowVerdict verdict = judgeWords("torch", draws(torch_words->size(), [&] { return torch.random63(); }), torch_words);
  if (verdict.outcome != Outcome::Passed) return verdict;
  PythonRandom python = PythonRandom::ofWords(seeds.python);
  verdict = judgeWords("python", draws(python_words->size(), [&] { return python.getrandbits(32); }), python_words);
  if (verdict.outcome != Outcome::Passed) return verdict;
  NumpyLegacy numpy(std::span<const std::uint32_t>(seeds.numpy));
  return judgeWords("numpy", draws(numpy_words->size(), [&] { return numpy.next(); }), numpy_words);
}

std::optional<sampling::LightningSeed> seedOf(const nlohmann::json* value) {
  if (value == nullptr) return sampling::LightningSeed(std::monostate{});
  if (value->is_number_unsigned() && value->get<std::uint64_t>() > INT64_MAX)
    return sampling::LightningSeed(std::to_string(value->get<std::uint64_t>()));
  return pythonValue(value);
}

RowVerdict replaySeedEverything(const VectorRow& row, Planner& /*planner*/) {
  const auto seed = seedOf(row.params.find("seed"));
  if (!seed || !row.params.onlyHas({"seed", "PL_GLOBAL_SEED"})) return unknownParameters();
  const auto value = row.fields.integer("value");
  // A row without a seed does not say what PL_GLOBAL_SEED held: it must be taken over as it was.
  std::optional<std::string> environment = row.params.text("PL_GLOBAL_SEED");
  if (!environment && value) environment = std::to_string(*value);
  const Result<std::int64_t> set = sampling::lightningSeedEverything(*seed, environment);
  if (row.error) return compareError(row, set ? Result<void>() : Result<void>(set.error()));
  if (!set) return failed(set.error().text());
  return value == *set ? passed() : failed("value is not " + std::to_string(*set));
}

std::vector<std::int64_t> arithmetic(std::int64_t first, std::int64_t step, std::int64_t count) {
  std::vector<std::int64_t> items;
  for (std::int64_t i = 0; i < count; ++i) items.push_back(first + i * step);
  return items;
}

/// The inner sampler of `length` items, as the rows name it; generators of its own hold inner_seed.
bool putInner(PipelineSpec& spec, const std::string& inner, std::int64_t length, std::uint64_t seed) {
  auto& parameters = spec.sampler.parameters;
  spec.dataset.size = inner == "subset_random" ? 2 * length : length;
  parameters["generator"] = std::string("sampler");
  parameters["generator_seed"] = static_cast<std::int64_t>(seed);
  parameters["inner"] = inner;
  if (inner == "random") return true;
  if (inner == "weighted") {
    parameters["weights"] = std::string("inverse");
  } else if (inner == "subset_random") {
    parameters["indices"] = arithmetic(0, 2, length);
  } else if (inner == "reversed_list") {
    parameters["inner"] = std::string("list");
    parameters["indices"] = arithmetic(length - 1, -1, length);
  } else {
    return false;
  }
  return true;
}

RowVerdict replayWithoutLen(const VectorRow& row) {
  using Length = sampling::UserSampler::Length;
  return compareError(row, sampling::checkSamplerLength({"NoLen", sampling::UserSampler::Kind::Other, Length::None}));
}

RowVerdict replayWrapper(const VectorRow& row, Planner& planner) {
  if (row.params.text("inner") == "sampler without __len__" && row.params.onlyHas({"inner"}))
    return replayWithoutLen(row);
  auto spec = specByName(row, "inner=- inner_length=- inner_seed=- world_size shuffle drop_last seed");
  const auto inner = row.params.text("inner");
  const auto length = row.params.integer("inner_length");
  const auto seed = row.params.bits("inner_seed");
  if (!spec || !inner || !length || *length < 0 || !seed) return unknownParameters();
  if (!putInner(*spec, *inner, *length, *seed)) return unsupported("an unknown inner sampler: " + *inner);
  return judgeItems(row, planner.rankEpoch(*spec, row));
}

/// What the constructor refuses before it looks at a sampler that a spec can name.
std::optional<Error> refusedInner(const std::string& inner) {
  if (inner == "not_a_sampler")
    return sampling::raised("TypeError",
                            "Argument sampler should be instance of torch Sampler, but given: <class 'list'>");
  if (inner == "distributed")
    return sampling::raised("TypeError", "Argument sampler must not be a distributed sampler already");
  if (inner == "no_len") return sampling::raised("TypeError", "Argument sampler should have length");
  return std::nullopt;
}

/// The samplers as tests/vectors/README.md describes them: a list counts down, a subset has every second sample.
bool fillInner(const VectorRow& row, const std::string& inner, std::int64_t size, PipelineSpec& spec) {
  auto& parameters = spec.sampler.parameters;
  std::vector<std::int64_t> list;
  for (std::int64_t i = 0; i < size; ++i) list.push_back(inner == "list" ? size - 1 - i : 2 * i);
  parameters["inner"] = inner;
  if (inner == "list" || inner == "subset_random") parameters["indices"] = IndexList(std::move(list));
  if (inner == "subset_random") spec.dataset.size = std::max<std::int64_t>(1, 2 * size);
  if (inner == "random_replacement" || inner == "random_own_generator") parameters["inner"] = std::string("random");
  if (inner == "random_replacement") parameters["replacement"] = true;
  if (inner == "random_own_generator") {
    parameters["generator"] = std::string("sampler");
    parameters["generator_seed"] = static_cast<std::int64_t>(row.params.bits("generator_seed").value_or(0));
  }
  if (const auto samples = row.params.integer("num_samples")) parameters["num_samples"] = *samples;
  if (inner != "weighted") return true;
  const auto weights = rowWeights(row.params);
  if (weights) parameters["weights"] = weights->value;
  return weights.has_value();
}

RowVerdict judgePass(const VectorRow& row, const PipelineSpec& spec, Rank rank) {
  const std::int64_t told = row.fields.integer("epoch").value_or(0);
  const std::int64_t earlier = row.params.integer("earlier_passes").value_or(0);
  const sampling::SamplerRule rule = sampling::igniteDistributedProxySampler();
  if (auto good = rule.check(spec); !good) return compareError(row, good);
  const auto order = sampling::igniteProxyOrder(spec, told, earlier, {});
  if (!order) return compareError(row, order.error());
  const Slice slice = rule.slice(spec, Epoch{told}, rank, *order);
  Answer answer;
  for (std::int64_t k = 0; k < slice.size(); ++k) answer.indices.push_back(slice.sample(k));
  answer.length = slice.size();
  return compare(row, answer);
}

RowVerdict replayProxy(const VectorRow& row, Planner& planner) {
  const auto size = row.params.integer("dataset_size");
  const auto world = row.params.integer("world_size");
  const auto inner = row.params.text("inner");
  const auto rank = row.fields.integer("rank");
  const bool known = row.params.onlyHas(
      {"dataset_size", "world_size", "inner", "num_samples", "earlier_passes", "generator_seed", "weights"});
  if (!size || !world || *size < 0 || *world < 1 || !inner || !rank || *rank < 0 || !known) return unknownParameters();
  if (const auto refused = refusedInner(*inner)) return compareError(row, *refused);
  if (*rank >= *world) return compareError(row, sampling::invalidRank(*rank, *world));
  PipelineSpec spec = rowSpec(row, *size, *world);
  spec.framework.torch_mkl = false;
  spec.sampler.type = "ignite.DistributedProxySampler";
  constexpr std::array kInners = {"random",        "weighted", "random_replacement", "random_own_generator",
                                  "subset_random", "list",     "sequential"};
  if (std::ranges::find(kInners, *inner) == kInners.end() || !fillInner(row, *inner, *size, spec))
    return unsupported("an unknown inner sampler: " + *inner);
  planner.judges(spec.sampler.type);
  return judgePass(row, spec, Rank{*rank});
}

/// A loader of the files lightning_*_injection: the objects that Lightning inspects, and the pipeline that they make.
struct NamedLoader {
  sampling::UserLoader loader;
  PipelineSpec spec;
};

using sampling::PySignature;
using sampling::UserBatchSampler;
using sampling::UserSampler;
using Kind = UserSampler::Kind;
using Make = void (*)(NamedLoader& named, Epoch epoch);

constexpr std::int64_t kInnerSeed = 5;

std::vector<std::int64_t> range(std::int64_t first, std::int64_t last, std::int64_t step = 1) {
  std::vector<std::int64_t> items;
  for (std::int64_t i = first; i < last; i += step) items.push_back(i);
  return items;
}

/// The sampler argument of a DataLoader that batches by itself.
void putSampler(NamedLoader& named, UserSampler sampler, std::string type, std::map<std::string, Value> parameters) {
  named.loader.sampler = sampler;
  if (named.loader.batch_sampler) named.loader.batch_sampler->sampler = std::move(sampler);
  named.spec.sampler = {std::move(type), std::move(parameters)};
}

std::map<std::string, Value> seeded(std::map<std::string, Value> parameters) {
  parameters["generator"] = std::string("sampler");
  parameters["generator_seed"] = kInnerSeed;
  return parameters;
}

/// RandomSampler's pass number `epoch` when all it has is a global generator seeded with 0.
std::vector<std::int64_t> shuffled(const PipelineSpec& written, Epoch epoch) {
  TorchGenerator global(0);
  for (std::int64_t before = 0; before < epoch.value; ++before) global.random63();
  TorchGenerator own(static_cast<std::uint64_t>(global.random63()));
  PipelineSpec spec = written;
  spec.sampler = {"torch.RandomSampler", {}};
  const auto order = sampling::torchRandomOrder(spec, own, {});
  std::vector<std::int64_t> items;
  for (std::int64_t i = 0; order && i < (*order)->size(); ++i) items.push_back((**order)[i]);
  return items;
}

void sequential(NamedLoader& /*named*/, Epoch /*epoch*/) {}

void sequentialDropLast(NamedLoader& named, Epoch /*epoch*/) {
  named.loader.drop_last = true;
}

void shuffle(NamedLoader& named, Epoch epoch) {
  putSampler(named, {"RandomSampler", Kind::Random}, "python.list", {{"indices", shuffled(named.spec, epoch)}});
  named.loader.shuffle = true;
}

void shuffleDropLast(NamedLoader& named, Epoch epoch) {
  shuffle(named, epoch);
  named.loader.drop_last = true;
}

void replacement(NamedLoader& named, Epoch /*epoch*/) {
  putSampler(named, {"RandomSampler", Kind::Random}, "torch.RandomSampler",
             seeded({{"replacement", true}, {"num_samples", std::int64_t{5}}}));
}

void weighted(NamedLoader& named, Epoch /*epoch*/) {
  putSampler(named, {"WeightedRandomSampler", Kind::Other}, "torch.WeightedRandomSampler",
             seeded({{"weights", std::string("inverse")}, {"replacement", true}}));
}

void subsetRandom(NamedLoader& named, Epoch /*epoch*/) {
  putSampler(named, {"SubsetRandomSampler", Kind::Other}, "torch.SubsetRandomSampler",
             seeded({{"indices", range(0, named.spec.dataset.size, 2)}}));
}

void distributedAlready(NamedLoader& named, Epoch /*epoch*/) {
  putSampler(named, {"DistributedSampler", Kind::Distributed}, "torch.DistributedSampler",
             {{"num_replicas", std::int64_t{4}}, {"rank", std::int64_t{1}}, {"seed", std::int64_t{9}}});
}

void listSampler(NamedLoader& named, Epoch /*epoch*/) {
  putSampler(named, {"list", Kind::Other}, "python.list", {{"indices", IndexList{4, 3, 2, 1, 0}}});
}

void withoutLen(NamedLoader& named, Epoch /*epoch*/) {
  putSampler(named, {"NoLen", Kind::Other, UserSampler::Length::None}, "python.list", {{"indices", IndexList{1}}});
}

void iterable(NamedLoader& named, Epoch /*epoch*/) {
  putSampler(named, {"_InfiniteConstantSampler", Kind::Other, UserSampler::Length::Infinite}, "torch.SequentialSampler",
             {});
  named.loader.iterable = true;
}

/// batch_sampler=...: the loader itself then has a SequentialSampler and no batch size.
void giveBatchSampler(NamedLoader& named, UserBatchSampler batch_sampler) {
  named.loader.sampler = {};
  named.loader.shuffle.reset();
  named.loader.batch_sampler = std::move(batch_sampler);
  named.loader.gave_batch_sampler = true;
}

void plainBatches(NamedLoader& named, Epoch /*epoch*/) {
  giveBatchSampler(named, {});
}

void plainBatchesShuffled(NamedLoader& named, Epoch epoch) {
  shuffle(named, epoch);
  UserBatchSampler batch_sampler;
  batch_sampler.sampler = UserSampler{"RandomSampler", Kind::Random};
  giveBatchSampler(named, batch_sampler);
  named.loader.drop_last = true;
}

void customBatches(NamedLoader& named, std::string class_name, PySignature init, sampling::PyCall call) {
  UserBatchSampler batch_sampler;
  batch_sampler.class_name = std::move(class_name);
  batch_sampler.exact = false;
  batch_sampler.init = std::move(init);
  batch_sampler.call = std::move(call);
  giveBatchSampler(named, batch_sampler);
}

const PySignature kBatchSampler = {{{"sampler", true}, {"batch_size", true}, {"drop_last", true}}, false};

void subclassBatches(NamedLoader& named, Epoch /*epoch*/) {
  customBatches(named, "BSsub", kBatchSampler, {{"sampler", "batch_size", "drop_last"}, {}});
}

void extraRequired(NamedLoader& named, Epoch /*epoch*/) {
  PySignature init = kBatchSampler;
  init.parameters.push_back({"extra", true});
  customBatches(named, "BSextra", init, {{"sampler", "batch_size", "drop_last", "extra"}, {}});
}

void extraDefault(NamedLoader& named, Epoch /*epoch*/) {
  PySignature init = kBatchSampler;
  init.parameters.push_back({"extra", false});
  customBatches(named, "BSextraDefault", init, {{"sampler", "batch_size", "drop_last"}, {}});
}

void withoutSamplerArgument(NamedLoader& named, Epoch /*epoch*/) {
  customBatches(named, "BSnosampler", {{{"data", true}, {"batch_size", true}}, false}, {{"data", "batch_size"}, {}});
}

void duck(NamedLoader& named, Epoch /*epoch*/) {
  customBatches(named, "Duck", kBatchSampler, {});
  named.loader.batch_sampler->inherits = false;
}

void duckOtherConstructor(NamedLoader& named, Epoch /*epoch*/) {
  customBatches(named, "DuckNoArgs", {{{"n", true}}, false}, {});
  named.loader.batch_sampler->inherits = false;
  named.loader.batch_sampler->sampler.reset();
  named.loader.batch_size = 1;
}

/// A batch sampler that has nothing of a BatchSampler.
void strangerBatches(NamedLoader& named, std::string class_name) {
  customBatches(named, std::move(class_name), {}, {});
  UserBatchSampler& batch_sampler = *named.loader.batch_sampler;
  batch_sampler.inherits = batch_sampler.has_batch_size = batch_sampler.has_drop_last = false;
  batch_sampler.sampler.reset();
}

void withoutBatchSize(NamedLoader& named, Epoch /*epoch*/) {
  strangerBatches(named, "Plain");
  named.loader.batch_size = 1;
}

void twoStream(NamedLoader& named, Epoch /*epoch*/) {
  strangerBatches(named, "TwoStreamBatchSampler");
  named.loader.batch_size = 4;
  named.spec.seeds.base = 0;
  named.spec.sampler = {"meanteacher.TwoStreamBatchSampler",
                        {{"primary_indices", range(0, 6)},
                         {"secondary_indices", range(6, named.spec.dataset.size)},
                         {"secondary_batch_size", std::int64_t{2}}}};
}

void loaderRequiredArgument(NamedLoader& named, Epoch /*epoch*/) {
  named.loader.class_name = "DLrequired";
  named.loader.subclass = true;
  named.loader.init = {{{"data", true}, {"my_arg", true}}, true};
  named.loader.call = {{"data", "my_arg"}, {"batch_size"}};
}

void loaderWithoutKwargs(NamedLoader& named, Epoch /*epoch*/) {
  named.loader.class_name = "DLnokwargs";
  named.loader.subclass = true;
  named.loader.init = {{{"dataset", true}, {"batch_size", false}}, false};
  named.loader.call = {{"dataset"}, {}};
  named.loader.batch_size = 2;
}

void unbatched(NamedLoader& named, Epoch /*epoch*/) {
  named.loader.batch_sampler.reset();
}

void unbatchedShuffle(NamedLoader& named, Epoch epoch) {
  shuffle(named, epoch);
  named.loader.batch_sampler.reset();
}

/// len() of the spec's sampler, and a dataset that holds all it lists.
std::int64_t lengthOf(PipelineSpec& spec) {
  const auto& parameters = spec.sampler.parameters;
  if (const auto indices = parameters.find("indices"); indices != parameters.end()) {
    const auto& list = std::get<IndexList>(indices->second);
    for (const SampleIndex index : list) spec.dataset.size = std::max(spec.dataset.size, index + 1);
    return static_cast<std::int64_t>(list.size());
  }
  const auto samples = parameters.find("num_samples");
  return samples == parameters.end() ? spec.dataset.size : std::get<std::int64_t>(samples->second);
}

const std::map<std::string, Make>& makers() {
  static const std::map<std::string, Make> kMakers = {
      {"sequential", sequential},
      {"sequential_drop_last", sequentialDropLast},
      {"shuffle", shuffle},
      {"shuffle_drop_last", shuffleDropLast},
      {"random_sampler_replacement_num_samples", replacement},
      {"weighted", weighted},
      {"subset_random", subsetRandom},
      {"distributed_already", distributedAlready},
      {"list_sampler", listSampler},
      {"sampler_without_len", withoutLen},
      {"iterable", iterable},
      {"batch_sampler_plain", plainBatches},
      {"batch_sampler_plain_shuffle", plainBatchesShuffled},
      {"batch_sampler_subclass", subclassBatches},
      {"batch_sampler_subclass_extra_required", extraRequired},
      {"batch_sampler_subclass_extra_default", extraDefault},
      {"batch_sampler_subclass_without_sampler_argument", withoutSamplerArgument},
      {"batch_sampler_duck", duck},
      {"batch_sampler_duck_other_constructor", duckOtherConstructor},
      {"batch_sampler_without_batch_size", withoutBatchSize},
      {"two_stream_batch_sampler", twoStream},
      {"dataloader_subclass_required_argument", loaderRequiredArgument},
      {"dataloader_subclass_without_kwargs", loaderWithoutKwargs},
      {"batch_size_none", unbatched},
      {"batch_size_none_shuffle", unbatchedShuffle},
  };
  return kMakers;
}

/// The loader of that name over a dataset of `size`, as the script that recorded the rows names it. A sampler
/// without a generator of its own draws its seed from a global generator seeded with 0, once per epoch: its pass of
/// this epoch is written out as a list.
std::optional<NamedLoader> namedLoader(const std::string& name, std::int64_t size, Epoch epoch,
                                       const std::string& torch) {
  const auto maker = makers().find(name);
  if (maker == makers().end() || size < 0) return std::nullopt;
  NamedLoader named;
  named.spec.dataset.size = size;
  named.spec.framework.torch = torch;
  named.spec.sampler.type = "torch.SequentialSampler";
  named.loader.batch_size = 3;
  maker->second(named, epoch);
  named.loader.sampler.size = named.loader.gave_batch_sampler ? size : lengthOf(named.spec);
  return named;
}

using sampling::InjectedSampler;
using sampling::LightningApi;
using sampling::LightningSettings;
using sampling::PreparedLoader;

std::optional<std::int64_t> globalSeed(const VectorRow& row) {
  const auto text = row.params.text("PL_GLOBAL_SEED");
  if (!text) return row.params.isNull("PL_GLOBAL_SEED") ? std::optional<std::int64_t>(0) : std::nullopt;
  const auto seed = sampling::lightningSeedEverything(*text, {});
  return seed ? std::optional<std::int64_t>(*seed) : std::nullopt;
}

std::optional<LightningSettings> trainerSettings(const VectorRow& row) {
  const auto stage = row.params.text("stage");
  const auto use = row.params.flag("use_distributed_sampler");
  const auto distributed = row.params.flag("is_distributed");
  const auto seed = globalSeed(row);
  const nlohmann::json* overfit = row.params.find("overfit_batches");
  if (!stage || !use || !distributed || !seed || overfit == nullptr || !overfit->is_number()) return std::nullopt;
  const bool known = *stage == "train" || *stage == "validate" || *stage == "test" || *stage == "predict";
  if (!known) return std::nullopt;
  return LightningSettings{
      LightningApi::Trainer, *stage == "train", *stage == "predict", *use, *distributed, *overfit != 0, *seed};
}

bool same(const Fields& result, const char* key, const std::optional<std::string>& wanted) {
  return wanted ? result.text(key) == wanted : result.isNull(key);
}

/// What the row's `result` says of the prepared loader; empty when all of it agrees.
std::string resultDifference(const VectorRow& row, const PreparedLoader& prepared) {
  const nlohmann::json* object = row.fields.find("result");
  if (object == nullptr || !object->is_object()) return "the row has no result";
  const Fields result(*object);
  if (!result.onlyHas(
          {"replaced", "sampler_class", "batch_sampler_class", "sampler_inside_batch_sampler", "shuffle_detected"})) {
    return "the result holds an unknown field";
  }
  if (result.flag("replaced") != prepared.replaced) return "replaced differs";
  if (result.flag("shuffle_detected") != prepared.shuffle_detected) return "shuffle_detected differs";
  if (!same(result, "sampler_class", prepared.sampler_class)) return "sampler_class is not " + prepared.sampler_class;
  if (!same(result, "batch_sampler_class", prepared.batch_sampler_class)) return "batch_sampler_class differs";
  if (!same(result, "sampler_inside_batch_sampler", prepared.inner_class)) return "not inside: " + prepared.inner_class;
  return {};
}

std::string fabricDifference(const VectorRow& row, const PreparedLoader& prepared) {
  const nlohmann::json* object = row.fields.find("result");
  if (object == nullptr || !object->is_object()) return "the row has no result";
  const Fields result(*object);
  const bool plain = prepared.injected == InjectedSampler::Distributed;
  if (!result.onlyHas({"sampler_class", "shuffle"})) return "the result holds an unknown field";
  if (!same(result, "sampler_class", plain ? "DistributedSampler" : "DistributedSamplerWrapper"))
    return "sampler_class differs";
  return result.flag("shuffle") == prepared.shuffle ? "" : "shuffle differs";
}

RowVerdict judgeSpec(const VectorRow& row, const PipelineSpec& spec, bool batches, Planner& planner) {
  const auto drawn = planner.rankEpoch(spec, Epoch{spec.epochs - 1}, Rank{row.fields.integer("rank").value_or(0)});
  return batches ? judgeBatches(row, drawn) : judgeItems(row, drawn);
}

RowVerdict judgeOrder(const VectorRow& row, const NamedLoader& named, const PreparedLoader& prepared,
                      Planner& planner) {
  if (!row.fields.has("batches") && !row.fields.has("indices") && !row.error)
    return passed();  // an iterable's order is its own
  auto spec = sampling::preparedSpec(named.spec, prepared);
  if (!spec) return failed(spec.error().text());
  spec->epochs = row.fields.integer("epoch").value_or(0) + 1;
  RowVerdict once = judgeSpec(row, *spec, prepared.batches, planner);
  if (once.outcome == Outcome::Passed || prepared.batch_sampler_class != "_IndexBatchSamplerWrapper") return once;
  // A row does not say how its batches were read. A loader asks the wrapper that Trainer.predict puts around a batch
  // sampler for one iterator in a pass, or for two if it has workers, and each draws anew.
  spec->loader.num_workers = 1;
  return judgeSpec(row, *spec, prepared.batches, planner);
}

using Difference = std::string (*)(const VectorRow& row, const PreparedLoader& prepared);

RowVerdict replayLoader(const VectorRow& row, NamedLoader named, LightningSettings settings, Difference differs,
                        Planner& planner) {
  const auto world = row.params.integer("world_size");
  const auto rank = row.fields.integer("rank");
  if (!world || *world < 1 || !rank || *rank < 0 || *rank >= *world) return unknownParameters();
  named.spec.world = {1, *world};
  settings.world_size = *world;
  settings.rank = Rank{*rank};
  const auto prepared = sampling::prepareLoader(named.loader, settings);
  if (!prepared) return compareError(row, prepared.error());
  RowVerdict order = judgeOrder(row, named, *prepared, planner);
  if (order.outcome != Outcome::Passed || row.error) return order;
  const std::string difference = differs(row, *prepared);
  return difference.empty() ? passed() : failed(difference);
}

std::optional<NamedLoader> loaderOf(const VectorRow& row) {
  const auto name = row.params.text("dataloader");
  const auto size = row.params.integer("dataset_size");
  if (!name || !size) return std::nullopt;
  return namedLoader(*name, *size, Epoch{row.fields.integer("epoch").value_or(0)}, torchReleaseIn(row.version));
}

RowVerdict replayTrainer(const VectorRow& row, Planner& planner) {
  auto named = loaderOf(row);
  const auto settings = trainerSettings(row);
  const auto in_hook = row.params.flag("created_inside_dataloader_hook");
  const bool known = row.params.onlyHas({"dataset_size", "dataloader", "created_inside_dataloader_hook", "stage",
                                         "use_distributed_sampler", "is_distributed", "world_size", "overfit_batches",
                                         "PL_GLOBAL_SEED"});
  if (!named || !settings || !in_hook || !known) return unknownParameters();
  named->loader.in_hook = *in_hook;
  return replayLoader(row, *named, *settings, resultDifference, planner);
}

RowVerdict replayFabric(const VectorRow& row, Planner& planner) {
  const auto named = loaderOf(row);
  const auto seed = globalSeed(row);
  const bool known = row.params.onlyHas({"dataset_size", "dataloader", "world_size", "PL_GLOBAL_SEED"});
  if (!named || !seed || !known) return unknownParameters();
  LightningSettings settings;
  settings.api = LightningApi::Fabric;
  settings.training = false;
  settings.seed = *seed;
  return replayLoader(row, *named, settings, fabricDifference, planner);
}

}  // namespace
}  // namespace lightning_rows

std::vector<Replay> lightningReplays() {
  using namespace lightning_rows;
  return {
      {"lightning", "seed sequence", replaySeedSequence},
      {"lightning", "seed_everything", replaySeedEverything},
      {"lightning", "state after pl_worker_init_function", replayWorkerState},
      {"lightning", "DistributedSamplerWrapper", replayWrapper},
      {"lightning", "UnrepeatedDistributedSamplerWrapper", replayWrapper},
      {"ignite", "DistributedProxySampler", replayProxy},
      {"lightning", "Fabric.setup_dataloaders sampler choice", replayFabric},
      {"lightning", "Trainer dataloader preparation", replayTrainer},
  };
}

}  // namespace shardlens::selftest
