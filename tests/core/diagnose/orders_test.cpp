// SPDX-License-Identifier: Apache-2.0
// Ranks that begin operations and go on, as with MPI_Iallreduce: they come to all of them, also in different orders.
#include "core/diagnose/orders.h"

#include "core/diagnose/reducer.h"
#include "tests/support/events.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;

namespace {

constexpr std::uint32_t kGroup = 7;

/// Four ranks that queue these two operations, one of them the other way round if `is_swapped`; none ends.
std::vector<Event> queued(bool is_swapped) {
  std::vector<Event> events = {begin(4)};
  addGroup(events, 0, kGroup, {0, 1, 2, 3}, "all");
  for (std::int64_t rank = 0; rank < 4; ++rank) {
    const bool is_other = is_swapped && rank == 2;
    const double from = 10 + static_cast<double>(rank);
    events.push_back(record(is_other ? from + 0.5 : from, rank, SL_COLL_ENTER,
                            {SL_OP_ALLREDUCE, 0, 0, 0, 0, sl_operation(1, SL_NO_PEER), kGroup}));
    events.push_back(record(is_other ? from : from + 0.5, rank, SL_COLL_ENTER,
                            {SL_OP_BROADCAST, 0, 0, 0, 0, sl_operation(2, 0), kGroup}));
  }
  return events;
}

/// The state at this moment.
RunState stateAt(std::vector<Event> events, double ms) {
  events.push_back({at(ms), Tick{}});
  Reducer reducer;
  for (const Event& event : events) reducer.apply(event);
  return reducer.snapshot();
}

const Verdict* find(const RunState& state, VerdictKind kind) {
  const auto found = std::find_if(state.verdicts.begin(), state.verdicts.end(),
                                  [kind](const Verdict& verdict) { return verdict.kind == kind; });
  return found == state.verdicts.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("a rank that queued two operations in another order is named once none goes on") {
  CHECK(find(stateAt(queued(true), 1000), VerdictKind::Mismatch) == nullptr);
  const RunState state = stateAt(queued(true), 30'000);
  const Verdict* const verdict = find(state, VerdictKind::Mismatch);
  REQUIRE(verdict != nullptr);
  CHECK(verdict->rank == 2);
  CHECK(verdict->message.find("ranks 0, 1 and 3 are in all_reduce and rank 2 in broadcast") != std::string::npos);
  CHECK(verdict->evidence.find("all_reduce #0 of group all and broadcast #0 of group all") != std::string::npos);
}

TEST_CASE("ranks that queued their operations in one order are stuck in the first one") {
  const RunState state = stateAt(queued(false), 30'000);
  CHECK(find(state, VerdictKind::Mismatch) == nullptr);
  REQUIRE(find(state, VerdictKind::Stalled) != nullptr);
  CHECK(find(state, VerdictKind::Stalled)->message.find("inside all_reduce") != std::string::npos);
}

TEST_CASE("operations that a rank has left are in order") {
  std::vector<Event> events = queued(true);
  for (std::int64_t rank = 0; rank < 4; ++rank) {
    events.push_back(
        record(20, rank, SL_COLL_LEAVE, {SL_OP_ALLREDUCE, 0, 0, 0, 0, sl_operation(1, SL_NO_PEER), kGroup}));
  }
  CHECK(find(stateAt(events, 30'000), VerdictKind::Mismatch) == nullptr);
}
