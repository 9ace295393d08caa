// SPDX-License-Identifier: Apache-2.0
// The exported loader.py below the launchers that really start jobs: every rank reads its planned batches. srun has a
// test of its own (export_slurm), and so has what each launcher says to its ranks (export_pytorch).
#include "tests/integration/exported_training.h"
#include "tests/support/process.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

using namespace shardlens::test;

namespace {

/// Whether the shell line works here; says loudly when it does not.
bool isHere(const std::string& line, const std::string& what) {
  const bool is_here = runShell(line).code == 0;
  if (!is_here) MESSAGE("SKIPPED: " << what);
  return is_here;
}

bool hasMpirun() {
  return isHere("command -v mpirun", "there is no mpirun on this machine");
}

}  // namespace

TEST_CASE("mpirun: every rank reads its planned batches, also inside a job of Slurm's") {
  if (!hasMpirun()) return;
  const std::string mpirun =
      "env OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n 2 ";
  Training(distributed(2), mpirun + "-x SLURM_PROCID=0 -x SLURM_NTASKS=2 " + kPythonTrain).checkPlanned();
}

TEST_CASE("shardlens run: every rank reads its planned batches with either launcher, and can join the others") {
  const std::string run = "env OMP_NUM_THREADS=1 " + kProgram + " run spec.yaml --run-file run.slrun --launcher ";
  Training(distributed(2), run + "plain -- " + kPythonTrain + " join").checkPlanned();
  if (!hasMpirun()) return;
  Training(global(2), run + "mpirun -- " + kPythonTrain + " join").checkPlanned();
}

TEST_CASE("shardlens run says to each rank where it is, whatever the shell says") {
  const std::string stale =
      "env RANK=9 WORLD_SIZE=9 LOCAL_RANK=9 LOCAL_WORLD_SIZE=9 MASTER_ADDR=nowhere MASTER_PORT=1 " + kProgram +
      " run spec.yaml --run-file run.slrun --launcher ";
  const std::string tells =
      " -- sh -c 'echo $WORLD_SIZE $LOCAL_RANK $LOCAL_WORLD_SIZE $MASTER_ADDR > said$RANK; echo $MASTER_PORT > "
      "port$RANK'";
  for (const std::string launcher : {"plain", "torchrun", "mpirun"}) {
    CAPTURE(launcher);
    if (launcher == "torchrun" && !isHere("command -v torchrun", "there is no torchrun on this machine")) continue;
    if (launcher == "mpirun" && !hasMpirun()) return;
    const Training told(distributed(4, 2), stale + launcher + tells);
    INFO(told.finished.out);
    CHECK(told.finished.code == 0);
    const std::string port = slurp(told.folder / "port0");
    CHECK(port != "1\n");
    for (int rank = 0; rank < 4; ++rank) {
      CAPTURE(rank);
      CHECK(slurp(told.folder / ("said" + std::to_string(rank))) == "4 " + std::to_string(rank % 2) + " 2 127.0.0.1\n");
      CHECK(slurp(told.folder / ("port" + std::to_string(rank))) == port);
      CHECK(std::atoi(port.c_str()) > 0);
    }
  }
}

TEST_CASE("the exported scripts start the ranks on their planned batches") {
  const auto script = [](const std::string& target) {
    // Debian's torchrun needs to be told where the output goes.
    return "sh -c '" + kProgram + " export spec.yaml --to " + target + " -o start.sh --python " + kPython +
           " 2>notes && OMP_NUM_THREADS=1 PET_REDIRECTS=1 PET_TEE=1 OMPI_ALLOW_RUN_AS_ROOT=1 "
           "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 bash start.sh'";
  };
  Training(distributed(2), script("torchrun")).checkPlanned();
  if (isHere("command -v mpiexec.hydra", "there is no MPICH on this machine"))
    Training(global(2), script("mpich")).checkPlanned();
  if (!hasMpirun()) return;
  Training(global(2), script("openmpi")).checkPlanned();
}
