// SPDX-License-Identifier: Apache-2.0
#include "core/random/torch_generator.h"
#include "core/random/torch_multinomial.h"
#include "core/random/torch_randperm.h"
#include "core/sampling/python.h"
#include "core/sampling/torch/weights.h"
#include "core/selftest/replay.h"
#include "core/selftest/vector_row.h"

#include <algorithm>
#include <array>

namespace shardlens::selftest {
namespace torch_primitives_rows {
namespace {

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
  if (row.fields.bits("initial_seed_u64") != TorchGenerator(seed).initialSeed()) {
    return failed("initial_seed_u64 is not " + std::to_string(seed));
  }
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
  if (!low || !high || !size || !seed || !row.params.onlyHas({"low", "high", "size", "seed"})) {
    return unknownParameters();
  }
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
  if (auto checked = checkTorchMultinomial(weights, call.num_samples, call.replacement, call.path); !checked) {
    return compareError(row, checked);
  }
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
  if (!planner.allows(given->size) || !planner.allows(std::max<std::int64_t>(0, *samples))) {
    return unsupported("too many samples");
  }
  const auto weights = sampling::weightsOf(given->value, given->size);
  if (!weights) return failed(weights.error().text());
  const Multinomial call{*samples, *replacement,
                         torchMultinomialPath(torchRelease(row.version), *samples, *replacement, *mkl), *seed};
  if (*type == "float64") return replayMultinomialOf(row, weights->items(), call);
  if (*type != "float32") return unsupported("an unknown dtype: " + *type);
  const std::vector<float> narrow(weights->items().begin(), weights->items().end());
  return replayMultinomialOf(row, std::span<const float>(narrow), call);
}

}  // namespace
}  // namespace torch_primitives_rows

std::vector<Replay> torchPrimitiveReplays() {
  using namespace torch_primitives_rows;
  return {
      {"torch", "Generator", replayGenerator},
      {"torch", "multinomial", replayMultinomial},
      {"torch", "randint", replayRandint},
      {"torch", "randperm", replayRandperm},
  };
}

}  // namespace shardlens::selftest
