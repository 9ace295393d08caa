// SPDX-License-Identifier: Apache-2.0
// The exported loader.py below the launchers that really start jobs: every rank reads its planned batches, or says that
// it does not know who it is.
#include "core/plan/plan.h"
#include "core/sampling/registry.h"
#include "core/yaml/spec_file.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

using namespace shardlens;
using namespace shardlens::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

const std::string kProgram = SHARDLENS_BIN_DIR "/shardlens";

constexpr const char* kDistributed =
    "shardlens: 2\nname: four\nframework: {torch: \"1.13\"}\ndataset: {size: 37}\nworld: {nodes: 1, ranks_per_node: "
    "4}\n"
    "loader: {batch_size: 3}\nsampler: {type: torch.DistributedSampler, shuffle: true, seed: 3, set_epoch: true}\n"
    "seeds: {base: 5, rule: base+rank}\nepochs: 2\n";
/// Its order comes from torch's global generator, which the training uses too.
constexpr const char* kGlobal =
    "shardlens: 2\nname: four\nframework: {torch: \"1.13\"}\ndataset: {size: 37}\nworld: {nodes: 1, ranks_per_node: "
    "4}\n"
    "loader: {batch_size: 3, num_workers: 1}\nsampler: {type: torch.RandomSampler}\n"
    "seeds: {base: 5, rule: base+rank}\nepochs: 3\n";

/// A training script: it seeds, makes a model, joins the others when it is asked to, and trains with dropout.
constexpr const char* kTrain = R"(
import json, os, sys
import loader
import torch
if "join" in sys.argv:
    torch.distributed.init_process_group("gloo")
    for name in ("RANK", "WORLD_SIZE", "LOCAL_RANK"):
        os.environ.pop(name, None)
loader.seed_everything()
model = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Dropout())
got = []
for epoch, step, batch in loader.batches(range(loader.SAMPLES)):
    model(batch[:, None].float().expand(-1, 3))
    got.append([epoch, step, batch.tolist()])
rank = loader.this_rank()
with open(f"rank{rank}.{os.getpid()}.json", "w") as file:
    json.dump(got, file)
)";

/// What each rank should read.
json plannedOf(const fs::path& spec_file) {
  const auto plan = Plan::make(yaml::readSpecFile(spec_file, sampling::catalogue()).read.spec).value();
  json ranks = json::object();
  for (Rank rank{0}; rank.value < plan.worldSize(); ++rank) {
    json& batches = ranks["rank" + std::to_string(rank.value)] = json::array();
    for (Epoch epoch{0}; epoch.value < plan.epochs(); ++epoch) {
      const auto slice = plan.rankEpoch(epoch, rank).value();
      for (Step step{0}; step.value < slice.batches(); ++step)
        batches.push_back({epoch.value, step.value, slice.batchSamples(step)});
    }
  }
  return ranks;
}

/// A folder with the spec, its loader.py and train.py; and what the ranks read when `line` starts them there.
struct Training {
  TempFolder folder;
  Finished finished;
  json planned;
  json read = json::object();
  std::size_t files = 0;

  Training(const std::string& spec, const std::string& line) {
    spill(folder / "spec.yaml", spec);
    spill(folder / "train.py", kTrain);
    const std::string there = "cd '" + folder.path().string() + "' && ";
    REQUIRE(runShell(there + kProgram + " export spec.yaml --to pytorch -o loader.py 2>&1").code == 0);
    planned = plannedOf(folder / "spec.yaml");
    finished =
        runShell(there + "env -u RANK -u WORLD_SIZE -u LOCAL_RANK PYTHONWARNINGS=ignore timeout 120 " + line + " 2>&1");
    for (const auto& entry : fs::directory_iterator(folder.path())) {
      const std::string name = entry.path().filename().string();
      if (!name.starts_with("rank")) continue;
      ++files;
      read[name.substr(0, name.find('.'))] = json::parse(slurp(entry.path()));
    }
  }

  void checkPlanned() const {
    INFO(finished.out);
    CHECK(finished.code == 0);
    CHECK(files == planned.size());
    CHECK(read == planned);
  }
};

const std::string kPythonTrain = std::string(kPython) + " train.py";

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

TEST_CASE("torchrun: every rank reads its planned batches, with dropout in the training") {
  // Debian's torchrun needs to be told where the output goes.
  const std::string torchrun = "env PET_REDIRECTS=1 PET_TEE=1 OMP_NUM_THREADS=1 " + std::string(kPython) +
                               " -m torch.distributed.run --standalone --nproc_per_node=4 train.py";
  Training(kDistributed, torchrun).checkPlanned();
  Training(kGlobal, torchrun + " join").checkPlanned();  // the process group says it, and no variable does
}

TEST_CASE("mpirun: every rank reads its planned batches, also inside a job of Slurm's") {
  if (!hasMpirun()) return;
  const std::string mpirun =
      "env OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n 4 ";
  Training(kGlobal, mpirun + kPythonTrain).checkPlanned();
  Training(kDistributed, mpirun + "-x SLURM_PROCID=0 -x SLURM_NTASKS=4 " + kPythonTrain).checkPlanned();
}

TEST_CASE("srun: every rank reads its planned batches") {
  if (!isHere("command -v srun >/dev/null && timeout 20 srun -n 1 true 2>/dev/null",
              "there is no Slurm that takes jobs on this machine"))
    return;
  Training(kDistributed, "env OMP_NUM_THREADS=1 srun --overcommit -n 4 " + kPythonTrain).checkPlanned();
  Training(kGlobal, "env OMP_NUM_THREADS=1 srun --overcommit -n 4 " + kPythonTrain).checkPlanned();
}

TEST_CASE("shardlens run: every rank reads its planned batches with either launcher, and can join the others") {
  const std::string run = "env OMP_NUM_THREADS=1 " + kProgram + " run spec.yaml --run-file run.slrun --launcher ";
  Training(kDistributed, run + "plain -- " + kPythonTrain + " join").checkPlanned();
  if (!hasMpirun()) return;
  Training(kGlobal, run + "mpirun -- " + kPythonTrain).checkPlanned();
  Training(kDistributed, run + "mpirun -- " + kPythonTrain + " join").checkPlanned();
}

TEST_CASE("what srun and the launchers of MPICH say gives each rank its planned batches, installed or not") {
  for (const std::string says : {"SLURM_PROCID=$i SLURM_NTASKS=4 SLURM_LOCALID=$i", "PMI_RANK=$i PMI_SIZE=4"}) {
    CAPTURE(says);
    Training(kGlobal, "sh -c 'for i in 0 1 2 3; do " + says + " OMP_NUM_THREADS=1 " + kPythonTrain + " & done; wait'")
        .checkPlanned();
  }
}

TEST_CASE("Lightning's own launcher says LOCAL_RANK and never RANK: planned batches on one node") {
  const std::string four = "sh -c 'for i in 0 1 2 3; do LOCAL_RANK=$i NODE_RANK=0 WORLD_SIZE=4 OMP_NUM_THREADS=1 " +
                           kPythonTrain + " & done; wait'";
  Training(kDistributed, four).checkPlanned();
}

TEST_CASE("Lightning's launcher on two nodes without NODE_RANK, or a process by itself: an error, and nobody's share") {
  std::string two = kDistributed;
  two.replace(two.find("nodes: 1, ranks_per_node: 4"), 27, "nodes: 2, ranks_per_node: 2");
  for (const std::string environment : {"LOCAL_RANK=1 WORLD_SIZE=4", "MASTER_PORT=1"}) {
    const Training alone(two, "env " + environment + " " + kPythonTrain);
    CHECK(alone.finished.code != 0);
    CHECK(alone.finished.out.find("nothing says which of 4 ranks this process is") != std::string::npos);
    CHECK(alone.read.empty());
  }
}

TEST_CASE("mpirun in a shell that has a RANK of its own: an error on every rank but that, and nobody's share") {
  if (!hasMpirun()) return;
  const Training training(kDistributed,
                          "env RANK=0 WORLD_SIZE=4 OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 "
                          "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n 4 " +
                              kPythonTrain);
  CHECK(training.finished.code != 0);
  CHECK(training.finished.out.find("unset the one that is left over from another launcher") != std::string::npos);
  CHECK(training.files <= 1);  // rank 0, whose share it is
}

TEST_CASE("the exported scripts start the ranks on their planned batches") {
  const auto script = [](const std::string& target) {
    return "sh -c '" + kProgram + " export spec.yaml --to " + target + " -o start.sh --python " + kPython +
           " 2>notes && OMP_NUM_THREADS=1 PET_REDIRECTS=1 PET_TEE=1 OMPI_ALLOW_RUN_AS_ROOT=1 "
           "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 bash start.sh'";
  };
  Training(kDistributed, script("torchrun")).checkPlanned();
  if (!hasMpirun()) return;
  Training(kGlobal, script("openmpi")).checkPlanned();
}
