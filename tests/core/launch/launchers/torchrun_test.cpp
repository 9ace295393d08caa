// SPDX-License-Identifier: Apache-2.0
#include "core/launch/launchers/launcher.h"
#include "core/launch/launchers/typed_command.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace shardlens;

namespace {

LaunchCommand commandFor(const std::vector<std::string>& command) {
  PipelineSpec spec;
  spec.world = {2, 2};
  const LaunchSite site{
      "/usr/bin/torchrun", "/opt/sl/socket_rank", "/dev/shm/job/spec.yaml", "/dev/shm/job", 8, false, 29'500};
  const Launch launch = makeTorchrun()->launch(spec, site, command).value();
  REQUIRE(launch.processes.size() == 1);
  CHECK(launch.processes.front().rank == -1);
  return launch.processes.front();
}

bool has(const LaunchCommand& command, const std::string& word) {
  return std::find(command.arguments.begin(), command.arguments.end(), word) != command.arguments.end();
}

}  // namespace

TEST_CASE("torchrun starts every rank once, on this host, and the place of a rank is the spec's") {
  const LaunchCommand own = commandFor({});
  CHECK(own.arguments.front() == "/usr/bin/torchrun");
  for (const char* word : {"--nproc_per_node=4", "--nnodes=1", "--max_restarts=0", "--master_port=29500", "--no_python",
                           "/opt/sl/socket_rank"}) {
    CAPTURE(word);
    CHECK(has(own, word));
  }
  CHECK(own.text().find("LOCAL_RANK=$((RANK % 2)) LOCAL_WORLD_SIZE=2") != std::string::npos);
  CHECK(own.text().starts_with("SHARDLENS_JOB_DIR=/dev/shm/job "));
  const LaunchCommand theirs = commandFor({"python3", "train.py"});
  CHECK(has(theirs, "train.py"));
  CHECK_FALSE(has(theirs, "/opt/sl/socket_rank"));
}

TEST_CASE("torchrun's tags are known on both of its outputs, wherever a piece of text begins") {
  const auto torchrun = makeTorchrun();
  const OutputTag out = torchrun->tag("[default12]:epoch 1", {true, false});
  CHECK(out.length == 12);
  CHECK(out.rank == 12);
  CHECK_FALSE(out.is_error);
  CHECK(torchrun->tag("[default0]:x", {false, true}).is_error);
  CHECK(torchrun->tag("[default", {}).is_cut);
  CHECK(torchrun->tag("[default3", {}).is_cut);
  for (const char* none : {"WARNING:torch", "[defaultx]:a", "[trainer0]:a", "hello"}) {
    CAPTURE(none);
    CHECK(torchrun->tag(none, {}).length == 0);
    CHECK_FALSE(torchrun->tag(none, {}).is_cut);
  }
}

TEST_CASE("torchrun names the rank that failed first, with its code or its signal") {
  const auto failed = makeTorchrun();
  for (const char* line :
       {"WARNING:torch.distributed.run:", "*****************************************",
        "Setting OMP_NUM_THREADS environment variable for each process to be 1 in default",
        "WARNING:torch.distributed.elastic.multiprocessing.api:Sending process 5 closing signal SIGTERM"})
    CHECK_FALSE(failed->heed(line));
  CHECK(failed->words().empty());
  const auto end = failed->heed(
      "ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: 7) local_rank: 1 (pid: 30754) of binary: "
      "/bin/sh");
  REQUIRE(end);
  CHECK(end->rank == 1);
  CHECK(end->exit_code == 7);
  CHECK(end->signal == 0);
  CHECK_FALSE(failed->heed("failed (exitcode: 9) local_rank: 0 (pid: 1) of binary: /bin/sh"));
  CHECK_FALSE(failed->wasEndedFromOutside({1, 0}));

  const auto killed = makeTorchrun()->heed(
      "E1122 20:10:28.000000 140 torch/distributed/elastic/multiprocessing/api.py:826] failed (exitcode: -9) "
      "local_rank: 3 (pid: 30898) of binary: /bin/sh");
  REQUIRE(killed);
  CHECK(killed->rank == 3);
  CHECK(killed->exit_code == 0);
  CHECK(killed->signal == 9);
}

TEST_CASE("a torchrun that was asked to end was ended from outside, one that says what is wrong was not") {
  const auto asked = makeTorchrun();
  (void)asked->heed("torch.distributed.elastic.multiprocessing.api.SignalException: Process 30976 got signal: 15");
  CHECK(asked->wasEndedFromOutside({1, 0}));
  CHECK(makeTorchrun()->wasEndedFromOutside({137, 9}));
  const auto typed = makeTypedCommand("torchrun");
  CHECK_FALSE(typed->wasEndedFromOutside({1, 0}));
  (void)typed->heed("torch.distributed.elastic.multiprocessing.api.SignalException: Process 2531 got signal: 15");
  CHECK(typed->wasEndedFromOutside({1, 0}));
  const auto wrong = makeTorchrun();
  (void)wrong->heed("Traceback (most recent call last):");
  (void)wrong->heed("  File \"/usr/bin/torchrun\", line 33, in <module>");
  (void)wrong->heed("ModuleNotFoundError: No module named 'torch'");
  CHECK(wrong->words() == "ModuleNotFoundError: No module named 'torch'");
  CHECK_FALSE(wrong->wasEndedFromOutside({1, 0}));
}
