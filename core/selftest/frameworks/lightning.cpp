// SPDX-License-Identifier: Apache-2.0
#include "core/random/numpy_legacy.h"
#include "core/random/python_random.h"
#include "core/random/torch_generator.h"
#include "core/sampling/ignite/distributed_proxy_sampler.h"
#include "core/sampling/lightning/injection.h"
#include "core/sampling/lightning/seeds.h"
#include "core/sampling/python.h"
#include "core/selftest/by_name.h"
#include "core/selftest/replay.h"
#include "core/selftest/vector_row.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <vector>

namespace shardlens::selftest {

namespace lightning_seeds_rows {
namespace {

using Words = std::vector<std::uint64_t>;

RowVerdict judgeWords(const std::string& what, const Words& got, const std::optional<Words>& wanted) {
  if (!wanted) return unsupported("the row has no " + what);
  const std::string found = difference(got, *wanted);
  return found.empty() ? passed() : failed(what + ": " + found);
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
  if (row.fields.bits("torch_initial_seed") != seeds.torch) {
    return failed("torch_initial_seed is not " + std::to_string(seeds.torch));
  }
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
  if (value == nullptr || value->is_null()) return sampling::LightningSeed(std::monostate{});
  if (value->is_boolean()) return sampling::LightningSeed(value->get<bool>());
  if (value->is_number_unsigned() && value->get<std::uint64_t>() > INT64_MAX) {
    return sampling::LightningSeed(std::to_string(value->get<std::uint64_t>()));
  }
  if (value->is_number_integer()) return sampling::LightningSeed(value->get<std::int64_t>());
  if (value->is_number_float()) return sampling::LightningSeed(value->get<double>());
  if (value->is_string()) return sampling::LightningSeed(value->get<std::string>());
  return std::nullopt;
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

}  // namespace
}  // namespace lightning_seeds_rows

std::vector<Replay> lightningSeedReplays() {
  using namespace lightning_seeds_rows;
  return {
      {"lightning", "seed sequence", replaySeedSequence},
      {"lightning", "seed_everything", replaySeedEverything},
      {"lightning", "state after pl_worker_init_function", replayWorkerState},
  };
}

namespace lightning_samplers_rows {
namespace {

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
  if (row.params.text("inner") == "sampler without __len__" && row.params.onlyHas({"inner"})) {
    return replayWithoutLen(row);
  }
  auto spec = specByName(row, "inner=- inner_length=- inner_seed=- world_size shuffle drop_last seed");
  const auto inner = row.params.text("inner");
  const auto length = row.params.integer("inner_length");
  const auto seed = row.params.bits("inner_seed");
  if (!spec || !inner || !length || *length < 0 || !seed) return unknownParameters();
  if (!putInner(*spec, *inner, *length, *seed)) return unsupported("an unknown inner sampler: " + *inner);
  return judgeItems(row, planner.rankEpoch(*spec, row));
}

}  // namespace
}  // namespace lightning_samplers_rows

std::vector<Replay> lightningSamplerReplays() {
  using namespace lightning_samplers_rows;
  return {
      {"lightning", "DistributedSamplerWrapper", replayWrapper},
      {"lightning", "UnrepeatedDistributedSamplerWrapper", replayWrapper},
  };
}

namespace ignite_rows {
namespace {

/// What the constructor refuses before it looks at a sampler that a spec can name.
std::optional<Error> refusedInner(const std::string& inner) {
  if (inner == "not_a_sampler") {
    return sampling::raised("TypeError",
                            "Argument sampler should be instance of torch Sampler, but given: <class 'list'>");
  }
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
  if (!order) return compareError(row, Result<void>(order.error()));
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
  if (const auto refused = refusedInner(*inner)) return compareError(row, Result<void>(*refused));
  if (*rank >= *world) return compareError(row, Result<void>(sampling::invalidRank(*rank, *world)));
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

}  // namespace
}  // namespace ignite_rows

std::vector<Replay> igniteReplays() {
  using namespace ignite_rows;
  return {{"ignite", "DistributedProxySampler", replayProxy}};
}

}  // namespace shardlens::selftest
