// SPDX-License-Identifier: Apache-2.0
// The same probe below C, Fortran and Python, Open MPI and MPICH, and programs that use MPI in unusual ways. Each
// prints what it prints without the probe, and each operation is counted once.
#include "core/launch/launch_command.h"
#include "tests/integration/mpi/mpi_job.h"
#include "tests/support/places.h"
#include "tests/support/process.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;

namespace {

const std::string kSolver = test::binDir() + "/mpi_solver";
const std::string kSources = test::sourceDir() + "/tests/integration/mpi";

std::string alone(const std::vector<std::string>& command) {
  std::string line;
  for (const std::string& word : command) line += shellQuoted(word) + " ";
  return runShell(line + " 2>/dev/null").out;
}

/// Runs it, and checks what holds for every program that is fine.
RunState fine(const std::vector<std::string>& command) {
  const WatchedJob job(command);
  CHECK(job.output == alone(command));
  CHECK(job.live.status == JobStatus::Finished);
  REQUIRE(job.replayed.ranks.size() == 3);
  for (const RankState& rank : job.replayed.ranks) CHECK(rank.status == RankStatus::Done);
  for (const VerdictKind kind : {VerdictKind::Dead, VerdictKind::Mismatch, VerdictKind::Stalled, VerdictKind::Lost}) {
    const Verdict* found = find(job.replayed, kind);
    CHECK_MESSAGE(found == nullptr, found->message);
  }
  return job.replayed;
}

/// All ranks have been in as many operations.
void checkCount(const RunState& state, std::int64_t operations) {
  for (const RankState& rank : state.ranks) CHECK(rank.collectives == operations);
}

/// A compiled program of one source; empty, and said, where this machine cannot make it.
std::string built(const TempFolder& folder, const std::string& compiler, const std::string& source) {
  if (!findProgram(compiler)) {
    MESSAGE("not tested: there is no " << compiler << " on this machine");
    return {};
  }
  const std::string program = (folder / "program").string();
  const auto made = runShell(compiler + " -O1 -o " + program + " " + kSources + "/" + source + " -lpthread 2>&1");
  if (made.code == 0) return program;
  MESSAGE("not tested: " << compiler << " cannot compile " << source << ": " << made.out);
  return {};
}

}  // namespace

TEST_CASE("every kind of call is seen once, with in-place buffers and requests that are tested or waited for") {
  if (!hasOpenMpi()) return;
  const RunState state = fine(mpirun({kSolver, "calls", "5"}));
  // 8 collectives in 4 rounds, and 4 operations in 5 iterations; rank 0 reads two messages, the others send one.
  CHECK(state.ranks[0].collectives == 32 + 20 + 2);
  CHECK(state.ranks[1].collectives == 32 + 20 + 1);
}

TEST_CASE("communicators are groups with their members, whoever makes how many of them") {
  if (!hasOpenMpi()) return;
  const RunState state = fine(mpirun({kSolver, "communicators", "200"}));
  std::set<std::vector<std::int64_t>> members;
  std::set<std::string> names;
  for (const GroupState& group : state.groups) {
    REQUIRE(group.members != nullptr);
    members.insert(*group.members);
    names.insert(group.name);
  }
  CHECK(members == std::set<std::vector<std::int64_t>>{{0, 2}, {1, 2}, {0, 1, 2}});
  CHECK(names.count("even") == 1);
  // One of even ranks and one without rank 0, 100 copies of the even ranks and 100 of the world.
  CHECK(state.groups.size() == 202);
}

TEST_CASE("several threads, a fork, and a program that never begins MPI change nothing") {
  if (!hasOpenMpi()) return;
  const RunState threads = fine(mpirun({kSolver, "threads", "200"}));
  CHECK(threads.groups.size() == 2);
  checkCount(fine(mpirun({kSolver, "forks", "10"})), 40);
  const WatchedJob never(mpirun({kSolver, "never"}));
  CHECK(never.live.status == JobStatus::Finished);
  CHECK_FALSE(never.live.reports);
}

TEST_CASE("the probe leaves other programs alone") {
  const WatchedJob job({"sh", "-c", "ls /; echo $?; python3 -c 'print(6 * 7)'"});
  CHECK(job.output.find("\n0\n42\n") != std::string::npos);
  CHECK_FALSE(job.live.reports);
}

TEST_CASE("a program that AddressSanitizer watches runs below the probe") {
  const TempFolder folder;
  const std::string program = (folder / "program").string();
  const auto made = runShell("echo 'int main(void) { return 0; }' | cc -fsanitize=address -x c - -o " + program);
  if (made.code != 0) {
    MESSAGE("not tested: there is no AddressSanitizer on this machine");
    return;
  }
  const WatchedJob job({program});
  CHECK(job.live.status == JobStatus::Finished);
}

TEST_CASE("a Fortran program is seen like one in C") {
  const TempFolder folder;
  if (!hasOpenMpi()) return;
  const std::string program = built(folder, "mpifort.openmpi", "solver.f90");
  if (program.empty()) return;
  checkCount(fine(mpirun({program, "fine"})), 120);
  const WatchedJob slow(mpirun({program, "straggler"}));
  REQUIRE(find(slow.replayed, VerdictKind::Straggler) != nullptr);
  CHECK(find(slow.replayed, VerdictKind::Straggler)->rank == 1);
}

TEST_CASE("a Python program is seen like one in C") {
  if (!hasOpenMpi()) return;
  const std::string python =
      "/usr/bin/python3";  // Debian's, whose packages are installed; PATH may have another one first
  if (runShell(python + " -c 'import mpi4py.MPI' 2>&1").code != 0) {
    MESSAGE("not tested: /usr/bin/python3 has no mpi4py");
    return;
  }
  const std::string script = kSources + "/solver.py";
  const RunState state = fine(mpirun({python, script, "fine", "40"}));
  CHECK(state.ranks[1].collectives == 80);  // a recv and an all_reduce in each iteration
  const WatchedJob slow(mpirun({python, script, "straggler", "96"}));
  REQUIRE(find(slow.replayed, VerdictKind::Straggler) != nullptr);
  CHECK(find(slow.replayed, VerdictKind::Straggler)->ranks == std::vector<std::int64_t>{1});
  const WatchedJob dead(mpirun({python, script, "dies", "40"}));
  REQUIRE(find(dead.replayed, VerdictKind::Dead) != nullptr);
  CHECK(find(dead.replayed, VerdictKind::Dead)->rank == 1);
  const WatchedJob missing(mpirun({python, script, "missing", "40"}),
                           [](const RunState& now) { return find(now, VerdictKind::Mismatch) != nullptr; });
  CHECK(find(missing.replayed, VerdictKind::Mismatch) != nullptr);
}

TEST_CASE("the same probe sees MPICH, in C and in Fortran") {
  const TempFolder folder;
  if (!findProgram("mpiexec.mpich")) {
    MESSAGE("not tested: there is no MPICH on this machine");
    return;
  }
  const auto below = [&](const std::vector<std::string>& program, const std::string& ranks = "3") {
    std::vector<std::string> words = {"mpiexec.mpich", "-n", ranks};
    words.insert(words.end(), program.begin(), program.end());
    return words;
  };
  if (const std::string program = built(folder, "mpicc.mpich", "solver.c"); !program.empty()) {
    checkCount(fine(below({program, "fine", "50"})), 200);
    CHECK(fine(below({program, "communicators", "20"})).groups.size() == 22);
    // Two ranks: MPICH's wait by polling, and where a third has no core of its own any of them may be late.
    const WatchedJob slow(below({program, "straggler", "96"}, "2"));
    REQUIRE(find(slow.replayed, VerdictKind::Straggler) != nullptr);
    CHECK(find(slow.replayed, VerdictKind::Straggler)->ranks == std::vector<std::int64_t>{1});
  }
  if (const std::string program = built(folder, "mpifort.mpich", "solver.f90"); !program.empty())
    checkCount(fine(below({program, "fine"})), 120);
}
