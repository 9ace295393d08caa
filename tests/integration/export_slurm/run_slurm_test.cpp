// SPDX-License-Identifier: Apache-2.0
// `shardlens run --launcher srun` below a real srun. one_host_slurm.py brings Slurm up and starts this program.
#include "tests/integration/launched_job.h"

#include <doctest/doctest.h>

TEST_CASE("srun: ends, slow and dead ranks, and exit codes are told as they are") {
  shardlens::test::checkLauncher("srun");
}
