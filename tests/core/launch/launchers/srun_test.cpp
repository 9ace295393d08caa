// SPDX-License-Identifier: Apache-2.0
#include "core/launch/launchers/launcher.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace shardlens;

TEST_CASE("srun starts a task for each rank on one node, and the place of a rank is the spec's") {
  PipelineSpec spec;
  spec.world = {2, 2};
  const LaunchSite site{"/usr/bin/srun", "/usr/bin/python3", "", "/dev/shm/job", 8, false, 29'500};
  const Launch launch = makeSrun()->launch(spec, site, {"python3", "train.py"}).value();
  REQUIRE(launch.processes.size() == 1);
  const LaunchCommand& srun = launch.processes.front();
  CHECK(srun.rank == -1);
  for (const char* word : {"--nodes=1", "--ntasks=4", "--label", "--kill-on-bad-exit=1", "python3", "train.py"}) {
    CAPTURE(word);
    CHECK(std::find(srun.arguments.begin(), srun.arguments.end(), word) != srun.arguments.end());
  }
  CHECK(
      srun.text().starts_with("SHARDLENS_JOB_DIR=/dev/shm/job MASTER_ADDR=127.0.0.1 MASTER_PORT=29500 /usr/bin/srun "));
  CHECK(srun.text().find("RANK=\"$SLURM_PROCID\" WORLD_SIZE=\"$SLURM_NTASKS\" LOCAL_RANK=$((SLURM_PROCID % 2))") !=
        std::string::npos);
}

TEST_CASE("srun's labels are known at the beginning of a line, and are text elsewhere") {
  const auto srun = makeSrun();
  const OutputTag out = srun->tag("12: epoch 1: loss", {true, true});
  CHECK(out.length == 4);
  CHECK(out.rank == 12);
  CHECK(out.is_error);
  CHECK(srun->tag(" 3: x", {}).rank == 3);
  CHECK(srun->tag("1: loss", {false, false}).length == 0);
  for (const char* cut : {"", " ", "1", "12:"}) {
    CAPTURE(cut);
    CHECK(srun->tag(cut, {}).is_cut);
  }
  for (const char* none : {"srun: error: vm: task 1: Killed", "12 epochs", "  text"}) {
    CAPTURE(none);
    CHECK(srun->tag(none, {}).length == 0);
    CHECK_FALSE(srun->tag(none, {}).is_cut);
  }
}

TEST_CASE("srun names the task that failed first; those that it then ends are no failures of their own") {
  const auto failed = makeSrun();
  const auto end = failed->heed("srun: error: vm: task 1: Exited with exit code 7");
  REQUIRE(end);
  CHECK(end->rank == 1);
  CHECK(end->exit_code == 7);
  CHECK(end->signal == 0);
  CHECK_FALSE(failed->heed("srun: launch/slurm: _step_signal: Terminating StepId=3.0"));
  CHECK_FALSE(failed->heed("srun: error: vm: task 0: Terminated"));
  CHECK_FALSE(failed->wasEndedFromOutside({143, 0}));

  const auto killed = makeSrun()->heed("srun: error: vm: tasks 2,5-6: Killed");
  REQUIRE(killed);
  CHECK(killed->rank == 2);
  CHECK(killed->signal == 9);
  const auto crashed = makeSrun()->heed("srun: error: node-7: task 10: Segmentation fault (core dumped)");
  REQUIRE(crashed);
  CHECK(crashed->rank == 10);
  CHECK(crashed->signal == 11);
  CHECK_FALSE(makeSrun()->heed("srun: error: Unable to allocate resources: Invalid partition name specified"));
}

TEST_CASE("a step that somebody cancelled was ended from outside, and no task is to blame") {
  const auto cancelled = makeSrun();
  CHECK_FALSE(cancelled->heed("srun: Job step aborted: Waiting up to 32 seconds for job step to finish."));
  CHECK_FALSE(cancelled->heed("srun: error: vm: tasks 0-1: Terminated"));
  CHECK(cancelled->wasEndedFromOutside({143, 0}));
  const auto stopped = makeSrun();
  CHECK_FALSE(stopped->heed("srun: forcing job termination"));
  CHECK_FALSE(stopped->heed("srun: error: vm: tasks 0-1: Exited with exit code 137"));
  CHECK(stopped->wasEndedFromOutside({137, 0}));
  const auto refused = makeSrun();
  (void)refused->heed("srun: error: Unable to allocate resources: Invalid partition name specified");
  CHECK_FALSE(refused->wasEndedFromOutside({1, 0}));
  CHECK(refused->words() == "srun: error: Unable to allocate resources: Invalid partition name specified");
}
