// SPDX-License-Identifier: Apache-2.0
#include "core/spec/value.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shardlens {

const Value* Record::find(std::string_view key) const {
  const auto found = std::find_if(values.begin(), values.end(), [&](const auto& value) { return value.first == key; });
  return found == values.end() ? nullptr : &found->second;
}

void Record::set(std::string_view key, Value value) {
  const auto found = std::find_if(values.begin(), values.end(), [&](const auto& pair) { return pair.first == key; });
  if (found == values.end()) {
    values.emplace_back(std::string(key), std::move(value));
  } else {
    found->second = std::move(value);
  }
}

namespace {

std::int64_t saturatedSum(const std::vector<std::int64_t>& items) {
  std::int64_t sum = 0;
  for (const std::int64_t item : items) {
    if (!__builtin_add_overflow(sum, item, &sum)) continue;
    return item > 0 ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int64_t>::min();
  }
  return sum;
}

}  // namespace

ListFacts<std::int64_t>::ListFacts(const std::vector<std::int64_t>& items) {
  if (items.empty()) return;
  const auto [low, high] = std::minmax_element(items.begin(), items.end());
  least = *low;
  greatest = *high;
  total = saturatedSum(items);
  // Compared downwards, so that the greatest number of 64 bits has no successor to overflow into.
  is_run = std::adjacent_find(items.begin(), items.end(), [](std::int64_t a, std::int64_t b) {
             return b == std::numeric_limits<std::int64_t>::min() || a != b - 1;
           }) == items.end();
}

ListFacts<double>::ListFacts(const std::vector<double>& items) {
  if (items.empty()) return;
  least = greatest = items.front();
  for (const double item : items) {
    is_finite = is_finite && std::isfinite(item);
    least = std::min(least, item);
    greatest = std::max(greatest, item);
  }
}

}  // namespace shardlens
