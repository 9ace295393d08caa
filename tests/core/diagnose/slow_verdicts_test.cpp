// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/slow_words.h"
#include "core/diagnose/verdict_words.h"
#include "core/diagnose/verdicts.h"
#include "tests/support/reduced.h"

#include <doctest/doctest.h>

#include <string>
#include <variant>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;

TEST_CASE("a straggler is named with the phase that makes it late") {
  std::vector<Event> events = slowRun(20, 2);
  for (std::int64_t rank = 0; rank < 4; ++rank)
    events.push_back({at(1000), RankProcess{rank, 100 + rank, ProcessState::Running, "here"}});
  const RunState state = stateAfter(events);
  const Verdict* verdict = find(state, VerdictKind::Straggler);
  REQUIRE(verdict != nullptr);
  CHECK(verdict->rank == 2);
  CHECK(says(verdict, "20 of 20 collectives, 30\u202fms after the others"));
  CHECK(says(verdict, "35\u202fms loading a batch, the others 5.0\u202fms"));
  CHECK(says(verdict, "4 ranks share 2 cores, so waits include CPU scheduling."));
  CHECK(verdict->cost == doctest::Approx(0.6).epsilon(0.02));
  CHECK(state.oversubscribed());
}

TEST_CASE("ranks share the cores of a host only with those that were seen there") {
  RunState state;
  state.host = "a";
  state.world_size = 6;
  state.cores = 3;
  for (const char* host : {"a", "a", "a", "b", "b", ""}) state.ranks.emplace_back().host = host;
  CHECK_FALSE(state.oversubscribed());
  CHECK(words::crowding(state).empty());
  state.cores = 2;
  CHECK(state.oversubscribed());
  CHECK(words::crowding(state) == " On a, 3 ranks share 2 cores, so waits include CPU scheduling.");
}

TEST_CASE("the phase that makes a rank late is that of the steps in which it is late") {
  std::vector<Event> events = {begin(4)};
  for (int step = 0; step < 120; ++step) {
    for (std::int64_t rank = 0; rank < 4; ++rank) {
      const double late = rank == 3 && step >= 80 ? 40 : 0;
      addStep(events, rank, static_cast<std::uint64_t>(step), 60.0 * step, 5 + late, 10, 60.0 * step + 57);
    }
  }
  const RunState state = stateAfter(events);
  const Verdict* verdict = find(state, VerdictKind::Straggler);
  REQUIRE(verdict != nullptr);
  CHECK(verdict->title == "Everyone waits for rank 3 since step 80 of epoch 0");
  CHECK(says(verdict, "It spends 45\u202fms loading a batch, the others 5.0\u202fms."));
}

TEST_CASE("the phase that makes a rank late may be cut into pieces by operations") {
  std::vector<Event> events = {begin(3)};
  for (std::uint32_t step = 0; step < 40; ++step) {
    for (std::int64_t rank = 0; rank < 3; ++rank) {
      const double from = 100.0 * step;
      const double late = rank == 2 ? 40 : 0;
      addStep(events, rank, step, from, 5, 10 + late, from + 80);
      const std::size_t place = events.size() - 4;  // before the piece that addStep() made
      events.insert(events.begin() + static_cast<std::ptrdiff_t>(place),
                    record(from + 5, rank, SL_PHASE_END, {SL_PHASE_COMPUTE, 0, step, 0, 2'000'000}));
    }
  }
  const RunState state = stateAfter(events);
  CHECK(says(find(state, VerdictKind::Straggler), "It spends 52\u202fms computing a step, the others 12\u202fms."));
}

namespace {

/// The same with operations that NCCL reports.
std::vector<Event> onDevices(std::vector<Event> events) {
  for (Event& event : events) {
    auto* const one = std::get_if<RankRecord>(&event.what);
    const bool is_operation =
        one != nullptr && (one->record.kind == SL_COLL_ENTER || one->record.kind == SL_COLL_LEAVE);
    if (is_operation) one->record.b |= SL_DEVICE_HANDLES;
  }
  return events;
}

bool advises(const Verdict* verdict, const std::string& text) {
  return verdict != nullptr && verdict->next.find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("computing is what the code does with a batch, and a GPU is named only where it was seen") {
  std::vector<Event> events = {begin(3)};
  for (std::uint32_t step = 0; step < 40; ++step) {
    for (std::int64_t rank = 0; rank < 3; ++rank)
      addStep(events, rank, step, 100.0 * step, 5, rank == 2 ? 50 : 10, 100.0 * step + 80);
  }
  const RunState on_hosts = stateAfter(events);
  const RunState on_devices = stateAfter(onDevices(events));
  CHECK(advises(find(on_hosts, VerdictKind::Straggler), "from a batch to the end of the backward pass"));
  CHECK_FALSE(advises(find(on_hosts, VerdictKind::Straggler), "GPU"));
  CHECK(advises(find(on_devices, VerdictKind::Straggler), "check the GPU, the CPU load"));
}

TEST_CASE("where devices wait for each other, equal times of computing do not say what to look at") {
  std::vector<Event> events = {begin(3)};
  for (std::uint32_t step = 0; step < 40; ++step) {
    for (std::int64_t rank = 0; rank < 3; ++rank)
      addStep(events, rank, step, 100.0 * step + (rank == 2 ? 40 : 0), 5, 10, 100.0 * step + 80);
  }
  const RunState on_hosts = stateAfter(events);
  const RunState on_devices = stateAfter(onDevices(events));
  CHECK(says(find(on_hosts, VerdictKind::Straggler), "look at what it does in between."));
  CHECK(says(find(on_devices, VerdictKind::Straggler),
             "Why is not known: a rank that waits for the others on its device"));
  CHECK_FALSE(says(find(on_devices, VerdictKind::Straggler), "in between"));
  CHECK_FALSE(advises(find(on_devices, VerdictKind::Straggler), "after the backward pass"));
}

TEST_CASE("two ranks that are slow for different reasons are two verdicts, each with its own numbers") {
  std::vector<Event> events = {begin(4)};
  for (int step = 0; step < 30; ++step) {
    const double from = 400.0 * step;
    for (std::int64_t rank = 0; rank < 4; ++rank) {
      const double computes = rank == 1 ? 280 : 80;
      const double loads = rank == 2 ? 160 : 10;
      addStep(events, rank, static_cast<std::uint64_t>(step), from, loads, computes, from + 295);
    }
  }
  const RunState state = stateAfter(events);
  std::vector<const Verdict*> slow;
  for (const Verdict& verdict : state.verdicts)
    if (verdict.kind == VerdictKind::Straggler) slow.push_back(&verdict);
  REQUIRE(slow.size() == 2);
  const bool rank_1_first = slow[0]->rank == 1;
  const Verdict* const computing = slow[rank_1_first ? 0 : 1];
  const Verdict* const loading = slow[rank_1_first ? 1 : 0];
  CHECK(computing->ranks == std::vector<std::int64_t>{1});
  CHECK(says(computing, "this is that of rank 1. It spends 280\u202fms computing a step, the others 80\u202fms."));
  CHECK(loading->ranks == std::vector<std::int64_t>{2});
  CHECK(says(loading, "this is that of rank 2. It spends 160\u202fms loading a batch, the others 10\u202fms."));
  CHECK(computing->next != loading->next);
}

TEST_CASE("two slow ranks are named together, with what each and both cost") {
  std::vector<Event> events = {begin(4)};
  for (int step = 0; step < 30; ++step) {
    const double from = 80.0 * step;
    for (std::int64_t rank = 0; rank < 4; ++rank) {
      const double late = rank == 1 ? 60 : (rank == 3 ? 40 : 0);
      addStep(events, rank, static_cast<std::uint64_t>(step), from, 5 + late, 10, from + 77);
    }
  }
  const RunState state = stateAfter(events);
  const Verdict* verdict = find(state, VerdictKind::Straggler);
  REQUIRE(verdict != nullptr);
  CHECK(verdict->title == "Everyone waits for ranks 1 and 3");
  CHECK(verdict->ranks == std::vector<std::int64_t>{1, 3});
  CHECK(verdict->gain_s == doctest::Approx(1.8));
  CHECK(verdict->lost_s == doctest::Approx(30 * 0.14));
  REQUIRE(verdict->gain_alone_s.size() == 2);
  CHECK(verdict->gain_alone_s[0] == doctest::Approx(0.6));
  CHECK(verdict->gain_alone_s[1] == 0);
  CHECK(says(verdict, "fixing one alone would save 600\u202fms (rank 1), 0\u202fs (rank 3)"));
  CHECK(verdict->from_ns == 15'000'000);
  CHECK(verdict->confidence > 0.999);
}

TEST_CASE("the ranks of a slow node are said to be on it") {
  std::vector<Event> events = {begin(4)};
  for (std::int64_t rank = 0; rank < 4; ++rank)
    events.push_back({at(0), RankProcess{rank, 500 + rank, ProcessState::Running, rank < 2 ? "node-a" : "node-b"}});
  for (int step = 0; step < 30; ++step) {
    const double from = 80.0 * step;
    for (std::int64_t rank = 0; rank < 4; ++rank)
      addStep(events, rank, static_cast<std::uint64_t>(step), from, rank < 2 ? 5 : 45, 10, from + 77);
  }
  const RunState state = stateAfter(events);
  REQUIRE(find(state, VerdictKind::Straggler) != nullptr);
  CHECK(find(state, VerdictKind::Straggler)->title == "Everyone waits for ranks 2 and 3, all on node-b");
}

TEST_CASE("sentences about slow ranks say each thing once, and agree in number") {
  const auto turns = words::takeTurns({}, {60, 12.0, 0.2, 0.15, 1.5, 4.0});
  CHECK(turns.message.ends_with("and fixing any single rank would save at most 1.5\u202fs."));
  CHECK(turns.next.starts_with("No rank was found to be slow, "));
  CHECK(
      words::fixingSaves({1, 2, 3, 4, 5}, {2.0, 10.0, 0.2, {0.1, 0.5, 0.1, 0.1, 0.1}}) ==
      "Fixing all of them would save 2.0\u202fs of 10\u202fs (20 %); fixing one alone would save at most 500\u202fms.");
  CHECK(words::everyoneWaits({{3}, "group data", "", "", true, false}) == "All of group data wait for rank 3");
  CHECK(words::everyoneWaits({{1, 2, 3}, "", "", "in epoch 1", false, true}) ==
        "The rest waited for ranks 1 to 3 in epoch 1");
}
