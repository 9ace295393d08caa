// SPDX-License-Identifier: Apache-2.0
#include "core/launch/launch_command.h"
#include "core/launch/launchers/launcher.h"
#include "tests/support/process.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using namespace shardlens;

namespace {

PipelineSpec twoNodes() {
  PipelineSpec spec;
  spec.world = {2, 3};
  return spec;
}

LaunchSite siteAt(int port) {
  LaunchSite site;
  site.program = "/usr/bin/python3";
  site.job_dir = "/dev/shm/job";
  site.cores = 4;
  site.port = port;
  return site;
}

std::string valueOf(const LaunchCommand& command, const std::string& name) {
  for (const auto& [key, value] : command.environment) {
    if (key == name) return value;
  }
  return "absent";
}

}  // namespace

TEST_CASE("every rank is a process of its own with the environment that torch.distributed reads") {
  const auto launch = makePlain()->launch(twoNodes(), siteAt(29500), {"python3", "train.py"});
  REQUIRE(launch);
  REQUIRE(launch->processes.size() == 6);
  for (std::int64_t rank = 0; rank < 6; ++rank) {
    const LaunchCommand& process = launch->processes[static_cast<std::size_t>(rank)];
    CHECK(process.rank == rank);
    CHECK(process.arguments == std::vector<std::string>{"/usr/bin/python3", "train.py"});
    CHECK(valueOf(process, "RANK") == std::to_string(rank));
    CHECK(valueOf(process, "WORLD_SIZE") == "6");
    CHECK(valueOf(process, "LOCAL_RANK") == std::to_string(rank % 3));
    CHECK(valueOf(process, "LOCAL_WORLD_SIZE") == "3");
    CHECK(valueOf(process, "MASTER_ADDR") == "127.0.0.1");
    CHECK(valueOf(process, "MASTER_PORT") == "29500");
    CHECK(valueOf(process, "SHARDLENS_JOB_DIR") == "/dev/shm/job");
  }
  CHECK(launch->notes ==
        std::vector<std::string>{"2 nodes are emulated on one host: node and local rank come from the spec."});
}

TEST_CASE("without a command every rank runs the program of ours that needs no MPI") {
  LaunchSite site = siteAt(29500);
  site.program = "/opt/sl/socket_rank";
  site.spec_file = "/dev/shm/job/spec.yaml";
  const auto launch = makePlain()->launch(twoNodes(), site, {});
  REQUIRE(launch);
  CHECK(launch->processes.front().arguments == std::vector<std::string>{"/opt/sl/socket_rank", "--spec",
                                                                        "/dev/shm/job/spec.yaml", "--job-dir",
                                                                        "/dev/shm/job"});
  CHECK(findLauncher(**launcherKind("plain")).value().empty());
}

TEST_CASE("where a launcher starts no MPI, the program that needs none takes the place of mpi_rank, and of no other") {
  for (const LauncherKind& kind : launcherKinds()) {
    CAPTURE(kind.name);
    CHECK(ownProgram(kind, "socket_rank").value() == "socket_rank");
    CHECK(ownProgram(kind, "mpi_rank").value() == (kind.starts_mpi ? "mpi_rank" : "socket_rank"));
    CHECK(ownProgram(kind, "nccl_rank").has_value() == kind.starts_mpi);
  }
  CHECK(ownProgram(**launcherKind("srun"), "nccl_rank").error().code == ErrorCode::Usage);
}

TEST_CASE("a free port is a port") {
  const auto port = freePort();
  REQUIRE(port);
  CHECK(*port > 1023);
  CHECK(*port < 65536);
}

TEST_CASE("nodes with different numbers of ranks: a rank has the place of its own node, whatever starts it") {
  PipelineSpec spec;
  spec.world = {3, RanksPerNode({2, 1, 3})};
  const LaunchSite site{"", "/opt/sl/socket_rank", "/dev/shm/job/spec.yaml", "/dev/shm/job", 8, false, 29'500};
  const Launch launch = makePlain()->launch(spec, site, {}).value();
  REQUIRE(launch.processes.size() == 6);
  for (std::int64_t rank = 0; rank < 6; ++rank) {
    CAPTURE(rank);
    const auto& environment = launch.processes[static_cast<std::size_t>(rank)].environment;
    const std::string local = std::to_string(spec.localRankOf(Rank{rank}));
    const std::string size = std::to_string(spec.world.ranksOn(spec.nodeOf(Rank{rank})));
    CHECK(std::ranges::count(environment, std::pair<std::string, std::string>("LOCAL_RANK", local)) == 1);
    CHECK(std::ranges::count(environment, std::pair<std::string, std::string>("LOCAL_WORLD_SIZE", size)) == 1);
    const std::vector<std::string> shell = rankPlace(spec, "MY_RANK", "MY_SIZE", "echo $LOCAL_RANK $LOCAL_WORLD_SIZE");
    const std::string command = "MY_RANK=" + std::to_string(rank) + " MY_SIZE=6 /bin/sh -c '" + shell.at(2) + "'";
    CHECK(test::runShell(command).out == local + " " + size + "\n");
  }
}
