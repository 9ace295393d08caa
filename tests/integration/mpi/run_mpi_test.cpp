// SPDX-License-Identifier: Apache-2.0
// An MPI program that was not changed, each time with another fault in one rank: live and in the recording the right
// verdict.
#include "tests/integration/mpi/mpi_job.h"
#include "tests/support/places.h"
#include "tests/support/process.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;

namespace {

const std::string kSolver = test::binDir() + "/mpi_solver";

std::string joined(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += word + " ";
  return line;
}

/// What the job prints without us.
std::string alone(const std::vector<std::string>& command) {
  return runShell(joined(command) + " 2>/dev/null").out;
}

bool saysWhoWaits(const Verdict& verdict) {
  return verdict.message.find("wait for it in") != std::string::npos;
}

}  // namespace

TEST_CASE("a program that is fine computes what it does without us, and every operation is seen") {
  if (!hasOpenMpi()) return;
  const auto command = mpirun({kSolver, "fine", "50"});
  const WatchedJob job(command);
  CHECK(job.output == alone(command));
  for (const RunState* state : {&job.live, &job.replayed}) {
    CHECK(state->status == JobStatus::Finished);
    CHECK(state->reports);
    REQUIRE(state->ranks.size() == 3);
    for (const RankState& rank : state->ranks) {
      CHECK(rank.status == RankStatus::Done);
      CHECK(rank.collectives == 200);  // send, recv, all_reduce and broadcast
    }
    CHECK(state->dropped == 0);
    for (const VerdictKind kind : {VerdictKind::Dead, VerdictKind::Mismatch, VerdictKind::Stalled, VerdictKind::Lost})
      CHECK(find(*state, kind) == nullptr);
  }
}

TEST_CASE("a slow rank is named, and not the one that waits for its message") {
  if (!hasOpenMpi()) return;
  const auto command = mpirun({kSolver, "straggler", "96"});
  const WatchedJob job(command);
  CHECK(job.output == alone(command));
  for (const RunState* state : {&job.live, &job.replayed}) {
    CHECK(state->status == JobStatus::Finished);
    const Verdict* const slow = find(*state, VerdictKind::Straggler);
    REQUIRE(slow != nullptr);
    CHECK(slow->ranks == std::vector<std::int64_t>{1});
  }
}

TEST_CASE("a barrier that one rank leaves out is a circle of ranks that wait for each other") {
  if (!hasOpenMpi()) return;
  const WatchedJob job(mpirun({kSolver, "missing", "40"}),
                       [](const RunState& state) { return find(state, VerdictKind::Mismatch) != nullptr; });
  for (const RunState* state : {&job.live, &job.replayed}) {
    CHECK(state->status == JobStatus::Stopped);
    const Verdict* const verdict = find(*state, VerdictKind::Mismatch);
    REQUIRE(verdict != nullptr);
    CHECK(verdict->message.find("barrier #20") != std::string::npos);
    CHECK(find(*state, VerdictKind::Dead) == nullptr);
  }
}

TEST_CASE("ranks that give different sizes are told apart") {
  if (!hasOpenMpi()) return;
  const WatchedJob job(mpirun({kSolver, "size", "40"}));
  for (const RunState* state : {&job.live, &job.replayed}) {
    const Verdict* const verdict = find(*state, VerdictKind::Mismatch);
    REQUIRE(verdict != nullptr);
    CHECK(verdict->rank == 1);
    CHECK(verdict->message.find("24 bytes") != std::string::npos);
  }
}

TEST_CASE("a rank that dies is named") {
  if (!hasOpenMpi()) return;
  const WatchedJob job(mpirun({kSolver, "dies", "40"}));
  for (const RunState* state : {&job.live, &job.replayed}) {
    CHECK(state->status == JobStatus::Failed);
    REQUIRE(find(*state, VerdictKind::Dead) != nullptr);
    CHECK(find(*state, VerdictKind::Dead)->rank == 1);
    CHECK(state->ranks[1].status == RankStatus::Dead);
    CHECK(state->ranks[0].status == RankStatus::Ended);
  }
}

TEST_CASE("a rank that ends itself is named with its code") {
  if (!hasOpenMpi()) return;
  for (const auto& one : {std::pair("exits", "3"), std::pair("aborts", "5")}) {
    CAPTURE(one.first);
    const WatchedJob job(mpirun({kSolver, one.first, "40"}));
    CHECK(job.live.status == JobStatus::Failed);
    const Verdict* const verdict = find(job.replayed, VerdictKind::Dead);
    REQUIRE(verdict != nullptr);
    CHECK(verdict->rank == 1);
    CHECK(verdict->message.find(std::string("code ") + one.second) != std::string::npos);
    CHECK(job.replayed.ranks[0].status == RankStatus::Ended);
  }
}

TEST_CASE("a rank that a signal stopped, and one that hangs in its own code, are named while the others wait") {
  if (!hasOpenMpi()) return;
  for (const std::string name : {"stops", "hangs"}) {
    CAPTURE(name);
    const WatchedJob job(mpirun({kSolver, name, "40"}), [](const RunState& state) {
      // The stop is seen at once; the others come to their next operation a little later.
      const Verdict* const verdict = find(state, VerdictKind::Stalled);
      return verdict != nullptr && verdict->rank == 1 && saysWhoWaits(*verdict);
    });
    // Not at the end: mpirun continues a stopped rank before it ends it.
    for (const RunState* state : {&job.live_then, &job.replayed_then}) {
      const Verdict* const verdict = find(*state, VerdictKind::Stalled);
      REQUIRE(verdict != nullptr);
      CAPTURE(verdict->message);
      CHECK(verdict->rank == 1);
      CHECK(saysWhoWaits(*verdict));
    }
  }
}
