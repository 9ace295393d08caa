// SPDX-License-Identifier: Apache-2.0
// Ranks of a command whose processes go without a word: os._exit() ends a job that is done, and signals end one that is
// not.
#include "tests/support/reduced.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;

namespace {

/// Two ranks that say their steps, each having done `steps` of them.
std::vector<Event> job(int steps, std::uint16_t ends = SL_ENDS_ANYHOW) {
  std::vector<Event> events = {begin(0)};
  std::get<RunBegin>(events[0].what).reports = false;
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    events.push_back(record(1, rank, SL_HELLO, {ends, 0, 0, 0, 100 + static_cast<std::uint64_t>(rank), 2}));
    events.push_back({at(1), RankProcess{rank, 100 + rank, ProcessState::Running, "here"}});
  }
  for (int step = 0; step < steps; ++step) {
    for (std::int64_t rank = 0; rank < 2; ++rank)
      addStep(events, rank, static_cast<std::uint64_t>(step), 10.0 + 20.0 * step, 2, 5, 10.0 + 20.0 * step + 12);
  }
  return events;
}

Event gone(double ms, std::int64_t rank) {
  return {at(ms), RankProcess{rank, 100 + rank, ProcessState::Gone, "here"}};
}

Event enter(double ms, std::int64_t rank, std::uint64_t seq) {
  return record(ms, rank, SL_COLL_ENTER, {SL_OP_BARRIER, 0, 0, seq, 0, sl_operation(9, SL_NO_PEER)});
}

}  // namespace

TEST_CASE("ranks that go without a word after the same steps ended, and nobody is blamed") {
  auto events = job(3);
  events.push_back(gone(100, 0));
  events.push_back(gone(101, 1));
  const RunState state = stateAfter(events);
  for (const RankState& rank : state.ranks) CHECK(rank.status == RankStatus::Ended);
  CHECK(find(state, VerdictKind::Dead) == nullptr);
  events.push_back({at(102), RunEnd{JobStatus::Finished, 0, {}}});
  CHECK(stateAfter(events).verdicts.empty());
}

TEST_CASE("who goes in the middle of loading a batch died, and who goes after that was sent away") {
  auto events = job(3);
  events.push_back(record(90, 0, SL_PHASE_BEGIN, {SL_PHASE_LOAD}));
  events.push_back(gone(100, 0));
  events.push_back(gone(101, 1));
  const RunState state = stateAfter(events);
  CHECK(state.ranks[0].status == RankStatus::Dead);
  CHECK(state.ranks[1].status == RankStatus::Ended);
  CHECK(says(find(state, VerdictKind::Dead), "Rank 1 ended as well"));
}

TEST_CASE("ranks in different collectives that go together were ended for that, and none of them died") {
  auto events = job(3);
  events.push_back(enter(90, 0, 0));
  events.push_back(record(91, 1, SL_COLL_ENTER, {SL_OP_ALLREDUCE, 0, 3, 3, 8, sl_operation(8, SL_NO_PEER)}));
  events.push_back(gone(1000, 0));
  events.push_back(gone(1000.1, 1));
  const RunState state = stateAfter(events);
  for (const RankState& rank : state.ranks) CHECK(rank.status == RankStatus::Ended);
  CHECK(find(state, VerdictKind::Dead) == nullptr);
  CHECK(find(state, VerdictKind::Mismatch) != nullptr);
}

TEST_CASE("whom others wait for died, whether they came before or after") {
  for (const double when : {90.0, 110.0}) {
    auto events = job(3);
    events.push_back(gone(100, 0));
    events.insert(when < 100 ? events.end() - 1 : events.end(), enter(when, 1, 0));
    CHECK(stateAfter(events).ranks[0].status == RankStatus::Dead);
    events.push_back(gone(120, 1));
    const RunState state = stateAfter(events);
    CHECK(state.ranks[0].status == RankStatus::Dead);
    CHECK(state.ranks[1].status == RankStatus::Ended);
  }
}

TEST_CASE("who waited for others died, when these have not gone without a word before") {
  auto events = job(3);
  events.push_back(enter(90, 1, 0));
  events.push_back(gone(100, 1));
  CHECK(stateAfter(events).ranks[1].status == RankStatus::Dead);
}

TEST_CASE("who stays steps behind the others died, unless its epoch is over") {
  for (const bool is_over : {false, true}) {
    auto events = job(3);
    if (is_over) events.push_back(record(90, 0, SL_EPOCH_END, {0, 0, 0, 0, 3}));
    events.push_back(gone(100, 0));
    events.push_back(record(110, 1, SL_STEP_BEGIN, {0, 0, 3}));
    events.push_back(record(115, 1, SL_STEP_END, {0, 0, 3}));
    events.push_back(gone(200, 1));
    CHECK(stateAfter(events).ranks[0].status == (is_over ? RankStatus::Ended : RankStatus::Dead));
  }
}

TEST_CASE("of a program that always says good-bye, who goes without one died") {
  auto events = job(3, SL_ENDS_SAYING_SO);
  events.push_back(gone(100, 1));
  CHECK(stateAfter(events).ranks[1].status == RankStatus::Dead);
}

TEST_CASE("records that are lost show nothing") {
  auto events = job(3);
  events.push_back(record(90, 0, SL_PHASE_BEGIN, {SL_PHASE_LOAD}));
  events.push_back({at(95), RankDropped{0, 5}});
  events.push_back(gone(100, 0));
  CHECK(stateAfter(events).ranks[0].status == RankStatus::Ended);
}
