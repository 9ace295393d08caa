// SPDX-License-Identifier: Apache-2.0
// Events given to a reducer, and what it said of them.
#pragma once

#include "core/diagnose/reducer.h"
#include "tests/support/events.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::test {

inline RunState stateAfter(const std::vector<Event>& events, ExpectedBatch expected = {}) {
  Reducer reducer(std::move(expected));
  for (const Event& event : events) reducer.apply(event);
  return reducer.snapshot();
}

inline const Verdict* find(const RunState& state, VerdictKind kind) {
  const auto found = std::find_if(state.verdicts.begin(), state.verdicts.end(),
                                  [kind](const Verdict& verdict) { return verdict.kind == kind; });
  return found == state.verdicts.end() ? nullptr : &*found;
}

inline bool says(const Verdict* verdict, const std::string& text) {
  return verdict != nullptr && verdict->message.find(text) != std::string::npos;
}

/// `steps` steps of four ranks in which rank 2 takes 30 ms longer to load; ranks' records come rank by rank, as a
/// collector drains them.
inline std::vector<Event> slowRun(int steps, std::int64_t cores = 64) {
  std::vector<Event> events = {begin(4, cores)};
  for (int step = 0; step < steps; ++step) {
    const double from = 50.0 * step;
    for (std::int64_t rank = 0; rank < 4; ++rank) {
      addStep(events, rank, static_cast<std::uint64_t>(step), from, rank == 2 ? 35 : 5, 10, from + 47);
    }
  }
  return events;
}

}  // namespace shardlens::test
