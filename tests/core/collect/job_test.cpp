// SPDX-License-Identifier: Apache-2.0
#include "core/collect/job.h"

#include "core/collect/run_folder.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

using namespace shardlens;
using namespace shardlens::test;
namespace fs = std::filesystem;

namespace {

Plan planOf(const std::string& name = "a job") {
  PipelineSpec spec;
  spec.name = name;
  spec.dataset.size = 64;
  spec.world.ranks_per_node = 2;
  return Plan::make(spec).value();
}

}  // namespace

TEST_CASE("what is asked for is a command that one can type") {
  JobRequest request;
  request.spec = "my spec.yaml";
  CHECK(commandText(runArguments(request)) == "shardlens run 'my spec.yaml'");
  request.launcher = "mpirun";
  request.run_file = "out.slrun";
  request.command = {"python3", "train.py", "--lr", "3"};
  CHECK(commandText(runArguments(request)) ==
        "shardlens run 'my spec.yaml' --launcher mpirun --run-file out.slrun -- python3 train.py --lr 3");
  request.environment = {{"A", "1"}, {"B", "x y"}};
  CHECK(commandText(runArguments(request)).ends_with(" -- A=1 'B=x y' python3 train.py --lr 3"));
}

TEST_CASE("a recording's name is the spec's with the time, and never one that is taken") {
  const TempFolder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  const fs::path first = freeRunFile("a/b c");
  CHECK(first.string().rfind("a-b-c-20", 0) == 0);
  CHECK(first.extension() == ".slrun");
  spill(first, "x");
  CHECK_FALSE(fs::exists(freeRunFile("a/b c")));
  CHECK(freeRunFile("").string().rfind("run-20", 0) == 0);
  CHECK(freeRunFile("..").string().rfind("run..-20", 0) == 0);
  fs::current_path(before);
}

TEST_CASE("a job has a folder with its spec, and a beginning that says what was launched") {
  JobRequest request;
  request.spec = "spec.yaml";
  request.command = {"sh", "-c", "true"};
  fs::path folder;
  {
    request.launcher = "mpirun";
    const auto job = makeJob(planOf(), request);
    REQUIRE(job);
    folder = job->dir.path();
    CHECK(slurp(folder / "spec.yaml") == job->begin.spec_yaml);
    CHECK(job->begin.name == "a job");
    CHECK(job->begin.job_id == job->dir.id());
    CHECK(job->begin.command == "shardlens run spec.yaml --launcher mpirun -- sh -c true");
    CHECK(job->begin.world_size == 2);
    CHECK(job->begin.planned_steps == *planOf().steps(Epoch{0}) * planOf().epochs());
    CHECK_FALSE(job->begin.reports);
    CHECK_FALSE(job->is_own_program);
    CHECK(job->launcher->name() == std::string("mpirun"));
  }
  CHECK_FALSE(fs::exists(folder));
}

TEST_CASE("a command without a spec is a job of its own, run as it was typed") {
  JobRequest request;
  request.command = {"sh", "folder/train.py", "--lr", "3"};
  request.run_file = "run.slrun";
  const auto job = makeCommandJob(request);
  REQUIRE(job);
  REQUIRE(job->launch);
  REQUIRE(job->launch->processes.size() == 1);
  const LaunchCommand& process = job->launch->processes.front();
  CHECK(process.rank == -1);
  CHECK(process.arguments.at(0) == findProgram("sh").value());
  CHECK(process.arguments.at(3) == "3");
  CHECK(job->begin.name == "train");
  CHECK(job->begin.command == "shardlens run --run-file run.slrun -- sh folder/train.py --lr 3");
  CHECK(job->begin.world_size == 0);
  CHECK_FALSE(job->begin.reports);
  CHECK_FALSE(job->is_own_program);
  request.command = {"no-such-program-here"};
  const auto missing = makeCommandJob(request);
  REQUIRE(missing);
  CHECK(missing->launch.error().code == ErrorCode::Environment);
}

TEST_CASE("the environment of a command is given to it alone, beside what the probes need") {
  JobRequest request;
  request.command = {"sh", "-c", "true"};
  request.environment = {{"A", "1"}, {"PYTHONPATH", "/mine"}, {"SHARDLENS_RINGS", "/mine"}, {"PATH", "/nowhere:/bin"}};
  request.run_file = "run.slrun";
  const auto job = makeCommandJob(request);
  REQUIRE(job);
  REQUIRE(job->launch);
  const LaunchCommand& process = job->launch->processes.front();
  CHECK(process.arguments.front() == "/bin/sh");
  std::map<std::string, std::string> given;
  for (const auto& [name, value] : process.environment) CHECK(given.emplace(name, value).second);
  CHECK(given.at("A") == "1");
  CHECK(given.at("PYTHONPATH").ends_with(":/mine"));
  CHECK(given.at("SHARDLENS_RINGS") != "/mine");
  CHECK(std::getenv("A") == nullptr);
  request.launcher = "plain";
  const auto ranks = makeJob(planOf(), request);
  REQUIRE(ranks);
  REQUIRE(ranks->launch);
  REQUIRE(ranks->launch->processes.size() == 2);
  CHECK(variable("A", ranks->launch->processes[1].environment) == std::string("1"));
  CHECK(variable("RANK", ranks->launch->processes[1].environment) == std::string("1"));
}

TEST_CASE("a command with a spec and no launcher runs once, as it was typed, and the spec is what it is held against") {
  JobRequest request;
  request.spec = "spec.yaml";
  request.command = {"sh", "-c", "true"};
  const auto job = makeJob(planOf(), request);
  REQUIRE(job);
  CHECK(job->begin.name == "a job");
  CHECK(job->begin.spec_yaml.find("dataset: {size: 64}") != std::string::npos);
  CHECK(job->begin.world_size == 0);
  REQUIRE(job->launch);
  CHECK(job->launch->processes.size() == 1);
  CHECK(job->launch->processes[0].arguments.back() == "true");
}

TEST_CASE("what this machine cannot start is a job all the same, and says why") {
  const char* const path = std::getenv("PATH");
  const std::string before = path != nullptr ? path : "";
  setenv("PATH", "/nowhere", 1);
  JobRequest request;
  request.spec = "spec.yaml";
  const auto job = makeJob(planOf(), request);
  setenv("PATH", before.c_str(), 1);
  REQUIRE(job);
  REQUIRE_FALSE(job->launch);
  CHECK(job->launch.error().code == ErrorCode::Environment);
  CHECK(job->launch.error().hint == "install Open MPI: apt-get install openmpi-bin");
}

TEST_CASE("thousands of ranks on one host are refused before anything is made") {
  PipelineSpec spec;
  spec.dataset.size = 100'000;
  spec.world = {100, 8000};
  const auto job = makeJob(Plan::make(spec).value(), {});
  REQUIRE_FALSE(job);
  CHECK(job.error().code == ErrorCode::Usage);
  CHECK(job.error().message.find("800\u202f000 ranks would all be started on this host") == 0);
}

TEST_CASE("a launcher that nobody knows is refused") {
  JobRequest request;
  request.launcher = "carrier-pigeon";
  const auto job = makeJob(planOf(), request);
  REQUIRE_FALSE(job);
  CHECK(job.error().code == ErrorCode::Usage);
}

TEST_CASE("what tests record is listed in a folder of their own") {
  CHECK(fs::equivalent(runsRoot().parent_path(), fs::temp_directory_path()));
}

TEST_CASE("runs are listed newest first, with their time") {
  const TempFolder root;
  const auto old = root / "old-20200102-030405";
  const auto later = root / "new-20200103-030405-2";
  for (const fs::path& folder : {old, later, root / "strange"}) {
    fs::create_directory(folder);
    spill(RunFolder{folder}.runFile(), "x");
  }
  fs::create_directory(root / "empty-20220102-030405");
  const auto runs = knownRuns(root.path());
  REQUIRE(runs.size() == 3);
  CHECK(runs[0].name == "new");
  CHECK(runs[1].name == "old");
  CHECK(runs[0].started_s - runs[1].started_s == 86400);  // in every time zone
  CHECK(runs[2].name == "strange");
  CHECK(runs[2].started_s == 0);
  CHECK(knownRuns(root.path(), 1).size() == 1);
}
