// SPDX-License-Identifier: Apache-2.0
#include "core/launch/launch_command.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace shardlens;

namespace {

const LaunchSite kSite{"/usr/bin/mpirun", "/opt/sl/mpi_rank", "/dev/shm/job/spec.yaml", "/dev/shm/job", 8, false};

PipelineSpec worldOf(std::int64_t nodes, std::int64_t ranks_per_node) {
  PipelineSpec spec;
  spec.world = {nodes, ranks_per_node};
  return spec;
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
  CHECK(command.notes.empty());
}

TEST_CASE("more ranks than cores yield when idle, and the launch says so") {
  const auto command = launchCommand(worldOf(2, 8), kSite);
  CHECK(has(command, {"--mca", "mpi_yield_when_idle", "1"}));
  CHECK(has(command, {"--oversubscribe"}));
  REQUIRE(command.notes.size() == 2);
  CHECK(command.notes[0] == "16 ranks share 8 cores: waits include the operating system's scheduling.");
  CHECK(command.notes[1] == "2 nodes emulated on one host: node and local rank come from the spec.");
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
}

TEST_CASE("a program is found as a shell finds it, and a missing one says what to do") {
  CHECK(*findProgram("sh") != "");
  CHECK(*findProgram("/bin/sh") == "/bin/sh");
  const auto missing = findProgram("no-such-program-here");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == ErrorCode::Environment);
  CHECK_FALSE(findProgram("/no/such/program"));
}
