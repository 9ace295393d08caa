// SPDX-License-Identifier: Apache-2.0
#include "core/collect/job_ending.h"

#include "core/base/result.h"

#include <doctest/doctest.h>

#include <string>

using namespace shardlens;

namespace {

/// A launcher that has said one sentence, or nothing.
class FakeLauncher : public Launcher {
 public:
  explicit FakeLauncher(std::string words = {}) : words_(std::move(words)) {}
  [[nodiscard]] const char* name() const override { return "fake"; }
  [[nodiscard]] Result<Launch> launch(const PipelineSpec& /*spec*/, const LaunchSite& /*site*/,
                                      const std::vector<std::string>& /*command*/) const override {
    return Launch{};
  }
  [[nodiscard]] std::string words() const override { return words_; }
  [[nodiscard]] bool wasEndedFromOutside(const ProcessExit& exit) const override { return exit.signal != 0; }

 private:
  std::string words_;
};

RunState deadState() {
  RunState state;
  state.verdicts.push_back({VerdictKind::Dead, 1, "Rank 1 died", "Rank 1 died of a signal.", {}, {}, 1});
  return state;
}

}  // namespace

TEST_CASE("a job whose launcher is content has finished") {
  const RunEnd end = JobEnding().of({0, 0}, FakeLauncher(), {}, true);
  CHECK(end.status == JobStatus::Finished);
  CHECK(end.exit_code == kFine);
  CHECK(end.failure.empty());
}

TEST_CASE("the failure quotes the rank that failed and no other") {
  JobEnding ending;
  ending.heed({1, LogLine{1, true, "out of cheese"}});
  ending.heed({2, LauncherSays{1, 9, 0}});
  ending.heed({3, LogLine{0, true, "a warning of somebody else"}});
  CHECK(ending.of({9, 0}, FakeLauncher("it failed"), {}, false).failure == "Rank 1 ended with code 9: out of cheese");

  JobEnding silent;
  silent.heed({1, LogLine{0, true, "a warning of somebody else"}});
  silent.heed({2, LauncherSays{1, 9, 0}});
  CHECK(silent.of({9, 0}, FakeLauncher("it failed"), {}, false).failure == "Rank 1 ended with code 9.");
}

TEST_CASE("without a rank to name, what a rank said is said to be that rank's, or what all said") {
  JobEnding ending;
  CHECK(ending.of({5, 0}, FakeLauncher("not enough slots"), {}, false).failure ==
        "The launcher fake ended with code 5: not enough slots");
  CHECK(ending.of({5, 0}, FakeLauncher(), {}, false).failure == "The launcher fake ended with code 5.");
  CHECK(JobEnding(true).of({5, 0}, FakeLauncher(), {}, false).failure == "The command fake ended with code 5.");
  ending.heed({1, LogLine{0, true, "a warning"}});
  CHECK(ending.of({5, 0}, FakeLauncher("it failed"), {}, false).failure ==
        "The launcher fake ended with code 5. The last error line of rank 0: a warning");
  ending.heed({2, LogLine{1, true, "out of cheese"}});
  CHECK(ending.of({5, 0}, FakeLauncher("it failed"), {}, false).failure ==
        "The launcher fake ended with code 5. The last error lines: rank 0: a warning; rank 1: out of cheese");
  ending.heed({2, LogLine{0, true, "out of cheese"}});
  ending.heed({3, LogLine{1, true, "out of cheese"}});
  CHECK(ending.of({5, 0}, FakeLauncher("it failed"), {}, false).failure ==
        "The launcher fake ended with code 5: out of cheese");
}

TEST_CASE("a killed launcher is to blame, and not the ranks that went with it") {
  JobEnding ending;
  ending.heed({1, LauncherSays{-1, 137, 9}});
  const RunEnd end = ending.of({137, 9}, FakeLauncher(), deadState(), true);
  CHECK(end.status == JobStatus::Failed);
  CHECK(end.exit_code == kJobFailed);
  CHECK(end.failure == "The launcher fake was ended by signal 9 (SIGKILL), and the ranks ended with it.");
}

TEST_CASE("a command that a signal ended is said to have been, and not to have ended with a code") {
  class Command : public FakeLauncher {
   public:
    [[nodiscard]] bool wasEndedFromOutside(const ProcessExit& /*exit*/) const override { return false; }
  };
  CHECK(JobEnding(true).of({134, 6}, Command(), {}, false).failure ==
        "The command fake was ended by signal 6 (SIGABRT).");
  CHECK(JobEnding(true).of({134, 0}, Command(), {}, false).failure == "The command fake ended with code 134.");
}

TEST_CASE("a dead rank fails the job, whatever the launcher makes of it") {
  CHECK(JobEnding().of({0, 0}, FakeLauncher(), deadState(), true).failure == "Rank 1 died of a signal.");
}

TEST_CASE("why the supervisor ended the job goes before everything else") {
  JobEnding ending;
  ending.heed({1, RunStopping{true, "The user stopped the job."}});
  ending.heed({2, LauncherSays{-1, 143, 15}});
  const RunEnd end = ending.of({143, 15}, FakeLauncher(), deadState(), true);
  CHECK(end.status == JobStatus::Stopped);
  CHECK(end.failure == "The user stopped the job.");

  JobEnding hopeless;
  hopeless.heed({1, RunStopping{false, "Ranks wait for each other."}});
  CHECK(hopeless.of({0, 0}, FakeLauncher(), {}, true).status == JobStatus::Failed);
}

TEST_CASE("only our own rank programs speak our exit codes") {
  JobEnding ending;
  ending.heed({1, LogLine{0, true, "mpi_rank: There is no GPU."}});
  ending.heed({2, LauncherSays{1, 3, 0}});
  const RunEnd own = ending.of({3, 0}, FakeLauncher(), {}, true);
  CHECK(own.exit_code == kEnvironment);
  CHECK(own.failure == "mpi_rank: There is no GPU.");
  CHECK(ending.of({3, 0}, FakeLauncher(), {}, false).exit_code == kJobFailed);
}

TEST_CASE("a job of our own ranks of which nobody was ever heard has not finished") {
  RunState state;
  state.world_size = 2;
  state.ranks.resize(2);
  for (RankState& rank : state.ranks) rank.status = RankStatus::Unheard;
  const RunEnd end = JobEnding().of({0, 0}, FakeLauncher(), state, true);
  CHECK(end.status == JobStatus::Failed);
  CHECK(end.exit_code == kJobFailed);
  CHECK(end.failure == "The launcher fake ended with code 0, but none of its 2 ranks ever reported anything.");
  CHECK(JobEnding().of({0, 0}, FakeLauncher(), state, false).status == JobStatus::Finished);  // it need not report
  state.ranks[1].status = RankStatus::Done;  // the other one was not measured
  CHECK(JobEnding().of({0, 0}, FakeLauncher(), state, true).status == JobStatus::Finished);
}
