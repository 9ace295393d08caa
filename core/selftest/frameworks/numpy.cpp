// SPDX-License-Identifier: Apache-2.0
#include "core/random/numpy_generator.h"
#include "core/random/numpy_legacy.h"
#include "core/random/python_random.h"
#include "core/sampling/numpy_global.h"
#include "core/sampling/python.h"
#include "core/selftest/replay.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>

namespace shardlens::selftest {
namespace numpy_rows {
namespace {

/// The 32-bit words of a number in decimal digits, low word first; nothing for a text that is no such number.
std::optional<std::vector<std::uint32_t>> wordsOfDigits(std::string_view digits) {
  constexpr std::size_t kMostDigits = 4300;  // what CPython reads
  std::vector<std::uint32_t> words(1, 0);
  if (digits.empty() || digits.size() > kMostDigits) return std::nullopt;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') return std::nullopt;
    auto carry = static_cast<std::uint64_t>(digit - '0');
    for (std::uint32_t& word : words) {
      carry += std::uint64_t{word} * 10;
      word = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) words.push_back(static_cast<std::uint32_t>(carry));
  }
  return words;
}

constexpr std::size_t kBoundedDraws = 8;

/// The stream that the row's `seed` starts, or the exception of RandomState.
Result<NumpyLegacy> stream(const VectorRow& row) {
  if (auto seed = sampling::checkNumpySeed(row.params.bits("seed").value_or(0)); !seed) return seed.error();
  return NumpyLegacy(static_cast<std::uint32_t>(*row.params.bits("seed")));
}

/// Draws from the row's stream and holds what came against the row.
template <class Draw>
RowVerdict judgeDraws(const VectorRow& row, Draw draw) {
  auto numpy = stream(row);
  if (!numpy) return compareError(row, numpy.error());
  Answer answer;
  draw(*numpy, answer);
  return compare(row, answer);
}

RowVerdict replaySeed(const VectorRow& row, Planner& /*planner*/) {
  if (!row.params.bits("seed") || !row.params.onlyHas({"seed"})) return unknownParameters();
  return compareError(row, sampling::checkNumpySeed(*row.params.bits("seed")));
}

RowVerdict replayPermutation(const VectorRow& row, Planner& /*planner*/) {
  const auto n = row.params.integer("n");
  if (!n || *n < 0 || !row.params.bits("seed") || !row.params.onlyHas({"n", "seed"})) return unknownParameters();
  return judgeDraws(row, [n](NumpyLegacy& numpy, Answer& answer) { answer.indices = numpy.permutation(*n); });
}

RowVerdict replayArraySeed(const VectorRow& row, Planner& /*planner*/) {
  const auto n = row.params.integer("n");
  const auto seed = row.params.integers("seed_array");
  if (!n || *n < 0 || !seed || !row.params.onlyHas({"n", "seed_array"})) return unknownParameters();
  if (auto good = sampling::checkNumpySeed(*seed); !good) return compareError(row, good);
  const std::vector<std::uint32_t> words(seed->begin(), seed->end());
  Answer answer;
  // An array of a single number is squeezed to that number.
  answer.indices = (words.size() == 1 ? NumpyLegacy(words[0]) : NumpyLegacy(std::span(words))).permutation(*n);
  return compare(row, answer);
}

RowVerdict replayLegacyRandint(const VectorRow& row, Planner& /*planner*/) {
  constexpr std::size_t kSize = 20;
  const auto n = row.params.integer("n");
  if (!n || !row.params.bits("seed") || !row.params.onlyHas({"n", "seed"})) return unknownParameters();
  if (*n < 1) return compareError(row, sampling::raised("ValueError", "high <= 0"));
  return judgeDraws(row, [n](NumpyLegacy& numpy, Answer& answer) { answer.indices = numpy.choice(*n, kSize, true); });
}

RowVerdict replayPowerOfTwo(const VectorRow& row, int bits) {
  const std::string high = "2^" + std::to_string(bits);
  const bool known = row.params.bits("seed") && row.params.onlyHas({"seed", "high"});
  if (!known || row.params.text("high") != high) return unknownParameters();
  return judgeDraws(row, [bits](NumpyLegacy& numpy, Answer& answer) {
    const std::uint64_t most = (std::uint64_t{1} << bits) - 1;
    for (std::size_t i = 0; i < kBoundedDraws; ++i)
      answer.indices.push_back(static_cast<std::int64_t>(numpy.bounded(most)));
  });
}

RowVerdict replayChoice(const VectorRow& row, bool replace) {
  const auto n = row.params.integer("n");
  const auto size = row.params.integer("size");
  const bool known = row.params.bits("seed") && row.params.onlyHas({"n", "seed", "size"});
  if (!n || !size || *size < 0 || !known) return unknownParameters();
  if (auto good = sampling::checkNumpyChoice(*n, *size, replace); !good) return compareError(row, good);
  return judgeDraws(row, [&](NumpyLegacy& numpy, Answer& answer) {
    if (*n > 0) answer.indices = numpy.choice(*n, static_cast<std::size_t>(*size), replace);
  });
}

/// Probabilities proportional to 1, 2, ..., n.
RowVerdict replayWeightedChoice(const VectorRow& row, Planner& /*planner*/) {
  const auto n = row.params.integer("n");
  const auto size = row.params.integer("size");
  const bool known = row.params.bits("seed") && row.params.onlyHas({"n", "seed", "size", "p"});
  if (!n || *n < 1 || !size || *size < 0 || !known || row.params.text("p") != "(i+1)/sum") return unknownParameters();
  std::vector<double> p(static_cast<std::size_t>(*n));
  std::iota(p.begin(), p.end(), 1.0);
  const double sum = std::accumulate(p.begin(), p.end(), 0.0);
  for (double& share : p) share /= sum;
  return judgeDraws(row, [&](NumpyLegacy& numpy, Answer& answer) {
    answer.indices = numpy.choice(p, static_cast<std::size_t>(*size), true);
  });
}

RowVerdict replayConsecutive(const VectorRow& row, Planner& /*planner*/) {
  const auto sizes = row.params.integers("n");
  const bool known = row.params.bits("seed") && row.params.onlyHas({"n", "seed"});
  if (!sizes || !known) return unknownParameters();
  for (const std::int64_t n : *sizes) {
    if (n < 0) return unsupported("a negative size");
  }
  return judgeDraws(row, [&](NumpyLegacy& numpy, Answer& answer) {
    for (const std::int64_t n : *sizes) answer.add(numpy.permutation(n));
  });
}

/// Numbers that stand in the row under `key`.
RowVerdict replayNumbers(const VectorRow& row, const char* key, std::uint64_t (*next)(NumpyLegacy&)) {
  const auto wanted = row.fields.words(key);
  if (!wanted || !row.params.bits("seed") || !row.params.onlyHas({"seed"})) return unknownParameters();
  auto numpy = stream(row);
  if (!numpy) return compareError(row, numpy.error());
  std::vector<std::uint64_t> got;
  for (std::size_t i = 0; i < wanted->size(); ++i) got.push_back(next(*numpy));
  return judged(key, difference(got, *wanted));
}

constexpr std::int64_t kMostElements = 100'000'000;

std::optional<std::vector<std::uint32_t>> entropyOf(const nlohmann::json* seed) {
  if (seed == nullptr) return std::nullopt;
  if (seed->is_number_unsigned()) return wordsOfDigits(std::to_string(seed->get<std::uint64_t>()));
  if (seed->is_number_integer()) return wordsOfDigits(std::to_string(seed->get<std::int64_t>()));
  if (seed->is_string()) return wordsOfDigits(seed->get<std::string>());
  if (!seed->is_array()) return std::nullopt;
  std::vector<std::uint32_t> all;
  for (const nlohmann::json& item : *seed) {
    const auto words = item.is_array() ? std::nullopt : entropyOf(&item);
    if (!words) return std::nullopt;
    all.insert(all.end(), words->begin(), words->end());
  }
  return all;
}

/// A row's parameters, checked: n and size are small enough to draw.
struct Draw {
  NumpySeedSequence seed;
  std::int64_t n = 0;
  std::int64_t size = 0;
};

std::optional<Draw> drawOf(const VectorRow& row, std::initializer_list<std::string_view> keys) {
  const auto entropy = entropyOf(row.params.find("seed"));
  if (!entropy || !row.params.onlyHas(keys)) return std::nullopt;
  Draw draw{NumpySeedSequence(*entropy), row.params.integer("n").value_or(0), row.params.integer("size").value_or(0)};
  const bool small = draw.n >= 0 && draw.size >= 0 && draw.n <= kMostElements && draw.size <= kMostElements;
  return small ? std::optional<Draw>(draw) : std::nullopt;
}

RowVerdict compareItems(const VectorRow& row, std::vector<std::int64_t> items) {
  return compare(row, Answer{std::move(items), {}, {}});
}

template <class Bits>
RowVerdict replayGeneratorPermutation(const VectorRow& row, Planner& /*planner*/) {
  const auto draw = drawOf(row, {"seed", "n", "bit_generator"});
  if (!draw) return unknownParameters();
  return compareItems(row, NumpyGeneratorOf<Bits>(draw->seed).permutation(static_cast<std::size_t>(draw->n)));
}

RowVerdict replayIntegers(const VectorRow& row, Planner& /*planner*/) {
  const auto draw = drawOf(row, {"seed", "n", "size"});
  if (!draw || draw->n < 1) return unknownParameters();
  NumpyGenerator generator(draw->seed);
  std::vector<std::int64_t> items(static_cast<std::size_t>(draw->size));
  for (std::int64_t& item : items)
    item = static_cast<std::int64_t>(generator.atMost(static_cast<std::uint64_t>(draw->n - 1)));
  return compareItems(row, std::move(items));
}

template <bool kShuffled>
RowVerdict replayGeneratorChoice(const VectorRow& row, Planner& /*planner*/) {
  const auto draw = drawOf(row, {"seed", "n", "size"});
  if (!draw || draw->size > draw->n) return unknownParameters();
  return compareItems(row, NumpyGenerator(draw->seed).choice(draw->n, draw->size, kShuffled));
}

RowVerdict replayWeighted(const VectorRow& row, Planner& /*planner*/) {
  const auto draw = drawOf(row, {"seed", "n", "size", "p"});
  if (!draw || row.params.text("p") != "(i+1)/sum") return unknownParameters();
  std::vector<double> p(static_cast<std::size_t>(draw->n));
  const double sum = static_cast<double>(draw->n) * static_cast<double>(draw->n + 1) / 2;
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = static_cast<double>(i + 1) / sum;
  return compareItems(row, NumpyGenerator(draw->seed).choiceByWeight(p, static_cast<std::size_t>(draw->size)));
}

RowVerdict replayRaw(const VectorRow& row, Planner& /*planner*/) {
  const auto draw = drawOf(row, {"seed"});
  auto wanted = row.fields.words("values_hex", 16);
  if (!draw || !wanted) return unknownParameters();
  NumpyGenerator generator(draw->seed);
  std::vector<std::uint64_t> got(wanted->size());
  for (std::uint64_t& value : got) value = generator.next64();
  return judged("values_hex", difference(got, *wanted));
}

RowVerdict replayState32(const VectorRow& row, Planner& /*planner*/) {
  const char* const key = row.params.has("seed") ? "seed" : "entropy";
  const auto entropy = entropyOf(row.params.find(key));
  const auto wanted = row.fields.words("values");
  if (!entropy || !wanted || !row.params.onlyHas({key})) return unknownParameters();
  const std::vector<std::uint32_t> words = NumpySeedSequence(*entropy).generateState(wanted->size());
  return judged("values", difference({words.begin(), words.end()}, *wanted));
}

RowVerdict replayState64(const VectorRow& row, Planner& /*planner*/) {
  const auto draw = drawOf(row, {"seed"});
  const auto wanted = row.fields.words("values_hex", 16);
  if (!draw || !wanted) return unknownParameters();
  return judged("values_hex", difference(draw->seed.generateState64(wanted->size()), *wanted));
}

RowVerdict replayRandom(const VectorRow& row, Planner& /*planner*/) {
  const auto draw = drawOf(row, {"seed"});
  const auto wanted = row.fields.words("values");
  if (!draw || !wanted) return unknownParameters();
  NumpyGenerator generator(draw->seed);
  std::vector<std::uint64_t> got(wanted->size());
  for (std::uint64_t& value : got) value = static_cast<std::uint64_t>(generator.random() * 0x1p53);
  return judged("values", difference(got, *wanted));
}

/// float.hex() of Python, for normal numbers.
std::string pythonHex(double value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.13a", value);
  return text.data();
}

RowVerdict replayUniform(const VectorRow& row, Planner& /*planner*/) {
  const auto draw = drawOf(row, {"seed"});
  const nlohmann::json* const wanted = row.fields.find("values");
  if (!draw || wanted == nullptr || !wanted->is_array()) return unknownParameters();
  NumpyGenerator generator(draw->seed);
  for (const nlohmann::json& value : *wanted) {
    const std::string got = pythonHex(generator.uniform(-3.5, 7.25));
    if (!value.is_string() || value.get<std::string>() != got)
      return failed("values: " + got + ", not " + value.dump());
  }
  return passed();
}

RowVerdict compareLists(const VectorRow& row, const std::vector<std::vector<std::int64_t>>& lists) {
  Answer answer;
  for (const auto& list : lists) answer.add(list);
  return compare(row, answer);
}

RowVerdict replayMixed(const VectorRow& row, Planner& /*planner*/) {
  const auto draw = drawOf(row, {"seed"});
  if (!draw) return unknownParameters();
  NumpyGenerator generator(draw->seed);
  std::vector<std::vector<std::int64_t>> lists;
  lists.push_back(generator.permutation(5));
  lists.push_back({static_cast<std::int64_t>(generator.atMost(9))});
  lists.push_back(generator.permutation(6));
  lists.push_back({static_cast<std::int64_t>(generator.atMost((std::uint64_t{1} << 40) - 1))});
  lists.push_back(generator.permutation(7));
  return compareLists(row, lists);
}

RowVerdict replaySpawn(const VectorRow& row, Planner& /*planner*/) {
  const auto entropy = entropyOf(row.params.find("entropy"));
  const auto count = row.params.integer("spawn");
  if (!entropy || !count || *count < 0 || *count > 1000 || !row.params.onlyHas({"entropy", "spawn"}))
    return unknownParameters();
  std::vector<std::vector<std::int64_t>> lists;
  for (std::uint32_t child = 0; child < static_cast<std::uint32_t>(*count); ++child) {
    const auto words = NumpySeedSequence::spawned(*entropy, child).generateState(2);
    lists.emplace_back(words.begin(), words.end());
  }
  return compareLists(row, lists);
}

RowVerdict replayGeneratorSeed(const VectorRow& row, Planner& /*planner*/) {
  const auto seed = row.params.integer("seed");
  if (!seed || !row.params.onlyHas({"seed"})) return unknownParameters();
  return compareError(row, sampling::checkNumpySeed(*seed));
}

constexpr std::size_t kChoices = 20;

/// The stream that the row's seed starts: seed_type says what random.seed is given.
std::optional<PythonRandom> pythonStream(const VectorRow& row) {
  const auto type = row.params.text("seed_type");
  const auto text = row.params.text("seed");
  const nlohmann::json* seed = row.params.find("seed");
  if (!type || seed == nullptr) return std::nullopt;
  if (type == "str") return text ? std::optional(PythonRandom::ofText(*text)) : std::nullopt;
  if (type == "float" && seed->is_number()) return PythonRandom::ofReal(seed->get<double>());
  if (type != "int" || !(text || seed->is_number_integer())) return std::nullopt;
  const std::string digits = text ? *text : seed->dump();
  const auto words = wordsOfDigits(digits.substr(digits.starts_with('-') ? 1 : 0));  // random.seed takes the magnitude
  return words ? std::optional(PythonRandom::ofWords(*words)) : std::nullopt;
}

/// Twenty numbers below or up to `n`, and what is raised when there is none.
struct Numbers {
  std::int64_t least_n = 1;
  const char* error = "";
  const char* message = "";
  std::int64_t (*next)(PythonRandom& random, std::int64_t n) = nullptr;
};

std::int64_t below(PythonRandom& random, std::int64_t n) {
  return static_cast<std::int64_t>(random.randbelow(static_cast<std::uint64_t>(n)));
}

RowVerdict replayPythonNumbers(const VectorRow& row, const Numbers& numbers) {
  const auto n = row.params.integer("n");
  auto random = pythonStream(row);
  if (!n || !random || !row.params.onlyHas({"n", "seed", "seed_type"})) return unknownParameters();
  if (*n < numbers.least_n) return compareError(row, sampling::raised(numbers.error, numbers.message));
  Answer answer;
  for (std::size_t i = 0; i < kChoices; ++i) answer.indices.push_back(numbers.next(*random, *n));
  return compare(row, answer);
}

RowVerdict replayRandrange(const VectorRow& row, Planner& /*planner*/) {
  return replayPythonNumbers(row, {1, "ValueError", "empty range for randrange()", below});
}

RowVerdict replayPythonRandint(const VectorRow& row, Planner& /*planner*/) {
  const std::string message = "empty range in randrange(0, " +
                              std::to_string(std::min<std::int64_t>(row.params.integer("n").value_or(0), 0) + 1) + ")";
  return replayPythonNumbers(row, {0, "ValueError", message.c_str(),
                                   [](PythonRandom& random, std::int64_t n) { return below(random, n + 1); }});
}

RowVerdict replayPythonChoice(const VectorRow& row, Planner& /*planner*/) {
  return replayPythonNumbers(row, {1, "IndexError", "Cannot choose from an empty sequence", below});
}

RowVerdict replayChoices(const VectorRow& row, Planner& /*planner*/) {
  return replayPythonNumbers(row, {1, "IndexError", "range object index out of range",
                                   [](PythonRandom& random, std::int64_t n) { return random.choices(n); }});
}

/// Weights 1, 2, ..., n.
RowVerdict replayWeightedChoices(const VectorRow& row, Planner& /*planner*/) {
  const auto n = row.params.integer("n");
  auto random = pythonStream(row);
  const bool known = row.params.onlyHas({"n", "seed", "seed_type", "weights"}) && row.params.text("weights") == "i+1";
  if (!n || *n < 1 || !random || !known) return unknownParameters();
  std::vector<double> sums(static_cast<std::size_t>(*n));
  std::iota(sums.begin(), sums.end(), 1.0);
  std::partial_sum(sums.begin(), sums.end(), sums.begin());
  Answer answer;
  for (std::size_t i = 0; i < kChoices; ++i) answer.indices.push_back(random->choices(std::span<const double>(sums)));
  return compare(row, answer);
}

std::vector<std::int64_t> shuffled(PythonRandom& random, std::int64_t n) {
  std::vector<std::int64_t> items(static_cast<std::size_t>(n));
  std::iota(items.begin(), items.end(), std::int64_t{0});
  random.shuffle(items);
  return items;
}

RowVerdict replayShuffle(const VectorRow& row, Planner& /*planner*/) {
  const auto n = row.params.integer("n");
  auto random = pythonStream(row);
  const bool known = row.params.onlyHas({"n", "seed", "seed_type"});
  if (!n || *n < 0 || !random || !known) return unknownParameters();
  Answer answer;
  answer.indices = shuffled(*random, *n);
  return compare(row, answer);
}

RowVerdict replaySample(const VectorRow& row, Planner& /*planner*/) {
  const auto n = row.params.integer("n");
  const auto k = row.params.integer("k");
  auto random = pythonStream(row);
  const bool known = row.params.onlyHas({"n", "k", "seed", "seed_type"});
  if (!n || *n < 0 || !k || !random || !known) return unknownParameters();
  if (*k < 0 || *k > *n)
    return compareError(row, sampling::raised("ValueError", "Sample larger than population or is negative"));
  Answer answer;
  answer.indices = random->sample(*n, *k);
  return compare(row, answer);
}

RowVerdict replayMixedCalls(const VectorRow& row, Planner& /*planner*/) {
  auto random = pythonStream(row);
  if (!random || !row.params.onlyHas({"seed", "seed_type"})) return unknownParameters();
  Answer answer;
  answer.add(shuffled(*random, 5));
  answer.add({below(*random, 100)});
  answer.add(shuffled(*random, 7));
  return compare(row, answer);
}

/// Numbers that stand in the row under `key`, in this base.
RowVerdict replayWords(const VectorRow& row, const char* key, int base, std::uint64_t (*next)(PythonRandom&)) {
  const auto wanted = row.fields.words(key, base);
  auto random = pythonStream(row);
  if (!wanted || !random || !row.params.onlyHas({"seed", "seed_type"})) return unknownParameters();
  std::vector<std::uint64_t> got;
  for (std::size_t i = 0; i < wanted->size(); ++i) got.push_back(next(*random));
  return judged(key, difference(got, *wanted));
}

}  // namespace
}  // namespace numpy_rows

std::vector<Replay> numpyReplays() {
  using namespace numpy_rows;
  return {
      {"numpy", "RandomState", replaySeed},
      {"numpy", "RandomState(array).permutation", replayArraySeed},
      {"numpy", "RandomState.choice(n,size,p)", replayWeightedChoice},
      {"numpy", "RandomState.choice(n,size,replace=False)",
       [](const VectorRow& row, Planner&) { return replayChoice(row, false); }},
      {"numpy", "RandomState.choice(n,size,replace=True)",
       [](const VectorRow& row, Planner&) { return replayChoice(row, true); }},
      {"numpy", "RandomState.permutation(int)", replayPermutation},
      {"numpy", "RandomState.randint(0,n,size=20) default dtype", replayLegacyRandint},
      {"numpy", "RandomState.shuffle(array int64)", replayPermutation},
      {"numpy", "RandomState.shuffle(list)", replayPermutation},
      {"numpy", "randint(0,2^31) int64", [](const VectorRow& row, Planner&) { return replayPowerOfTwo(row, 31); }},
      {"numpy", "randint(0,2^40) int64", [](const VectorRow& row, Planner&) { return replayPowerOfTwo(row, 40); }},
      {"numpy", "random_sample times 2^53",
       [](const VectorRow& row, Planner&) {
         return replayNumbers(row, "values", [](NumpyLegacy& numpy) { return numpy.random53(); });
       }},
      {"numpy", "three consecutive permutations from one stream", replayConsecutive},
      {"numpy", "tomaxint/raw",
       [](const VectorRow& row, Planner&) {
         return replayNumbers(row, "uint32", [](NumpyLegacy& numpy) { return std::uint64_t{numpy.next()}; });
       }},
      {"numpy", "Generator.permutation(int)", replayGeneratorPermutation<NumpyPcg64>},
      {"numpy", "Generator.shuffle(array int64)", replayGeneratorPermutation<NumpyPcg64>},
      {"numpy", "Generator.shuffle(list)", replayGeneratorPermutation<NumpyPcg64>},
      {"numpy", "Generator(Philox(seed)).permutation", replayGeneratorPermutation<NumpyPhilox>},
      {"numpy", "Generator(MT19937(seed)).permutation", replayGeneratorPermutation<NumpyMt19937>},
      {"numpy", "Generator(SFC64(seed)).permutation", replayGeneratorPermutation<NumpySfc64>},
      {"numpy", "Generator.integers(0,n)", replayIntegers},
      {"numpy", "Generator.integers(0,n) drawn one at a time", replayIntegers},
      {"numpy", "Generator.choice(n,size,replace=False)", replayGeneratorChoice<true>},
      {"numpy", "Generator.choice(n,size,replace=False,shuffle=False)", replayGeneratorChoice<false>},
      {"numpy", "Generator.choice(n,size,p)", replayWeighted},
      {"numpy", "PCG64 raw uint64", replayRaw},
      {"numpy", "SeedSequence.generate_state(8,uint32)", replayState32},
      {"numpy", "SeedSequence(list).generate_state(4,uint32)", replayState32},
      {"numpy", "SeedSequence.generate_state(4,uint64)", replayState64},
      {"numpy", "SeedSequence(list).spawn child state(2,uint32)", replaySpawn},
      {"numpy", "Generator.random times 2^53", replayRandom},
      {"numpy", "Generator.uniform(-3.5,7.25) hex", replayUniform},
      {"numpy", "mixed: permutation(5), integers(0,10), shuffle(arange(6)), integers(0,2^40), permutation(7)",
       replayMixed},
      {"numpy", "default_rng", replayGeneratorSeed},
  };
}

std::vector<Replay> pythonReplays() {
  using namespace numpy_rows;
  return {
      {"python", "choice(range(n)) x20", replayPythonChoice},
      {"python", "choices(range(n),k=20)", replayChoices},
      {"python", "choices(range(n),weights,k=20)", replayWeightedChoices},
      {"python", "getrandbits(32) x8",
       [](const VectorRow& row, Planner&) {
         return replayWords(row, "values", 10, [](PythonRandom& random) { return random.getrandbits(32); });
       }},
      {"python", "getrandbits(64) x4",
       [](const VectorRow& row, Planner&) {
         return replayWords(row, "values_hex", 16, [](PythonRandom& random) { return random.getrandbits(64); });
       }},
      {"python", "mixed shuffle(5), randrange(100), shuffle(7)", replayMixedCalls},
      {"python", "randint(0,n) x20", replayPythonRandint},
      {"python", "random() times 2^53 x8",
       [](const VectorRow& row, Planner&) {
         return replayWords(row, "values", 10, [](PythonRandom& random) { return random.random53(); });
       }},
      {"python", "randrange(n) x20", replayRandrange},
      {"python", "sample(range(n),k)", replaySample},
      {"python", "shuffle", replayShuffle},
  };
}

}  // namespace shardlens::selftest
