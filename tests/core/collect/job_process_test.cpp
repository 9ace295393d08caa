// SPDX-License-Identifier: Apache-2.0
#include "core/collect/job_process.h"

#include "core/collect/run_folder.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>

using namespace shardlens;
using namespace shardlens::test;

namespace {

int codeOf(JobProcess& job) {
  while (!job.exitCode()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  return *job.exitCode();
}

}  // namespace

TEST_CASE("a job that does not listen is ended by force, with everything below it") {
  const TempFolder folder;
  auto job = JobProcess::start({"/bin/sh", "-c",
                                "trap '' TERM; sh -c 'trap \"\" TERM; while :; do sleep 1; done' & "
                                "while :; do sleep 1; done"},
                               folder / "stubborn.log");
  REQUIRE(job);
  const pid_t pid = (*job)->id().pid;
  while (descendants(pid).size() < 2) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  const auto below = descendants(pid);
  endJob((*job)->id(), std::chrono::seconds(1));  // until force, and for it
  CHECK(codeOf(**job) == 128 + SIGKILL);
  for (const ProcessStat& process : below) CHECK_FALSE(isAlive(process.id));
}

TEST_CASE("what a supervisor says goes to its log, and its failure or else its last words are its reason") {
  const TempFolder folder;
  const auto missing = JobProcess::start({"/no/such/program"}, folder / "none.log");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().text().find("/no/such/program") != std::string::npos);
  const RunFolder files{folder.path()};
  auto job = JobProcess::start({"/bin/sh", "-c", "echo hello; echo 'no luck' >&2; exit 3"}, files.log());
  REQUIRE(job);
  CHECK(codeOf(**job) == 3);
  CHECK(files.lastWords() == "no luck");
  const std::string failing = "echo 'no disk' >\"$SHARDLENS_FAILURE_FILE\"; echo 'shardlens: no disk' >&2; exit 3";
  job = JobProcess::start({"/bin/sh", "-c", failing}, files.log());
  REQUIRE(job);
  CHECK(codeOf(**job) == 3);
  CHECK(files.lastWords() == "no disk");
}
