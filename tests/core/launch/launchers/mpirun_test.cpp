// SPDX-License-Identifier: Apache-2.0
#include "core/launch/launchers/launcher.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace shardlens;

namespace {

const LaunchSite kSite{"/usr/bin/mpirun", "/opt/sl/mpi_rank", "/dev/shm/job/spec.yaml", "/dev/shm/job", 8, false, 0};

PipelineSpec worldOf(std::int64_t nodes, std::int64_t ranks_per_node) {
  PipelineSpec spec;
  spec.world = {nodes, ranks_per_node};
  return spec;
}

Launch launchOf(const PipelineSpec& spec, const LaunchSite& site) {
  return makeMpirun()->launch(spec, site, {}).value();
}

LaunchCommand launchCommand(const PipelineSpec& spec, const LaunchSite& site,
                            const std::vector<std::string>& command = {}) {
  const Launch launch = makeMpirun()->launch(spec, site, command).value();
  REQUIRE(launch.processes.size() == 1);
  CHECK(launch.processes.front().rank == -1);
  return launch.processes.front();
}

bool has(const LaunchCommand& command, const std::vector<std::string>& run) {
  return std::search(command.arguments.begin(), command.arguments.end(), run.begin(), run.end()) !=
         command.arguments.end();
}

}  // namespace

TEST_CASE("the launch starts every rank of the spec on our program") {
  const auto command = launchCommand(worldOf(1, 4), kSite);
  CHECK(command.arguments.front() == "/usr/bin/mpirun");
  CHECK(has(command, {"-n", "4"}));
  CHECK(has(command, {"--bind-to", "none"}));
  CHECK(has(command, {"/opt/sl/mpi_rank", "--spec", "/dev/shm/job/spec.yaml", "--job-dir", "/dev/shm/job"}));
  CHECK(has(command, {"--mca", "oob_tcp_keepalive_time", "10"}));
  CHECK(command.environment.empty());
  CHECK(launchOf(worldOf(1, 4), kSite).notes.empty());
}

TEST_CASE("more ranks than cores yield when idle, and the launch says that nodes are emulated") {
  const auto command = launchCommand(worldOf(2, 8), kSite);
  CHECK(has(command, {"--mca", "mpi_yield_when_idle", "1"}));
  CHECK(has(command, {"--oversubscribe"}));
  const auto notes = launchOf(worldOf(2, 8), kSite).notes;
  REQUIRE(notes.size() == 1);
  CHECK(notes[0] == "2 nodes are emulated on one host: node and local rank come from the spec.");
  CHECK_FALSE(has(launchCommand(worldOf(1, 8), kSite), {"mpi_yield_when_idle"}));
}

TEST_CASE("root's permission is given only to root, and the user's command takes the place of ours") {
  LaunchSite site = kSite;
  site.is_root = true;
  const auto command = launchCommand(worldOf(1, 2), site, {"python3", "train.py", "it's"});
  CHECK(command.environment.size() == 2);
  CHECK(command.arguments.back() == "it's");
  CHECK_FALSE(has(command, {"/opt/sl/mpi_rank"}));
  const std::string text = command.text();
  CHECK(text.rfind("OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 /usr/bin/mpirun -n 2 ", 0) == 0);
  CHECK(text.find("python3 train.py 'it'\\''s'") != std::string::npos);
  CHECK(has(command, {"-x", "MASTER_ADDR=127.0.0.1", "-x", "MASTER_PORT=0", "/bin/sh", "-c"}));
}

TEST_CASE("mpirun's tags are known, others are none, and a tag that has not wholly come yet may be one") {
  const auto mpirun = makeMpirun();
  const OutputTag out = mpirun->tag("[1,12]<stdout>:epoch 3: loss 0.5", {});
  CHECK(out.length == 15);
  CHECK(out.rank == 12);
  CHECK_FALSE(out.is_error);
  CHECK(mpirun->tag("[1,0]<stderr>:", {}).is_error);
  for (const char* none :
       {"mpirun noticed", "[1,x]<stdout>:a", "[1,2<stdout>:a", "[1,2]<stdxx>:", " [1,2]<stdout>:", ""}) {
    CAPTURE(none);
    CHECK(mpirun->tag(none, {}).length == 0);
    CHECK(mpirun->tag(none, {}).is_cut == (*none == 0));
  }
  const std::string whole = "[1,12]<stderr>:";
  for (std::size_t length = 1; length < whole.size(); ++length) {
    CAPTURE(length);
    CHECK(mpirun->tag(whole.substr(0, length), {}).length == 0);
    CHECK(mpirun->tag(whole.substr(0, length), {}).is_cut);
  }
}

TEST_CASE("mpirun says which rank a signal ended") {
  const auto mpirun = makeMpirun();
  CHECK_FALSE(mpirun->heed("--------------------------------------------------------------------------"));
  CHECK(mpirun->words().empty());
  const auto end =
      mpirun->heed("mpirun noticed that process rank 1 with PID 0 on node vm exited on signal 9 (Killed).");
  REQUIRE(end);
  CHECK(end->rank == 1);
  CHECK(end->signal == 9);
  CHECK(end->exit_code == 0);
  CHECK(mpirun->words().rfind("mpirun noticed", 0) == 0);
}

TEST_CASE("mpirun says in two lines which rank ended with which code") {
  const auto mpirun = makeMpirun();
  CHECK_FALSE(mpirun->heed("  Exit code:    7"));  // of whom?
  CHECK_FALSE(mpirun->heed("Primary job  terminated normally, but 1 process returned"));
  CHECK_FALSE(mpirun->heed("  Process name: [[26278,1],3]"));
  const auto end = mpirun->heed("  Exit code:    9");
  REQUIRE(end);
  CHECK(end->rank == 3);
  CHECK(end->exit_code == 9);
  CHECK(end->signal == 0);
  CHECK_FALSE(mpirun->heed("  Exit code:    9"));
}

TEST_CASE("an mpirun that ends without naming a rank was ended by somebody else") {
  const auto mpirun = makeMpirun();
  CHECK(mpirun->wasEndedFromOutside({137, 9}));
  CHECK(mpirun->wasEndedFromOutside({1, 0}));
  CHECK_FALSE(mpirun->wasEndedFromOutside({0, 0}));
  CHECK_FALSE(mpirun->wasEndedFromOutside({137, 0}));  // a rank's signal, as its exit code says it
  (void)mpirun->heed("There are not enough slots available in the system");
  CHECK_FALSE(mpirun->wasEndedFromOutside({1, 0}));
}
