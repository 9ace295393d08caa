// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/verdicts.h"

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

/// Of some operations a rank may leave before others come: by these it is seen, too, what a member left out.
bool mayBeLeftOut(const CollectiveTable& collectives, const Collective& collective) {
  const Meeting meeting = meetingOf(collective.key.op);
  return (meeting == Meeting::FromRoot || meeting == Meeting::ToRoot) && collective.members != nullptr &&
         std::none_of(collective.visits.begin(), collective.visits.end(),
                      [&](const Visit& visit) { return collectives.hasLost(visit.rank); });
}

ByGroup stuckOnes(const CollectiveTable& collectives) {
  ByGroup stuck;
  for (const auto& [key, collective] : collectives.open()) {
    if (key.isPair()) continue;
    const bool is_stuck = collective.knowsArrivals() && collective.left == 0;
    if (is_stuck || mayBeLeftOut(collectives, collective)) stuck[key.group].push_back(&collective);
  }
  for (auto& [group, of_group] : stuck) {
    std::stable_sort(of_group.begin(), of_group.end(),
                     [](const Collective* a, const Collective* b) { return a->first_enter_ns < b->first_enter_ns; });
    of_group.resize(std::min(of_group.size(), kMostInOrder));
  }
  return stuck;
}

/// Each rank's order is by its own clock; where it has come to one alone, that is first.
Mixed compared(const Collective& one, const Collective& other) {
  Mixed mixed{one.key.group, &one, &other, {}, {}};
  for (const Visit& visit : one.visits) {
    const Visit* const there = other.visitOf(visit.rank);
    if (there == nullptr || there->enter_ns == visit.enter_ns) continue;
    const bool is_one = there->enter_ns < 0 || (visit.enter_ns >= 0 && visit.enter_ns < there->enter_ns);
    (is_one ? mixed.only_one : mixed.only_other).push_back(visit.rank);
  }
  return mixed;
}

}  // namespace

std::optional<Mixed> firstReordered(const CollectiveTable& collectives) {
  for (const auto& [group, of_group] : stuckOnes(collectives)) {
    for (std::size_t i = 0; i < of_group.size(); ++i) {
      for (std::size_t j = i + 1; j < of_group.size(); ++j) {
        if (of_group[i]->key.op == of_group[j]->key.op) continue;  // each rank counts them
        Mixed mixed = compared(*of_group[i], *of_group[j]);
        if (!mixed.only_one.empty() && !mixed.only_other.empty()) return mixed;
      }
    }
  }
  return std::nullopt;
}

}  // namespace shardlens
