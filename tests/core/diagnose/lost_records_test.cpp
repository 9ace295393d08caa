// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/reducer.h"
#include "tests/support/reduced.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;

namespace {

bool isOf(const Event& event, std::int64_t rank, std::uint32_t step, int kind = -1) {
  const auto* record = std::get_if<RankRecord>(&event.what);
  return record != nullptr && record->rank == rank && record->record.step == step &&
         (kind < 0 || record->record.kind == kind);
}

/// The run with this one's records replaced by what a reader says of damage.
std::vector<Event> damaged(std::vector<Event> events, std::int64_t rank, std::uint32_t step, int kind = -1) {
  const auto first =
      std::find_if(events.begin(), events.end(), [&](const Event& e) { return isOf(e, rank, step, kind); });
  REQUIRE(first != events.end());
  *first = {first->time_ns, FramesDamaged{100}};
  std::erase_if(events, [&](const Event& event) { return isOf(event, rank, step, kind); });
  return events;
}

constexpr std::int64_t kWait = 30'000'000;  ///< in a step of slowRun(), of every rank but the slow one

}  // namespace

TEST_CASE("one lost record costs the times that it told, and no other") {
  const auto whole = slowRun(20);
  CHECK(stateAfter(whole).ranks[0].wait_ns == 20 * kWait);
  CHECK_FALSE(stateAfter(whole).ranks[0].has_gaps);

  const RunState leave = stateAfter(damaged(whole, 0, 7, SL_COLL_LEAVE));
  CHECK(leave.ranks[0].wait_ns == 19 * kWait);
  CHECK(leave.ranks[1].wait_ns == 20 * kWait);
  CHECK(leave.ranks[3].transfer_ns == stateAfter(whole).ranks[3].transfer_ns);
  CHECK(leave.arrivals[0].collectives == 20);
  CHECK(leave.ranks[0].has_gaps);

  const RunState enter = stateAfter(damaged(whole, 0, 7, SL_COLL_ENTER));
  CHECK(enter.ranks[0].wait_ns == 19 * kWait);
  CHECK(enter.ranks[1].wait_ns == 20 * kWait);  // the slow rank's arrival is known

  const RunState slow = stateAfter(damaged(whole, 2, 7));
  CHECK(slow.ranks[0].wait_ns == 19 * kWait);  // when the slow rank came is not known
  CHECK(slow.arrivals[2].collectives == 19);
  CHECK(find(slow, VerdictKind::Straggler) != nullptr);
  CHECK(says(find(slow, VerdictKind::Lost), "are lower bounds"));
  CHECK(gravityOf(VerdictKind::Lost) == Gravity::Warning);
}

TEST_CASE("records that are gone without a trace of damage are missed by the numbers of the operations") {
  auto events = damaged(slowRun(20), 1, 7);
  std::erase_if(events, [](const Event& event) { return std::holds_alternative<FramesDamaged>(event.what); });
  const RunState state = stateAfter(events);
  CHECK(state.ranks[1].has_gaps);
  CHECK(state.ranks[1].wait_ns == 19 * kWait);
  CHECK(state.ranks[0].wait_ns == 20 * kWait);  // the slow rank's arrival is known, and it was the last
  CHECK(says(find(state, VerdictKind::Lost), "The numbers of operations have gaps"));
}

TEST_CASE("what a rank is in counts up to the last moment that is known") {
  auto events = slowRun(2);
  events.push_back(record(110, 0, SL_COLL_ENTER, {SL_OP_ALLREDUCE, 0, 2, 2, 0, sl_operation(9, SL_NO_PEER)}));
  events.push_back(record(100, 1, SL_PHASE_BEGIN, {SL_PHASE_LOAD, 0, 2}));
  events.push_back({at(2'500), Tick{}});
  RunState state = stateAfter(events);
  CHECK(state.ranks[0].wait_ns == 2 * kWait + 2'390'000'000);
  CHECK(state.ranks[1].load_ns == 2'410'000'000);
  CHECK(state.recent.lanes[0].spans.back().end_ns == 2'500'000'000);
  events.push_back({at(3'000), RankProcess{0, 77, ProcessState::Gone, ""}});
  events.push_back({at(9'000), RunEnd{JobStatus::Failed, 4, "Rank 0 died."}});
  state = stateAfter(events);
  CHECK(state.ranks[0].wait_ns == 2 * kWait + 2'890'000'000);  // until it was gone
  CHECK(state.recent.lanes[0].spans.back().end_ns == 3'000'000'000);
}

TEST_CASE("a recording that ends before the records of what its slots say counts at least what it has") {
  auto events = slowRun(2);
  events.push_back(slot(300, 1, SL_PHASE_COMPUTE, 290, {0, 0, 5}));
  events.push_back({at(400), RecordingLost{"Cut off."}});
  const RunState state = stateAfter(events);
  CHECK(state.status == JobStatus::Unknown);
  CHECK(state.ranks[1].has_gaps);
  CHECK_FALSE(state.ranks[0].has_gaps);
  CHECK(state.ranks[1].compute_ns == 20'000'000 + 110'000'000);
  CHECK(statusText(state, state.ranks[1]) == "computing at the end");
  const auto missing = std::find_if(state.verdicts.begin(), state.verdicts.end(),
                                    [](const Verdict& one) { return one.title == "Records are missing"; });
  REQUIRE(missing != state.verdicts.end());
  CHECK(missing->message.find("Counts and times of rank 1 are") != std::string::npos);
}

TEST_CASE("what one rank dropped does not hide that another's records are missing") {
  auto events = damaged(slowRun(20), 1, 7);
  events.push_back({at(3'000), RankDropped{0, 5}});
  const RunState state = stateAfter(events);
  CHECK(std::ranges::any_of(state.verdicts, [](const Verdict& one) {
    return one.kind == VerdictKind::Lost && one.message.find("ranks 1 to 3") != std::string::npos;
  }));
}
