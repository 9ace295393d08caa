// SPDX-License-Identifier: Apache-2.0
// Programs that train with NCCL and were not changed, each time with another fault in one rank: live and in the
// recording the right verdict.
#include "tests/integration/mpi/mpi_job.h"
#include "tests/support/places.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;

namespace {

const std::string kTrainer = test::binDir() + "/nccl_trainer";

/// Files of the made-up library go to a folder of their own: a rank that is killed leaves them.
struct Places {
  TempFolder folder;
  Places() { setenv("TMPDIR", folder.path().c_str(), 1); }
  Places(const Places&) = delete;
  Places& operator=(const Places&) = delete;
  ~Places() { unsetenv("TMPDIR"); }
};

/// A program that forks its four ranks.
std::vector<std::string> trainer(const std::string& name, int iterations) {
  return {kTrainer, name, std::to_string(iterations)};
}

std::string aloneOutput(const std::vector<std::string>& command) {
  std::string line;
  for (const std::string& word : command) line += word + " ";
  return runShell(line).out;
}

/// Of a rank that is slow nothing is said here: on a busy host there may be one.
void checkNothingElse(const RunState& state) {
  for (const VerdictKind kind : {VerdictKind::Dead, VerdictKind::Mismatch, VerdictKind::Stalled, VerdictKind::Lost}) {
    const Verdict* const verdict = find(state, kind);
    const std::string message = verdict != nullptr ? verdict->message : "";
    CAPTURE(message);
    CHECK(verdict == nullptr);
  }
}

bool isStalledBy(const RunState& state, std::int64_t rank) {
  const Verdict* const verdict = find(state, VerdictKind::Stalled);
  return verdict != nullptr && verdict->rank == rank && verdict->message.find("wait for it in") != std::string::npos;
}

}  // namespace

TEST_CASE("a program that is fine computes what it does without us, and every operation is seen") {
  const Places places;
  for (const char* const version : {"5", "4"}) {
    CAPTURE(version);
    setenv("FAKE_NCCL_PLUGIN_VERSION", version, 1);
    for (const std::string name : {"fine", "ahead"}) {
      CAPTURE(name);
      const auto command = trainer(name, 50);
      const WatchedJob job(command);
      CHECK(job.output == aloneOutput(command));
      for (const RunState* state : {&job.live, &job.replayed}) {
        CHECK(state->status == JobStatus::Finished);
        CHECK(state->reports);
        REQUIRE(state->ranks.size() == 4);
        for (const RankState& rank : state->ranks) {
          CHECK(rank.status == RankStatus::Done);
          CHECK(rank.collectives == 100);  // all_reduce and broadcast
        }
        CHECK(state->dropped == 0);
        for (const VerdictKind kind :
             {VerdictKind::Dead, VerdictKind::Mismatch, VerdictKind::Stalled, VerdictKind::Lost})
          CHECK(find(*state, kind) == nullptr);
      }
    }
  }
  unsetenv("FAKE_NCCL_PLUGIN_VERSION");
}

TEST_CASE("communicators are groups, and messages find their other side") {
  const Places places;
  const WatchedJob job(trainer("groups", 20));
  for (const RunState* state : {&job.live, &job.replayed}) {
    CHECK(state->status == JobStatus::Finished);
    REQUIRE(state->ranks.size() == 4);
    for (const RankState& rank : state->ranks) CHECK(rank.collectives == 100);  // all_gather, send, recv; 40 in steps
    for (const VerdictKind kind : {VerdictKind::Dead, VerdictKind::Mismatch, VerdictKind::Stalled, VerdictKind::Lost})
      CHECK(find(*state, kind) == nullptr);
  }
}

TEST_CASE("a rank that queues its operations late is named, and so is one whose GPU is late") {
  const Places places;
  for (const std::string name : {"straggler", "gpu"}) {
    CAPTURE(name);
    const auto command = trainer(name, 40);
    const WatchedJob job(command);
    CHECK(job.output == aloneOutput(command));
    for (const RunState* state : {&job.live, &job.replayed}) {
      CHECK(state->status == JobStatus::Finished);
      const Verdict* const slow = find(*state, VerdictKind::Straggler);
      REQUIRE(slow != nullptr);
      CHECK(slow->ranks == std::vector<std::int64_t>{2});
    }
  }
}

TEST_CASE("a rank that never queues an operation is named, and so is the operation") {
  const Places places;
  for (const std::string name : {"missing", "stops"}) {
    CAPTURE(name);
    const WatchedJob job(trainer(name, 40), [](const RunState& state) { return isStalledBy(state, 1); });
    for (const RunState* state : {&job.live_then, &job.replayed_then}) {
      REQUIRE(isStalledBy(*state, 1));
      CHECK(find(*state, VerdictKind::Stalled)->message.find("all_reduce of group ranks 0-3") != std::string::npos);
    }
  }
}

TEST_CASE("another collective, another size and another order in one rank are told apart") {
  const Places places;
  // It comes as soon as the first of the others differs from rank 1.
  const auto mismatch = [](const RunState& state) {
    const Verdict* const verdict = find(state, VerdictKind::Mismatch);
    return verdict != nullptr && verdict->message.find("anks 0, 2 and 3") != std::string::npos;
  };
  const auto messageOf = [&](const std::string& name) {
    const WatchedJob job(trainer(name, 40), mismatch);
    const Verdict* const live = find(job.live_then, VerdictKind::Mismatch);
    const Verdict* const replayed = find(job.replayed_then, VerdictKind::Mismatch);
    REQUIRE(live != nullptr);
    REQUIRE(replayed != nullptr);
    CHECK(live->message == replayed->message);
    return live->message + " " + live->evidence;
  };
  const std::string collective = messageOf("collective");
  CHECK(collective.find("all_gather #0") != std::string::npos);
  CHECK(collective.find("all_reduce #20") != std::string::npos);
  const std::string size = messageOf("size");
  CHECK(size.find("28 bytes") != std::string::npos);
  const std::string order = messageOf("order");
  CHECK(order.find("broadcast #20") != std::string::npos);
  CHECK(order.find("all_reduce #20") != std::string::npos);
}

TEST_CASE("a rank that dies, and one that ends itself, are named") {
  const Places places;
  for (const std::string name : {"dies", "exits"}) {
    CAPTURE(name);
    const WatchedJob job(trainer(name, 40),
                         [](const RunState& state) { return find(state, VerdictKind::Dead) != nullptr; });
    for (const RunState* state : {&job.live_then, &job.replayed_then}) {
      REQUIRE(find(*state, VerdictKind::Dead) != nullptr);
      CHECK(find(*state, VerdictKind::Dead)->rank == 1);
    }
  }
}

TEST_CASE("ranks that also use MPI say both, in one lane") {
  if (!hasOpenMpi() || !std::filesystem::exists(test::binDir() + "/mpi_nccl_trainer")) return;
  const Places places;
  const WatchedJob fine(mpirun({test::binDir() + "/mpi_nccl_trainer", "fine", "30"}));
  for (const RunState* state : {&fine.live, &fine.replayed}) {
    CHECK(state->status == JobStatus::Finished);
    REQUIRE(state->ranks.size() == 3);
    for (const RankState& rank : state->ranks) {
      CHECK(rank.status == RankStatus::Done);
      CHECK(rank.collectives == 62);  // a broadcast and a barrier of MPI
    }
    checkNothingElse(*state);
  }
  const WatchedJob job(mpirun({test::binDir() + "/mpi_nccl_trainer", "missing", "30"}),
                       [](const RunState& state) { return isStalledBy(state, 1); });
  CHECK(isStalledBy(job.replayed_then, 1));
}

TEST_CASE("a plugin that the user has named is left in place, and that is said") {
  const Places places;
  setenv("NCCL_PROFILER_PLUGIN", "none", 1);
  const WatchedJob job(trainer("fine", 10));
  unsetenv("NCCL_PROFILER_PLUGIN");
  CHECK(job.live.status == JobStatus::Finished);
  CHECK_FALSE(job.live.reports);
  bool is_said = false;
  for (std::size_t i = 0; i < job.live.log.size(); ++i)
    is_said = is_said || job.live.log[i].text.find("NCCL_PROFILER_PLUGIN names none") != std::string::npos;
  CHECK(is_said);
}
