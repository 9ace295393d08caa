// SPDX-License-Identifier: Apache-2.0
#include "core/random/numpy_legacy.h"
#include "core/sampling/numpy_global.h"
#include "core/selftest/replay.h"

#include <numeric>

namespace shardlens::selftest {
namespace numpy_rows {
namespace {

using Items = std::vector<std::int64_t>;

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
  if (!numpy) return compareError(row, Result<void>(numpy.error()));
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
  if (!n || *n < 0 || !row.params.bits("seed") || !row.params.onlyHas({"n", "seed"})) {
    return unknownParameters();
  }
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
  if (!n || *n < 1 || !size || *size < 0 || !known || row.params.text("p") != "(i+1)/sum") {
    return unknownParameters();
  }
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
    for (const std::int64_t n : *sizes) {
      const Items items = numpy.permutation(n);
      answer.indices.insert(answer.indices.end(), items.begin(), items.end());
    }
    answer.batch_sizes = *sizes;
  });
}

/// Numbers that stand in the row under `key`.
RowVerdict replayNumbers(const VectorRow& row, const char* key, std::uint64_t (*next)(NumpyLegacy&)) {
  const auto wanted = row.fields.words(key);
  if (!wanted || !row.params.bits("seed") || !row.params.onlyHas({"seed"})) return unknownParameters();
  auto numpy = stream(row);
  if (!numpy) return compareError(row, Result<void>(numpy.error()));
  std::vector<std::uint64_t> got;
  for (std::size_t i = 0; i < wanted->size(); ++i) got.push_back(next(*numpy));
  const std::string why = difference(got, *wanted);
  return why.empty() ? passed() : failed(std::string(key) + ": " + why);
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
  };
}

}  // namespace shardlens::selftest
