// SPDX-License-Identifier: Apache-2.0
#include "tests/support/json_schema.h"
#include "tests/support/places.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

using namespace shardlens;
using test::runShell;
using test::slurp;
using test::spill;
using test::TempFolder;

namespace {

test::Finished runImport(const TempFolder& folder, const std::string& arguments) {
  return runShell("cd " + folder.path().string() + " && " + test::binDir() + "/shardlens import " + arguments);
}

}  // namespace

TEST_CASE("a command line becomes a spec that can be planned, with notes") {
  const TempFolder folder;
  const auto made =
      runImport(folder, "-o job.yaml --samples 1000 -- torchrun --nproc_per_node=4 'my train.py' --batch-size 32 2>&1");
  CHECK(made.code == 0);
  CHECK(made.out.find("Read:\n") != std::string::npos);
  CHECK(made.out.find("Assumed, since no file says it:\n") != std::string::npos);
  const auto plan = runShell("cd " + folder.path().string() + " && " + test::binDir() +
                             "/shardlens plan job.yaml --rank 3 --epoch 0");
  CHECK(plan.code == 0);
  CHECK(runImport(folder, "-o job.yaml -- torchrun train.py 2>&1").code == 2);
  CHECK(slurp(folder / "job.yaml").find("batch_size: 32") != std::string::npos);
  CHECK(runImport(folder, "-o job.yaml --force -- torchrun train.py 2>&1").code == 0);
}

TEST_CASE("files and JSON: the notes by kind, in the form of the schema") {
  const TempFolder folder;
  spill(folder / "job.sbatch", "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=4\nsrun python train.py\n");
  spill(folder / "args.yaml", "per_device_train_batch_size: 3\nseed: 5\n");
  const auto json = runImport(folder, "job.sbatch args.yaml --format json");
  CHECK(json.code == 0);
  CHECK(test::schemaProblemsOfText(json.out, "import.schema.json") == "");
  CHECK(json.out.find("Hugging Face Trainer") != std::string::npos);
  const auto text = runImport(folder, "job.sbatch args.yaml");
  CHECK(text.out.find("world: {nodes: 2, ranks_per_node: 4}") != std::string::npos);
}

TEST_CASE("mistakes are named") {
  const TempFolder folder;
  spill(folder / "letter.txt", "hello\n");
  CHECK(runImport(folder, "2>&1").out.find("neither a file nor a command") != std::string::npos);
  CHECK(runImport(folder, "letter.txt 2>&1").out.find("has nothing that can be imported") != std::string::npos);
  CHECK(runImport(folder, "none.sh 2>&1").code == 2);
  spill(folder / "trainer.yaml", "syntax_error: {text: boo}\ntrainer: {devices: 2}\n");
  CHECK(runImport(folder, "trainer.yaml").code == 0);
  CHECK(runImport(folder, "--samples 0 -- torchrun a.py 2>&1").code == 2);
}

TEST_CASE("a Python script says its loader, and a command the arguments that it has defaults for") {
  const TempFolder folder;
  spill(folder / "train.py",
        "import argparse, os, torch\n"
        "from torch.utils.data import DataLoader, DistributedSampler, TensorDataset\n"
        "parser = argparse.ArgumentParser()\n"
        "parser.add_argument('--bs', type=int, default=32)\n"
        "args = parser.parse_args()\n"
        "rank = int(os.environ['LOCAL_RANK'])\n"
        "torch.manual_seed(42 + rank)\n"
        "data = TensorDataset(torch.arange(1000))\n"
        "evaluation = DataLoader(data, batch_size=7)\n"
        "sampler = DistributedSampler(data, num_replicas=torch.cuda.device_count(), rank=rank)\n"
        "train_loader = DataLoader(data, args.bs, sampler=sampler, num_workers=int(os.environ['W']))\n"
        "for epoch in range(90):\n"
        "    for batch in train_loader:\n"
        "        pass\n");
  const std::string spec =
      "world: {nodes: 2, ranks_per_node: 4}\n"
      "loader: {batch_size: 64, num_workers: 0, drop_last: false}\n"
      "sampler: {type: torch.DistributedSampler, set_epoch: false, num_replicas: ranks_per_node, rank: local_rank}\n"
      "seeds: {base: 42, rule: base+local_rank}\n";
  const auto made = runImport(folder, "train.py -- torchrun --nnodes=2 --nproc_per_node=4 train.py --bs 64");
  CHECK(made.out.find(spec) != std::string::npos);
  CHECK(made.out.find("dataset: {size: 1000}") != std::string::npos);
  CHECK(made.out.find("#   loader.num_workers: train.py:11: num_workers=int(os.environ['W']): its value is not") !=
        std::string::npos);
  CHECK(made.out.find("there are others at train.py:9") != std::string::npos);
  CHECK(runImport(folder, "train.py").out.find("the default of the argument bs") != std::string::npos);
}

TEST_CASE("a script without a loader is refused by itself, and said by a command is a design") {
  const TempFolder folder;
  const auto said = [](const std::string& scripts) {
    return "There is no loader and no number of ranks in " + scripts +
           ": no call of DataLoader, TrainingArguments, Trainer or spawn says any.";
  };
  for (const std::string script : {"", "x = 1\n", "torch.manual_seed(1)\nfor epoch in range(3):\n  pass\n"}) {
    CAPTURE(script);
    spill(folder / "a.py", script);
    const auto alone = runImport(folder, "a.py --samples 10 2>&1");
    CHECK(alone.code == 2);
    CHECK_MESSAGE(alone.out.find(said("a.py")) != std::string::npos, alone.out);
    CHECK(alone.out.find("take the script that makes the loader, or what starts the job") != std::string::npos);
    CHECK(runImport(folder, "a.py -- torchrun --nproc_per_node=2 a.py").code == 0);
    const auto audit =
        runShell("cd " + folder.path().string() + " && " + test::binDir() + "/shardlens audit a.py 2>&1");
    CHECK(audit.code == 2);
    CHECK_MESSAGE(audit.out.find(said("a.py")) != std::string::npos, audit.out);
  }
  spill(folder / "b.py", "");
  CHECK(runImport(folder, "a.py b.py 2>&1").out.find(said("a.py, b.py")) != std::string::npos);
  spill(folder / "b.py", "mp.spawn(main, nprocs=2)\n");
  CHECK(runImport(folder, "a.py b.py").code == 0);
}

TEST_CASE("a script is a script, though its annotations are the keys of a spec") {
  const TempFolder folder;
  spill(folder / "a.py", "shardlens: 2\ndataset: {size: 3}\n");
  const auto audit = runShell("cd " + folder.path().string() + " && " + test::binDir() + "/shardlens audit a.py 2>&1");
  CHECK(audit.code == 2);
  CHECK_MESSAGE(audit.out.find("There is no loader and no number of ranks in a.py") != std::string::npos, audit.out);
}

TEST_CASE("a script is audited where it says the world and the samples, and no key of a spec is asked of it") {
  const TempFolder folder;
  const auto audit = [&](const std::string& script) {
    spill(folder / "a.py", script);
    return runShell("cd " + folder.path().string() + " && " + test::binDir() + "/shardlens audit a.py 2>&1");
  };
  const std::string loader = "for epoch in range(2):\n  for x in l: pass\n";
  const auto whole = audit(
      "s = DistributedSampler(range(100))\nl = DataLoader(range(100), batch_size=5, sampler=s)\n"
      "mp.spawn(main, nprocs=2)\n" +
      loader);
  CHECK(whole.code == 2);  // spawn says how many processes, and not on how many machines
  CHECK(whole.out.find("does not say world.nodes") != std::string::npos);
  const auto lightning =
      audit("l = DataLoader(range(100), batch_size=5, shuffle=True)\nTrainer(devices=2, num_nodes=1).fit(m, l)\n");
  CHECK(lightning.code == 0);
  CHECK(lightning.out.find("100 samples, 2 ranks (1 x 2), batch_size 5, torch.DistributedSampler") !=
        std::string::npos);
  const auto broken = audit("def main(:\n");
  CHECK(broken.code == 2);
  CHECK(broken.out.find("a.py:1") != std::string::npos);
  CHECK(broken.out.find("Python cannot read this script") != std::string::npos);
}

TEST_CASE(
    "an epoch that is not the loop's, and a loader that is read without gradients, are not taken for what they seem") {
  const TempFolder folder;
  spill(folder / "a.py",
        "plain = DataLoader(range(9), batch_size=3)\n"
        "s = DistributedSampler(range(7))\n"
        "other = DataLoader(range(7), batch_size=2, sampler=s)\n"
        "for e in range(4):\n"
        "  s.set_epoch(e // 2)\n"
        "  for x in plain: pass\n"
        "  with torch.no_grad():\n"
        "    for x in other: pass\n");
  const auto plain = runImport(folder, "a.py");
  CHECK(plain.out.find("dataset: {size: 9}") != std::string::npos);
  CHECK(plain.out.find("sampler: {type: torch.SequentialSampler") != std::string::npos);
  spill(folder / "b.py",
        "s = DistributedSampler(range(7))\n"
        "l = DataLoader(range(7), batch_size=2, sampler=s)\n"
        "for e in range(4):\n"
        "  s.set_epoch(e // 2)\n"
        "  for x in l: pass\n");
  CHECK(runImport(folder, "b.py").out.find("sampler.set_epoch: b.py:4: s.set_epoch(e // 2)") != std::string::npos);
}
