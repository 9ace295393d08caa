// SPDX-License-Identifier: Apache-2.0
// Every launcher but srun, which has a test of its own (export_slurm), with real jobs.
#include "tests/integration/job.h"
#include "tests/integration/launched_job.h"
#include "tests/support/process.h"

#include <doctest/doctest.h>

#include <string>

using namespace shardlens::test;

TEST_CASE("plain: ends, slow and dead ranks, and exit codes are told as they are") {
  checkLauncher("plain");
}

TEST_CASE("torchrun: ends, slow and dead ranks, and exit codes are told as they are") {
  if (runShell("command -v torchrun").code != 0) {
    MESSAGE("SKIPPED: there is no torchrun on this machine");
    return;
  }
  checkLauncher("torchrun");
}

TEST_CASE("mpirun starts the program that needs no MPI, too") {
  if (!hasMpirun()) return;
  RunningJob job(specOf(3, 36, "program: socket_rank, load_ms: 2, compute_ms: 3"), {"--launcher", "mpirun"});
  CHECK(job.wait() == 0);
  CHECK(jsonOf("verify " + job.specFile() + " " + job.runFile()).second["result"] == "match");
}

TEST_CASE("the program in place of mpi_rank is said") {
  RunningJob job(specOf(2, 16), {"--launcher", "plain"});
  CHECK(job.wait() == 0);
  CHECK(job.errors().find("The launcher plain does not start MPI: socket_rank runs in place of mpi_rank.") !=
        std::string::npos);
}
