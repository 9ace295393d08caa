// SPDX-License-Identifier: Apache-2.0
// The exported loader.py below a real srun. one_host_slurm.py brings Slurm up and starts this program.
#include "tests/integration/exported_training.h"
#include "tests/support/process.h"

#include <doctest/doctest.h>

#include <string>

using namespace shardlens::test;

namespace {

const std::string kUnknownRank = "nothing says which of 4 ranks this process is";

/// A batch script of this one line in an allocation of four tasks; waits for its end and prints what it said.
std::string inBatchScript(const std::string& line) {
  return "sh -c 'OMP_NUM_THREADS=1 sbatch -Q -W -n 4 -o said --wrap \"" + line + "\"; code=$?; cat said; exit $code'";
}

}  // namespace

TEST_CASE("srun: every rank reads its planned batches") {
  Training(distributed(4), "env OMP_NUM_THREADS=1 srun -n 4 " + kPythonTrain).checkPlanned();
}

TEST_CASE("srun, torchrun or mpirun in a batch script: every rank reads its planned batches") {
  Training(global(4), inBatchScript("srun " + kPythonTrain)).checkPlanned();
  Training(distributed(4), inBatchScript("env PET_REDIRECTS=1 PET_TEE=1 " + std::string(kPython) +
                                         " -m torch.distributed.run --master_addr=127.0.0.1 "
                                         "--master_port=$MASTER_PORT --nproc_per_node=4 train.py"))
      .checkPlanned();
  if (runShell("command -v mpirun").code != 0) return;
  Training(distributed(4),
           inBatchScript("env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun -n 4 " + kPythonTrain))
      .checkPlanned();
}

TEST_CASE("a batch script that starts the training without srun: an error, and not rank 0's share") {
  Training(distributed(4), inBatchScript(kPythonTrain)).checkRefused(kUnknownRank);
}

TEST_CASE("the exported batch scripts start the ranks on their planned batches") {
  const auto submitted = [](const std::string& target, const std::string& file) {
    return "sh -c '" + kProgram + " export spec.yaml --to " + target + " --python " + kPython + " -o " + file +
           " 2>notes && PET_REDIRECTS=1 PET_TEE=1 OMP_NUM_THREADS=1 sbatch -Q -W " + file +
           "; code=$?; cat four-*.out four-*.err; exit $code'";
  };
  Training(global(4), submitted("slurm", "job.sbatch")).checkPlanned();
  Training(distributed(4), submitted("slurm-torchrun", "torchrun.sbatch")).checkPlanned();
}

TEST_CASE("an allocation in which nothing starts the ranks: an error, and nobody's share") {
  Training(distributed(4), "salloc -Q -n 4 " + kPythonTrain).checkRefused(kUnknownRank);
}

TEST_CASE("srun that starts another number of tasks than planned: an error on every rank") {
  Training(distributed(4), "env OMP_NUM_THREADS=1 srun -n 3 " + kPythonTrain)
      .checkRefused("planned for a world size of 4; SLURM_PROCID says 3");
}

TEST_CASE("tasks of srun that are not told their rank: an error on every rank") {
  Training(distributed(4), "env OMP_NUM_THREADS=1 srun -n 2 env -u SLURM_PROCID " + kPythonTrain)
      .checkRefused(kUnknownRank);
}
