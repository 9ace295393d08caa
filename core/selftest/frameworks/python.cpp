// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/python.h"

#include "core/random/python_random.h"
#include "core/selftest/replay.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>

namespace shardlens::selftest {
namespace python_rows {
namespace {

constexpr std::size_t kChoices = 20;

/// The words of a number in decimal digits, low word first; nothing when they are none.
std::optional<std::vector<std::uint32_t>> wordsOfEntropy(std::string_view digits) {
  constexpr std::size_t kMostDigits = 4300;              // what CPython reads
  if (digits.starts_with('-')) digits.remove_prefix(1);  // random.seed takes the magnitude
  if (digits.empty() || digits.size() > kMostDigits) return std::nullopt;
  std::vector<std::uint32_t> words = {0};
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') return std::nullopt;
    std::uint64_t carry = static_cast<std::uint64_t>(digit - '0');
    for (std::uint32_t& word : words) {
      carry += std::uint64_t{word} * 10;
      word = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry > 0) words.push_back(static_cast<std::uint32_t>(carry));
  }
  return words;
}

/// The stream that the row's seed starts: seed_type says what random.seed is given.
std::optional<PythonRandom> stream(const VectorRow& row) {
  const auto type = row.params.text("seed_type");
  const auto text = row.params.text("seed");
  const nlohmann::json* seed = row.params.find("seed");
  if (!type || seed == nullptr) return std::nullopt;
  if (type == "str") return text ? std::optional(PythonRandom::ofText(*text)) : std::nullopt;
  if (type == "float" && seed->is_number()) return PythonRandom::ofReal(seed->get<double>());
  if (type != "int" || !(text || seed->is_number_integer())) return std::nullopt;
  const auto words = wordsOfEntropy(text ? *text : seed->dump());
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

RowVerdict replayNumbers(const VectorRow& row, const Numbers& numbers) {
  const auto n = row.params.integer("n");
  auto random = stream(row);
  if (!n || !random || !row.params.onlyHas({"n", "seed", "seed_type"})) return unknownParameters();
  if (*n < numbers.least_n) return compareError(row, sampling::raised(numbers.error, numbers.message));
  Answer answer;
  for (std::size_t i = 0; i < kChoices; ++i) answer.indices.push_back(numbers.next(*random, *n));
  return compare(row, answer);
}

RowVerdict replayRandrange(const VectorRow& row, Planner& /*planner*/) {
  return replayNumbers(row, {1, "ValueError", "empty range for randrange()", below});
}

RowVerdict replayPythonRandint(const VectorRow& row, Planner& /*planner*/) {
  const std::string message = "empty range in randrange(0, " +
                              std::to_string(std::min<std::int64_t>(row.params.integer("n").value_or(0), 0) + 1) + ")";
  return replayNumbers(row, {0, "ValueError", message.c_str(),
                             [](PythonRandom& random, std::int64_t n) { return below(random, n + 1); }});
}

RowVerdict replayChoice(const VectorRow& row, Planner& /*planner*/) {
  return replayNumbers(row, {1, "IndexError", "Cannot choose from an empty sequence", below});
}

RowVerdict replayChoices(const VectorRow& row, Planner& /*planner*/) {
  return replayNumbers(row, {1, "IndexError", "range object index out of range",
                             [](PythonRandom& random, std::int64_t n) { return random.choices(n); }});
}

/// Weights 1, 2, ..., n.
RowVerdict replayWeightedChoices(const VectorRow& row, Planner& /*planner*/) {
  const auto n = row.params.integer("n");
  auto random = stream(row);
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
  auto random = stream(row);
  const bool known = row.params.onlyHas({"n", "seed", "seed_type"});
  if (!n || *n < 0 || !random || !known) return unknownParameters();
  Answer answer;
  answer.indices = shuffled(*random, *n);
  return compare(row, answer);
}

RowVerdict replaySample(const VectorRow& row, Planner& /*planner*/) {
  const auto n = row.params.integer("n");
  const auto k = row.params.integer("k");
  auto random = stream(row);
  const bool known = row.params.onlyHas({"n", "k", "seed", "seed_type"});
  if (!n || *n < 0 || !k || !random || !known) return unknownParameters();
  if (*k < 0 || *k > *n) {
    return compareError(row, sampling::raised("ValueError", "Sample larger than population or is negative"));
  }
  Answer answer;
  answer.indices = random->sample(*n, *k);
  return compare(row, answer);
}

RowVerdict replayMixedCalls(const VectorRow& row, Planner& /*planner*/) {
  auto random = stream(row);
  if (!random || !row.params.onlyHas({"seed", "seed_type"})) return unknownParameters();
  Answer answer;
  answer.indices = shuffled(*random, 5);
  answer.indices.push_back(below(*random, 100));
  const std::vector<std::int64_t> last = shuffled(*random, 7);
  answer.indices.insert(answer.indices.end(), last.begin(), last.end());
  answer.batch_sizes = {5, 1, 7};
  return compare(row, answer);
}

/// Numbers that stand in the row under `key`, in this base.
RowVerdict replayWords(const VectorRow& row, const char* key, int base, std::uint64_t (*next)(PythonRandom&)) {
  const auto wanted = row.fields.words(key, base);
  auto random = stream(row);
  if (!wanted || !random || !row.params.onlyHas({"seed", "seed_type"})) return unknownParameters();
  std::vector<std::uint64_t> got;
  for (std::size_t i = 0; i < wanted->size(); ++i) got.push_back(next(*random));
  const std::string why = difference(got, *wanted);
  return why.empty() ? passed() : failed(std::string(key) + ": " + why);
}

}  // namespace
}  // namespace python_rows

std::vector<Replay> pythonReplays() {
  using namespace python_rows;
  return {
      {"python", "choice(range(n)) x20", replayChoice},
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
