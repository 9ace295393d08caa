// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/torch/random_split.h"

#include "core/base/phrase.h"
#include "core/random/torch_randperm.h"
#include "core/sampling/python.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

namespace shardlens::sampling {
namespace {

using Lengths = std::vector<std::int64_t>;
using Ids = std::vector<std::int64_t>;

double asReal(const SplitLength& length) {
  return std::visit([](auto number) { return static_cast<double>(number); }, length);
}

/// The sum of whole numbers alone; nothing when it leaves 64 bits.
std::optional<std::int64_t> wholeSum(const Lengths& lengths) {
  std::int64_t sum = 0;
  for (const std::int64_t length : lengths) {
    if (__builtin_add_overflow(sum, length, &sum)) return std::nullopt;
  }
  return sum;
}

/// sum() of Python, which compensates rounding since 3.12 (Neumaier's way) once it met a float.
double pythonSum(std::span<const SplitLength> lengths, bool compensates) {
  double sum = 0;
  double lost = 0;
  for (const SplitLength& length : lengths) {
    const double next = asReal(length);
    const double total = sum + next;
    if (std::holds_alternative<double>(length)) {
      lost += std::abs(sum) >= std::abs(next) ? (sum - total) + next : (next - total) + sum;
    }
    sum = total;
  }
  return compensates && std::isfinite(lost) ? sum + lost : sum;
}

/// math.isclose(sum, 1) and sum <= 1.
bool areFractions(double sum) {
  return sum <= 1 && 1 - sum <= 1e-9;
}

Error wrongSum() {
  return raised("ValueError", "Sum of input lengths does not equal the length of the input dataset!");
}

/// Rounds each fraction down, and hands out what is left one by one.
Result<Lengths> lengthsOfFractions(std::int64_t size, std::span<const SplitLength> fractions) {
  Lengths lengths;
  for (std::size_t i = 0; i < fractions.size(); ++i) {
    const double fraction = asReal(fractions[i]);
    if (!(fraction >= 0 && fraction <= 1)) {
      return raised("ValueError", "Fraction at index " + std::to_string(i) + " is not between 0 and 1");
    }
    lengths.push_back(static_cast<std::int64_t>(std::floor(static_cast<double>(size) * fraction)));
  }
  const std::int64_t rest = size - wholeSum(lengths).value_or(size);
  for (std::int64_t i = 0; i < rest; ++i) ++lengths[static_cast<std::size_t>(i) % lengths.size()];
  return lengths;
}

Result<Lengths> lengthsOf(std::string_view release, std::int64_t size, std::span<const SplitLength> given) {
  const double sum = pythonSum(given, release != "1.13");
  if (!given.empty() && areFractions(sum)) return lengthsOfFractions(size, given);
  Lengths lengths;
  for (const SplitLength& length : given) {
    const auto* whole = std::get_if<std::int64_t>(&length);
    if (whole != nullptr) lengths.push_back(*whole);
  }
  if (lengths.size() == given.size()) return lengths;
  if (sum != static_cast<double>(size)) return wrongSum();
  return unsupported(worded("checks", "randperm raises an error for lengths that are floats but not fractions."), "",
                     "");
}

/// ids[first:last] of Python, where negative places count from the end.
Ids pythonSlice(const Ids& ids, std::int64_t first, std::int64_t last) {
  const auto size = static_cast<std::int64_t>(ids.size());
  const auto place = [size](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + size : at, 0, size); };
  if (place(first) >= place(last)) return {};
  return {ids.begin() + place(first), ids.begin() + place(last)};
}

}  // namespace

Result<std::vector<Ids>> torchRandomSplit(std::string_view release, std::int64_t size,
                                          std::span<const SplitLength> lengths, TorchGenerator& generator) {
  const auto counts = lengthsOf(release, size, lengths);
  if (!counts) return counts.error();
  if (wholeSum(*counts) != size) return wrongSum();
  Ids ids(static_cast<std::size_t>(size));
  const auto rule = torchRandpermRule(release, ids.size());
  if (auto drawn = torchRandperm(generator, std::span(ids), {}, rule); !drawn) return drawn.error();
  std::vector<Ids> subsets;
  std::int64_t end = 0;
  for (const std::int64_t count : *counts) {
    const std::int64_t begin = end;  // itertools.accumulate(lengths) minus the length
    end += count;
    subsets.push_back(pythonSlice(ids, begin, end));
  }
  return subsets;
}

}  // namespace shardlens::sampling
