// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/orders.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace shardlens {
namespace {

/// Collectives of one group that are compared with each other: the first ones that it came to.
constexpr std::size_t kMostInOrder = 32;

using ByGroup = std::map<std::uint32_t, std::vector<const Collective*>>;

ByGroup stuckOnes(const CollectiveTable& collectives) {
  ByGroup stuck;
  for (const auto& [key, collective] : collectives.open()) {
    const bool is_stuck = !key.isPair() && collective.knowsArrivals() && collective.left == 0;
    if (is_stuck) stuck[key.group].push_back(&collective);
  }
  for (auto& [group, of_group] : stuck) {
    std::stable_sort(of_group.begin(), of_group.end(),
                     [](const Collective* a, const Collective* b) { return a->first_enter_ns < b->first_enter_ns; });
    of_group.resize(std::min(of_group.size(), kMostInOrder));
  }
  return stuck;
}

/// Each rank's order is by its own clock.
Mixed compared(const Collective& one, const Collective& other) {
  Mixed mixed{one.key.group, &one, &other, {}, {}};
  for (const Visit& visit : one.visits) {
    const Visit* const there = other.visitOf(visit.rank);
    if (there == nullptr || there->enter_ns == visit.enter_ns) continue;
    (visit.enter_ns < there->enter_ns ? mixed.only_one : mixed.only_other).push_back(visit.rank);
  }
  return mixed;
}

}  // namespace

std::optional<Mixed> firstReordered(const CollectiveTable& collectives) {
  for (const auto& [group, of_group] : stuckOnes(collectives)) {
    for (std::size_t i = 0; i < of_group.size(); ++i) {
      for (std::size_t j = i + 1; j < of_group.size(); ++j) {
        Mixed mixed = compared(*of_group[i], *of_group[j]);
        if (!mixed.only_one.empty() && !mixed.only_other.empty()) return mixed;
      }
    }
  }
  return std::nullopt;
}

}  // namespace shardlens
