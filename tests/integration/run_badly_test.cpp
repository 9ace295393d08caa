// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/job.h"
#include "tests/support/json_schema.h"
#include "tests/support/places.h"
#include "tests/support/process.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;
using nlohmann::json;

namespace {

/// Long enough that no test comes to its end.
const std::string kLong = specOf(2, 200'000);

bool hasSteps(const RunState& state) {
  return state.ranks.size() == 2 && state.ranks[0].steps_done > 3 && state.ranks[1].steps_done > 3;
}

const Verdict* find(const RunState& state, VerdictKind kind) {
  const auto found = std::find_if(state.verdicts.begin(), state.verdicts.end(),
                                  [kind](const Verdict& verdict) { return verdict.kind == kind; });
  return found == state.verdicts.end() ? nullptr : &*found;
}

bool isNamed(const json& replay, const std::string& kind, int rank) {
  return std::any_of(replay["verdicts"].begin(), replay["verdicts"].end(),
                     [&](const json& verdict) { return verdict["kind"] == kind && verdict["rank"] == rank; });
}

}  // namespace

TEST_CASE("a killed rank fails the job, is named, and the recording is kept") {
  if (!hasMpirun()) return;
  RunningJob job(kLong);
  const RunState before = job.await(hasSteps);
  job.processes();
  REQUIRE(before.ranks[1].pid > 0);
  kill(static_cast<pid_t>(before.ranks[1].pid), SIGKILL);
  CHECK(job.wait() == 4);
  CHECK(job.leftovers() == "");
  CHECK(job.output().find("Rank 1 died") != std::string::npos);
  const auto [code, replay] = jsonOf("replay " + job.runFile());
  CHECK(code == 0);
  CHECK(schemaProblems(replay, "replay.schema.json") == "");
  CHECK(isNamed(replay, "dead", 1));
  CHECK_FALSE(isNamed(replay, "dead", 0));
  CHECK(replay["ranks"][0]["state"] == "ended");
  CHECK(replay["ranks"][1]["state"] == "dead");
  CHECK(replay["ranks"][1]["steps"].get<int>() > 3);
  const auto [verify_code, proof] = jsonOf("verify " + job.specFile() + " " + job.runFile());
  CHECK(verify_code == 1);
  CHECK(schemaProblems(proof, "verify.schema.json") == "");
  CHECK(proof["result"] == "incomplete");
}

TEST_CASE("a stopped rank is named while everybody waits for it; Ctrl+C then ends everything") {
  if (!hasMpirun()) return;
  RunningJob job(kLong);
  const RunState before = job.await(hasSteps);
  job.processes();
  REQUIRE(before.ranks[0].pid > 0);
  kill(static_cast<pid_t>(before.ranks[0].pid), SIGSTOP);
  const RunState stalled = job.await([](const RunState& state) {
    return find(state, VerdictKind::Stalled) && state.waiting_for && state.ranks[0].status == RankStatus::Stopped &&
           state.ranks[1].status == RankStatus::InCollective;
  });
  REQUIRE(find(stalled, VerdictKind::Stalled) != nullptr);
  CHECK(find(stalled, VerdictKind::Stalled)->rank == 0);
  CHECK(stalled.waiting_for == 0);
  CHECK(stalled.ranks[0].status == RankStatus::Stopped);
  CHECK(stalled.ranks[1].status == RankStatus::InCollective);
  job.signal(SIGINT);
  CHECK(job.wait() == 4);
  CHECK(job.leftovers() == "");
  const auto [code, replay] = jsonOf("replay " + job.runFile());
  CHECK(replay["status"] == "stopped");
  CHECK(isNamed(replay, "stalled", 0));
}

TEST_CASE("a stopped rank holds up its own group, and no rank of another is said to wait for it") {
  if (!hasMpirun()) return;
  RunningJob job(specOf(4, 400'000), inGroups(2));
  const RunState before = job.await([](const RunState& state) {
    return state.ranks.size() == 4 && std::all_of(state.ranks.begin(), state.ranks.end(),
                                                  [](const RankState& rank) { return rank.steps_done > 3; });
  });
  job.processes();
  REQUIRE(before.groups.size() == 2);
  CHECK(*before.groups[0].members == std::vector<std::int64_t>{0, 2});
  CHECK(*before.groups[1].members == std::vector<std::int64_t>{1, 3});
  kill(static_cast<pid_t>(before.ranks[1].pid), SIGSTOP);
  const std::string kWaits = " Rank 3 waits for it in all_reduce of group part-1.";
  std::int64_t steps = -1;
  bool is_other_named = false;
  const RunState state = job.await([&](const RunState& now) {
    const Verdict* verdict = find(now, VerdictKind::Stalled);
    if (verdict == nullptr) return false;
    if (steps < 0) steps = now.ranks[0].steps_done;
    is_other_named = is_other_named || verdict->message.find("Ranks") != std::string::npos ||
                     verdict->message.find("Rank 0") != std::string::npos ||
                     verdict->message.find("Rank 2") != std::string::npos;
    return now.ranks[0].steps_done > steps + 50 &&  // the other group goes on
           verdict->message.find(kWaits) != std::string::npos;
  });
  REQUIRE(find(state, VerdictKind::Stalled) != nullptr);
  CHECK(find(state, VerdictKind::Stalled)->rank == 1);
  CHECK(find(state, VerdictKind::Stalled)->message.find(kWaits) != std::string::npos);
  CHECK_FALSE(is_other_named);
  CHECK_FALSE(state.waiting_for);
  job.signal(SIGINT);
  CHECK(job.wait() == 4);
  CHECK(job.leftovers() == "");
}

TEST_CASE("a rank that runs out of batches is named, and the job that cannot go on is ended") {
  if (!hasMpirun()) return;
  // The job cannot go on as soon as the first of them waits; until it is ended, the other has to come, and to be seen.
  RunningJob job(specOf(3, 36), {"--launcher", "mpirun", "--grace", "3", "--", test::binDir() + "/uneven_rank"});
  const auto both_wait = [](const RunState& now) {
    const Verdict* const verdict = find(now, VerdictKind::Mismatch);
    return verdict != nullptr && verdict->message.find(
                                     "Rank 1 ran out at step 4 of epoch 0: ranks 0 and 2 wait for it "
                                     "in all_reduce.") == 0;
  };
  const RunState state = job.await(both_wait);
  job.processes();
  REQUIRE(both_wait(state));
  CHECK(state.deadlocked);
  CHECK(find(state, VerdictKind::Mismatch)->rank == 1);
  CHECK(job.wait() == 4);
  CHECK(job.leftovers() == "");
  CHECK(job.output().find("Rank 1 ran out at step 4") != std::string::npos);
}

TEST_CASE("without its launcher the job ends, and the launcher's end is the recorded failure") {
  if (!hasMpirun()) return;
  for (const int signal : {SIGKILL, SIGTERM}) {
    CAPTURE(signal);
    RunningJob job(kLong);
    (void)job.await(hasSteps);
    const auto processes = job.processes();
    REQUIRE(processes.size() > 1);
    kill(processes[1].id.pid, signal);
    CHECK(job.wait() == 4);
    CHECK(job.leftovers() == "");
    const auto [code, replay] = jsonOf("replay " + job.runFile());
    CHECK(replay["failure"] ==
          (signal == SIGKILL ? "The launcher mpirun was ended by signal 9 (SIGKILL), and the ranks ended with it."
                             : "Another process asked the launcher mpirun to end, and it ended the ranks."));
    for (const int rank : {0, 1}) CHECK_FALSE(isNamed(replay, "dead", rank));
  }
}

TEST_CASE("a launcher that is stopped is said to be stopped, and to go on") {
  if (!hasMpirun()) return;
  RunningJob job(kLong);
  (void)job.await(hasSteps);
  const auto processes = job.processes();
  REQUIRE(processes.size() > 1);
  const auto awaitLine = [&job](const std::string& text) {
    (void)job.await([&](const RunState& state) {
      for (std::size_t i = 0; i < state.log.size(); ++i) {
        if (state.log[i].text.find(text) != std::string::npos) return true;
      }
      return false;
    });
  };
  kill(processes[1].id.pid, SIGSTOP);
  awaitLine("The launcher mpirun was stopped by a signal");
  kill(processes[1].id.pid, SIGCONT);
  awaitLine("The launcher mpirun continues.");
  job.signal(SIGTERM);
  CHECK(job.wait() == 4);
  CHECK(job.leftovers() == "");
}

TEST_CASE("when the recorder is killed the job ends too, nothing of it is left, and the recording reads up to there") {
  if (!hasMpirun()) return;
  RunningJob job(kLong);
  (void)job.await(hasSteps);
  (void)job.processes();
  job.signal(SIGKILL);
  (void)eventually([&job] { return job.leftovers().empty(); });
  CHECK(job.leftovers() == "");
  CHECK(job.wait() == 128 + SIGKILL);
  const auto [code, replay] = jsonOf("replay " + job.runFile());
  CHECK(code == 0);
  CHECK(isNamed(replay, "lost", -1));
  CHECK(replay["ranks"][0]["steps"].get<int>() > 3);
}

TEST_CASE("what cannot be started says why, with the right exit code, and is recorded") {
  RunningJob no_mpirun(specOf(2, 16), {}, "/nowhere");
  CHECK(no_mpirun.wait() == 3);
  CHECK(no_mpirun.output().find("There is no program named mpirun on this machine.") != std::string::npos);
  CHECK(no_mpirun.output().find("apt-get install openmpi-bin") != std::string::npos);
  const auto [code, replay] = jsonOf("replay " + no_mpirun.runFile());
  CHECK(code == 0);
  CHECK(isNamed(replay, "launch_failed", -1));
  CHECK(no_mpirun.leftovers() == "");

  if (!hasMpirun()) return;
  RunningJob no_command(specOf(2, 16), {"--launcher", "mpirun", "--", "no-such-training-program", "--lr", "3"});
  CHECK(no_command.wait() == 3);
  CHECK(no_command.output().find("There is no program named no-such-training-program") != std::string::npos);
  RunningJob failing(specOf(2, 16),
                     {"--launcher", "mpirun", "--quiet", "--", "sh", "-c", "echo out of cheese >&2; exit 9"});
  CHECK(failing.wait() == 4);
  CHECK(failing.output().find("ended with code 9: out of cheese") != std::string::npos);
  CHECK(failing.errors() == "");
  const std::string two =
      "if [ $OMPI_COMM_WORLD_RANK = 1 ]; then echo out of cheese >&2; exit 9; fi; "
      "trap '' TERM; sleep 1; echo a warning of rank 0 >&2; sleep 1000";
  RunningJob other(specOf(2, 16), {"--launcher", "mpirun", "--quiet", "--", "sh", "-c", two});
  CHECK(other.wait() == 4);
  // mpirun 4 forgets now and then to say which rank it was (2 of 10 times when the others take long to end).
  CHECK((other.output().find("Rank 1 ended with code 9: out of cheese") != std::string::npos ||
         other.output().find("rank 1: out of cheese") != std::string::npos));
}

TEST_CASE("a job without a launcher ends with its recorder, and tells of its ranks by itself") {
  RunningJob job(specOf(2, 16),
                 {"--launcher", "plain", "--", "sh", "-c", "trap '' TERM; echo ready $RANK; exec sleep 1000"});
  (void)job.await([](const RunState& state) {
    std::size_t ready = 0;
    for (std::size_t i = 0; i < state.log.size(); ++i) ready += state.log[i].text.rfind("ready", 0) == 0 ? 1 : 0;
    return ready == 2;
  });
  const auto processes = job.processes();
  REQUIRE(processes.size() >= 2);
  job.signal(SIGKILL);
  CHECK(job.wait() == 128 + SIGKILL);
  CHECK(eventually([&job] { return job.leftovers().find("process") == std::string::npos; }));
  RunningJob failing(specOf(2, 16), {"--launcher", "plain", "--grace", "0.2", "--", "sh", "-c",
                                     "if [ $RANK = 1 ]; then echo out of cheese >&2; exit 9; fi; sleep 1000"});
  CHECK(failing.wait() == 4);
  CHECK(failing.output().find("Rank 1 ended with code 9: out of cheese") != std::string::npos);
  const auto [code, replay] = jsonOf("replay " + failing.runFile());
  CHECK(code == 0);
  CHECK(isNamed(replay, "dead", 1));
  CHECK_FALSE(isNamed(replay, "dead", 0));
  RunningJob without(specOf(2, 16, "program: nccl_rank"), {"--launcher", "plain"});
  CHECK(without.wait() == 2);
  CHECK(without.output().find("nccl_rank needs MPI, which the launcher plain does not start") != std::string::npos);
}

TEST_CASE("a recording stays whole when the program is started without its standard streams") {
  const std::string spec = test::sourceDir() + "/resources/examples/distributed-sampler.yaml";
  const TempFolder folder;
  const std::string run_file = (folder / "run.slrun").string();
  const std::string program = test::binDir() + "/shardlens";
  const auto run = runShell("PATH=/nowhere " + program + " run " + spec + " --run-file " + run_file + " <&- >&- 2>&-");
  CHECK(run.code == 3);
  const auto [code, replay] = jsonOf("replay " + run_file);
  CHECK(code == 0);
  CHECK(replay["note"] == "");
  CHECK(isNamed(replay, "launch_failed", -1));
}

TEST_CASE("bad input is refused before anything is started") {
  RunningJob wrong(specOf(2, 16) + "epocs: 3\n");
  CHECK(wrong.wait() == 2);
  CHECK(wrong.errors().find("epocs") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(wrong.runFile()));
  const std::string program = test::binDir() + "/shardlens ";
  const auto no_place = runShell(program + "run " + wrong.specFile() + " 2>&1");
  CHECK(no_place.code == 2);
  const std::string good = test::sourceDir() + "/resources/examples/distributed-sampler.yaml";
  const auto unwritable = runShell(program + "run " + good + " --run-file /nowhere/run.slrun 2>&1");
  CHECK(unwritable.code == 2);
  CHECK(unwritable.out.find("/nowhere/run.slrun: The recording cannot be created") != std::string::npos);
  CHECK(runShell(program + "replay " + good + " 2>&1").code == 2);
  CHECK(runShell(program + "replay /nowhere/run.slrun 2>&1").code == 2);
  CHECK(runShell(program + "verify " + good + " " + good + " 2>&1").code == 2);
}

TEST_CASE("nccl_rank says that there is no GPU, or is not built, and exits with 3") {
  if (!hasMpirun()) return;
  if (std::filesystem::exists("/dev/nvidiactl")) {
    MESSAGE("this machine has a GPU: see resources/scripts/gpu-check");
    return;
  }
  RunningJob job(specOf(2, 16, "program: nccl_rank"));
  CHECK(job.wait() == 3);
  CHECK(job.leftovers() == "");
  const bool is_built = std::filesystem::exists(test::binDir() + "/nccl_rank");
  CHECK(job.output().find(is_built ? "There is no usable NVIDIA GPU on this machine"
                                   : "This installation has no nccl_rank") != std::string::npos);
}
