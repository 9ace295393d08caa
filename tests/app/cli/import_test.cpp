// SPDX-License-Identifier: Apache-2.0
#include "tests/support/json_schema.h"
#include "tests/support/places.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <regex>
#include <string>

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

TEST_CASE("Megatron-LM's parallel sizes are groups of the real world, and the spec passes the audit") {
  const TempFolder folder;
  const auto made = runImport(folder,
                              "-o meg.yaml --samples 1024 -- torchrun --nproc_per_node=8 p.py --micro-batch-size 4 "
                              "--global-batch-size 64 --tensor-model-parallel-size 2 --pipeline-model-parallel-size 2");
  CHECK(made.code == 0);
  const std::string spec = slurp(folder / "meg.yaml");
  CHECK_MESSAGE(spec.find("ranks_per_node: 8, groups: {tensor: 2, pipeline: 2}") != std::string::npos, spec);
  CHECK_MESSAGE(spec.find("gradient_accumulation_steps: 8") != std::string::npos, spec);
  CHECK(runShell("cd " + folder.path().string() + " && " + test::binDir() + "/shardlens audit meg.yaml").code == 0);
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

TEST_CASE("the script of an sbatch command is read from the folder where the command runs, or from --chdir") {
  const TempFolder folder;
  std::filesystem::create_directory(folder / "jobs");
  spill(folder / "jobs" / "job.sh", "#!/bin/bash\n#SBATCH --nodes=1 --time 1:00\nsrun python train.py \"$@\"\n");
  const std::string options = " -N 2 --ntasks-per-node=4 --gres=gpu:4 ";
  for (const std::string& line : {options + "jobs/job.sh", " -D jobs" + options + "job.sh"}) {
    const auto made = runImport(folder, "-- sbatch" + line + " --batch-size 32");
    CHECK_MESSAGE(made.out.find("world: {nodes: 2, ranks_per_node: 4}") != std::string::npos, made.out);
    CHECK_MESSAGE(made.out.find("loader.batch_size: 32 (job.sh: --batch-size") != std::string::npos, made.out);
  }
  const auto missing = runImport(folder, "-- sbatch none.sh 2>&1");
  CHECK(missing.code == 2);
  CHECK_MESSAGE(missing.out.find("none.sh") != std::string::npos, missing.out);
  const auto wrapped = runImport(folder, "-- sbatch --wrap 'torchrun --nproc_per_node=4 a.py'");
  CHECK_MESSAGE(wrapped.out.find("ranks_per_node: 4") != std::string::npos, wrapped.out);
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

TEST_CASE("a loop that may end before its loader is said to, and one that does not is not") {
  const TempFolder folder;
  const std::string head =
      "from itertools import islice\nfrom torch.utils.data import DataLoader\n"
      "loader = DataLoader(range(100), batch_size=4)\nval = DataLoader(range(9))\nfor epoch in range(3):\n";
  const std::pair<const char*, bool> loops[] = {
      {"  for i, batch in enumerate(loader):\n    if i > 10:\n      break\n", true},
      {"  for batch in islice(loader, 2):\n    pass\n", true},
      {"  for batch, other in zip(loader, val):\n    pass\n", true},
      {"  for batch in loader:\n    for x in batch:\n      break\n", false},
      {"  for batch in loader:\n    pass\n  for batch in val:\n    break\n", false}};
  for (const auto& [loop, is_said] : loops) {
    spill(folder / "a.py", head + loop);
    const std::string out = runImport(folder, "a.py").out;
    CHECK_MESSAGE((out.find("this loop may end") != std::string::npos) == is_said, out);
  }
}

TEST_CASE("a script without a loader is refused by itself, and said by a command is a design") {
  const TempFolder folder;
  const auto said = [](const std::string& scripts) {
    return "There is no loader and no number of ranks in " + scripts +
           ": no call of DataLoader, TrainingArguments, Trainer or spawn gives any.";
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
  CHECK(whole.out.find("is not all known. world.nodes: ") != std::string::npos);
  CHECK(whole.out.find("--samples") == std::string::npos);
  const auto no_size = audit("l = DataLoader(d, batch_size=5)\nTrainer(devices=2, num_nodes=1).fit(m, l)\n");
  CHECK(no_size.out.find("import a.py --samples N -o spec.yaml") != std::string::npos);
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

namespace {

/// What an import says of a script whose loader `l` reads `data` by the sampler `s`, with `loop` behind it.
std::string saidOf(const std::string& script, const std::string& command = {}) {
  const TempFolder folder;
  spill(folder / "a.py", script);
  return runImport(folder, "a.py" + (command.empty() ? "" : " -- " + command)).out;
}

const std::string kLoader =
    "data = TensorDataset(torch.zeros(500))\n"
    "s = DistributedSampler(data)\n"
    "l = DataLoader(data, batch_size=10, sampler=s)\n";

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool isUnknown(const std::string& text, const std::string& field) {
  const std::size_t unknown = text.find("# Not known:");
  return unknown != std::string::npos && text.find("#   " + field + ":", unknown) != std::string::npos;
}

}  // namespace

TEST_CASE("set_epoch is read as said only where every epoch says its number before it reads") {
  const std::string epochs = kLoader + "for e in range(4):\n";
  CHECK(has(saidOf(epochs + "  s.set_epoch(e)\n  for b in l: pass\n"), "set_epoch: true (a.py:5: s.set_epoch(e))"));
  CHECK(has(saidOf(epochs + "  for b in l: pass\n"), "sampler.set_epoch: false"));
  for (const std::string body : {
           "  if dist.get_rank() == 0:\n    s.set_epoch(e)\n  for b in l: pass\n",
           "  for b in l: pass\n  s.set_epoch(e)\n",
           "  for b in l:\n    s.set_epoch(e)\n",
           "  if False:\n    s.set_epoch(e)\n  for b in l: pass\n",
           "  for b in l: pass\n  continue\n  s.set_epoch(e)\n",
           "  if e > 1:\n    s.set_epoch(e)\n  for b in l: pass\n",
           "  s.set_epoch(7)\n  for b in l: pass\n",
           "  s.epoch = e\n  for b in l: pass\n",
       }) {
    CAPTURE(body);
    CHECK(isUnknown(saidOf(epochs + body), "sampler.set_epoch"));
  }
}

TEST_CASE("a slice that the script computes is not written, and is said to decide who reads what") {
  const std::string said = saidOf(
      "rank = dist.get_rank()\n"
      "data = TensorDataset(torch.zeros(500))\n"
      "s = DistributedSampler(data, num_replicas=dist.get_world_size() // 2, rank=rank // 2)\n"
      "l = DataLoader(data, batch_size=10, sampler=s)\n");
  for (const std::string field : {"num_replicas", "rank"}) {
    CAPTURE(field);
    CHECK(isUnknown(said, "sampler." + field));
    CHECK_FALSE(has(said, ", " + field + ": "));
  }
  CHECK(has(said, "decides"));
}

TEST_CASE("an argument replaces a default only where the script's parser declares it") {
  const std::string parser =
      "p = argparse.ArgumentParser()\n"
      "p.add_argument('-b', '--bs', type=int, default=64)\n"
      "p.add_argument('--debug', action='store_true')\n"
      "p.add_argument('--keep', dest='drop', action='store_false')\n"
      "p.add_argument('--workers', type=lambda n: int(n) * 2, default=1)\n"
      "a = p.parse_args()\n"
      "data = TensorDataset(torch.zeros(500))\n"
      "s = DistributedSampler(data, shuffle=not a.debug)\n"
      "l = DataLoader(data, batch_size=a.bs, sampler=s, drop_last=a.drop, num_workers=a.workers)\n";
  const auto with = [&](const std::string& arguments) { return saidOf(parser, "torchrun a.py " + arguments); };
  CHECK(has(with("--bs 5"), "batch_size: 5 (command line: --bs)"));
  CHECK(has(with("-b 5"), "batch_size: 5 (command line: -b)"));
  CHECK(has(with("--keep"), "drop_last: false (command line: --keep)"));
  CHECK(isUnknown(with("--debug"), "sampler.shuffle"));
  for (const std::string arguments : {"--b 5", "-b5", "--batch-size 5", "5", "--workers 3"}) {
    CAPTURE(arguments);
    const std::string said = with(arguments);
    CHECK(isUnknown(said, "loader.batch_size"));
    CHECK(has(said, "no parser in the script explains the argument"));
    CHECK(has(said, "dataset.size: 500 ("));
  }
  const std::string divided =
      "p.add_argument('--batch-size', type=int, default=64)\n"
      "a = p.parse_args()\n"
      "a.batch_size = a.batch_size // dist.get_world_size()\n"
      "l = DataLoader(range(9), batch_size=a.batch_size)\n";
  CHECK(isUnknown(saidOf(divided, "torchrun a.py --batch-size 8"), "loader.batch_size"));
  const std::string changed =
      "bs = 12\nfor one in sys.argv[1:]: set_global(one)\nl = DataLoader(range(9), batch_size=bs)\n";
  CHECK(isUnknown(saidOf(changed, "torchrun a.py bs=3"), "loader.batch_size"));
}

TEST_CASE("a parser that reads words of the script gives their values, whatever the command line says") {
  const auto with = [](const std::string& words, const std::string& command = {}) {
    return saidOf(
        "p = argparse.ArgumentParser()\n"
        "p.add_argument('--bs', type=int, default=64)\n"
        "p.add_argument('--drop', action='store_true')\n"
        "a = p.parse_args(" +
            words + ")\nl = DataLoader(range(900), batch_size=a.bs, drop_last=a.drop)\n",
        command);
  };
  for (const std::string words : {"['--bs', '8', '--drop']", "args=('--bs=8', '--drop')", "'--drop --bs 8'.split()"}) {
    CAPTURE(words);
    for (const std::string command : {"", "torchrun a.py --bs 5"}) {
      CHECK(has(with(words, command), "loader.batch_size: 8 (a.py:5: batch_size=a.bs)"));
      CHECK(has(with(words, command), "loader.drop_last: true (a.py:5: drop_last=a.drop)"));
    }
  }
  CHECK(has(with("[]", "torchrun a.py --bs 5"), "loader.batch_size: 64 (a.py:5: batch_size=a.bs)"));
  for (const std::string words : {"['--bs', str(n)]", "['--b', '8']", "['--bs', '8']) if test else p.parse_args("}) {
    CAPTURE(words);
    CHECK(isUnknown(with(words, "torchrun a.py --bs 5"), "loader.batch_size"));
  }
  CHECK(has(with("argv"), "the default of the argument bs"));
}

TEST_CASE("options that click reads are read like those of argparse") {
  const std::string options =
      "import click\n"
      "@click.command()\n"
      "@click.option('--batch-size', '-b', type=int, default=64, show_default=True)\n"
      "@click.option('--drop/--keep', default=False)\n"
      "@click.option('--count', 'workers', default=1, callback=twice)\n"
      "def main(batch_size, drop, workers):\n"
      "  data = TensorDataset(torch.zeros(500))\n"
      "  l = DataLoader(data, batch_size=batch_size, drop_last=drop, num_workers=workers)\n";
  const std::string script = options + "main()\n";
  const auto with = [&](const std::string& arguments) { return saidOf(script, "torchrun a.py " + arguments); };
  CHECK(has(saidOf(script), "loader.batch_size: 64 (a.py:8: batch_size=batch_size: the default of the argument "));
  CHECK(isUnknown(saidOf(script), "loader.num_workers"));
  CHECK(has(with("-b 5"), "batch_size: 5 (command line: -b)"));
  CHECK(has(with("--drop"), "drop_last: true (command line: --drop)"));
  CHECK(has(with("--drop --keep"), "drop_last: false (command line: --keep)"));
  CHECK(isUnknown(with("--count 3"), "loader.batch_size"));
  CHECK(isUnknown(saidOf(options + "main(['-b', '5'])\n"), "loader.batch_size"));
}

TEST_CASE("what a file that the script runs may replace is not known") {
  const std::string loader = "l = DataLoader(range(9), batch_size=bs)\n";
  for (const std::string script : {
           "bs = 4\nexec(open('config.py').read())\n",
           "bs = 4\nfrom config import *\n",
           "bs = 4\nglobals().update(config)\n",
           "bs = 4\nfor name in config: globals()[name] = config[name]\n",
           "bs = 4\ndef configure(path):\n  exec(open(path).read(), globals())\nconfigure('a')\n",
           "from config import *\n",
           "p.add_argument('--bs', default=4)\na = p.parse_args()\na.__dict__.update(config)\nbs = a.bs\n",
           "p.add_argument('--bs', default=4)\na = p.parse_args()\nfor k in c: setattr(a, k, c[k])\nbs = a.bs\n",
           "p.add_argument('--bs', default=4)\np.set_defaults(**config)\na = p.parse_args()\nbs = a.bs\n",
           "bs = eval(open('config').read())\n",
       }) {
    CAPTURE(script);
    CHECK(isUnknown(saidOf(script + loader), "loader.batch_size"));
  }
  CHECK(has(saidOf("from config import *\nbs = 4\n" + loader), "loader.batch_size: 4 (a.py:3"));
  CHECK(has(saidOf("bs = 4\nexec(code, {})\n" + loader), "loader.batch_size: 4 (a.py:3"));
}

TEST_CASE("what a generator, a batch sampler and the Trainer's own arguments decide is not taken for a default") {
  const std::string made = "g = torch.Generator()\n";
  const std::string loader = "l = DataLoader(range(64), sampler=DistributedSampler(d), generator=g)\n";
  CHECK(has(saidOf(made + "g.manual_seed(42)\n" + loader), "loader.generator_seed: 42 (a.py:2: "));
  CHECK(isUnknown(saidOf(made + loader), "loader.generator_seed"));
  CHECK(has(saidOf("l = DataLoader(range(64), shuffle=True, generator=torch.Generator().manual_seed(5))\n"),
            "sampler: {type: torch.RandomSampler, generator: loader, generator_seed: 5"));
  const std::string batches = saidOf("l = DataLoader(range(64), batch_sampler=Batches(64, 5))\n");
  CHECK(isUnknown(batches, "loader.batch_size"));
  CHECK(isUnknown(batches, "loader.drop_last"));
  const std::string trainer =
      "class D(Dataset):\n  def __init__(self, n): self.n = n\n  def __len__(self): return self.n\n"
      "a = TrainingArguments(per_device_train_batch_size=8, train_sampling_strategy=sys.argv[1])\n"
      "Trainer(model, a, train_dataset=D(203)).train()\n";
  CHECK(has(saidOf(trainer), "dataset.size: 203 (a.py:3: "));
  CHECK(has(saidOf(trainer), "#   sampler: a.py:4: TrainingArguments, train_sampling_strategy is not read."));
}

TEST_CASE("Accelerate's accumulation is read with its line where accumulate() counts the batches") {
  const auto script = [](const std::string& arguments, const std::string& context) {
    return saidOf("a = Accelerator(cpu=True,\n  " + arguments +
                  ")\nl = a.prepare(DataLoader(range(64), batch_size=2))\n" + "for b in l:\n  with " + context +
                  ": f(b)\n");
  };
  const std::string field = "loader.gradient_accumulation_steps";
  const std::string said = script("gradient_accumulation_steps=4", "a.accumulate(m)");
  CHECK_MESSAGE(has(said, "#   " + field + ": 4 (a.py:2: gradient_accumulation_steps=4)"), said);
  CHECK(has(said, ", gradient_accumulation_steps: 4"));
  CHECK(isUnknown(script("gradient_accumulation_steps=4", "autocast()"), field));
  CHECK(isUnknown(script("gradient_accumulation_steps=4", "tally(itertools.accumulate(b))"), field));
  CHECK(has(script("gradient_accumulation_steps=4, gradient_accumulation_plugin=None", "a.accumulate(m)"),
            field + ": 4"));
  CHECK(isUnknown(script("gradient_accumulation_plugin=Plugin(num_steps=4)", "a.accumulate(m)"), field));
  CHECK(isUnknown(script("**kw", "a.accumulate(m)"), field));
}

TEST_CASE("of two loaders that are trained on, the one that the spec is not of is said") {
  const std::string made = "a = DataLoader(range(9), batch_size=3)\nb = DataLoader(range(8), batch_size=2)\n";
  const std::string second =
      "covers only the one at a.py:1, but a loop with backward passes also reads\n#     others: a.py:2";
  const std::string one = "for x in a:\n  f(x).backward()\n";
  CHECK(has(saidOf(made + one + "for x in b:\n  f(x).backward()\n"), second));
  CHECK(has(saidOf(made + "for x, y in zip(a, b):\n  f(x, y).backward()\n"), second));
  const std::string fit = "def fit(t, v):\n  for x in t: f(x).backward()\n  for x in v: f(x)\n";
  CHECK(has(saidOf(fit + made + "fit(a, v)\nfit(v=w, t=b)\n"), "passes also reads\n#     others: a.py:5"));
  const std::string evaluated = saidOf(fit + made + "fit(a, b)\n");
  CHECK_FALSE(has(evaluated, "backward passes"));
  CHECK(has(evaluated, "there are others at a.py:5"));
  CHECK(has(saidOf(made + "for x in b:\n  f(x).backward()\n"), "loader.batch_size: 2 (a.py:2"));
}

TEST_CASE("loaders and samplers are known by where they come from, and their own kinds are not known") {
  const std::string aliases =
      "from torch.utils.data import DataLoader as DL, DistributedSampler as DS\n"
      "l = DL(range(9), 3, sampler=DS(range(9)))\nv = DataLoader(range(4), batch_size=2)\n";
  CHECK(has(saidOf(aliases), "loader.batch_size: 3"));
  CHECK(has(saidOf(aliases), "sampler.type: torch.DistributedSampler (a.py:2"));
  const std::string read = "for e in range(2):\n  for b in l: pass\n";
  for (const std::string script : {
           "class It(IterableDataset):\n  pass\nl = DataLoader(It(64), batch_size=4)\n",
           "class DistributedSampler(Sampler):\n  pass\nl = DataLoader(d, sampler=DistributedSampler(d))\n",
           "class Fast(DataLoader):\n  pass\nl = Fast(d, sampler=s)\nval = DataLoader(range(9), batch_size=2)\n",
           "class DataLoader:\n  pass\nl = DataLoader(range(9), batch_size=7)\n",
           "l = DataLoader(range(9), batch_size=7)\nl = DataLoader(range(9), batch_size=8)\n",
           "l = DataLoader(d, sampler=RandomSampler(d, replacement=True, num_samples=60))\n",
           "l = DataLoader(d, batch_size=2, shuffle=True)\nL.Trainer(use_distributed_sampler=False).fit(m, l)\n",
           "a = Accelerator()\nl = DataLoader(d, batch_size=2)\nm = a.prepare(m)\n",
           "a = Accelerator()\nl = DataLoader(d, batch_size=2)\nother = a.prepare(l)\n",
           "a = Accelerator(split_batches=True)\nl = DataLoader(d, batch_size=2)\nl = a.prepare(l)\n",
       }) {
    CAPTURE(script);
    CHECK(isUnknown(saidOf(script + read), "sampler.type"));
  }
  const std::string spread = saidOf("kw = {'batch_size': 10}\nl = DataLoader(data, **kw)\n" + read);
  CHECK(has(spread, "loader.batch_size: a.py:2: DataLoader(data, **kw): its value is not known"));
  const std::string set =
      saidOf("s = DistributedSampler(d)\ns.seed = 12\nl = DataLoader(d, batch_size=1, sampler=s)\n");
  CHECK(isUnknown(set, "sampler.seed"));
  CHECK(has(set, "the default, 0."));
}

TEST_CASE("the samples are read only where one expression says how many there are") {
  for (const std::string script : {
           "d = TensorDataset(torch.arange(10, 90, 2))\n",
           "d = TensorDataset(torch.zeros(500))\nd = Subset(d, range(100))\n",
           "class D:\n  def __init__(self, n): self.n = n\n  def __len__(self): return self.n\nd = D(400)\nd.n = 120\n",
           "class D:\n  def __len__(self):\n    if self.limit: return 3\n    return 9\nd = D()\n",
       }) {
    CAPTURE(script);
    CHECK(isUnknown(saidOf(script + "l = DataLoader(d, batch_size=4)\n"), "dataset.size"));
  }
  CHECK(isUnknown(saidOf("s = DistributedSampler(small)\nl = DataLoader(range(9), batch_size=4, sampler=s)\n"),
                  "dataset.size"));
}

TEST_CASE("a plain command of Python is one process, and the version of PyTorch is assumed") {
  const std::string said = saidOf(kLoader, "python3 a.py");
  CHECK(has(said, "world.ranks_per_node: 1 (command line: a plain Python command is one process)"));
  CHECK(has(said, "#   framework.torch: 2.9 (no file says which PyTorch the job runs)"));
  CHECK(has(saidOf(kLoader + "mp.spawn(main, nprocs=2)\n", "python3 a.py"), "world.ranks_per_node: 2 (a.py:4: 2)"));
}

TEST_CASE("a dataset that may be another one on each rank is not known, and no script with one is audited") {
  const std::string read = "for e in range(2):\n  for b in l: pass\n";
  const std::string two = "torchrun --nproc_per_node=2 a.py";
  for (const std::string script : {
           "r = dist.get_rank()\nmine = list(range(r, 120, 2))\nl = DataLoader(Subset(D(), mine), batch_size=8)\n",
           "parts = random_split(range(64), [32, 32])\nl = DataLoader(parts[dist.get_rank()], batch_size=8)\n",
           "a, b = random_split(data, [80, 20])\nl = DataLoader(a, sampler=DistributedSampler(a), batch_size=8)\n",
           "a, b = random_split(data, [80, 20], generator=torch.Generator().manual_seed(dist.get_rank()))\n"
           "l = DataLoader(a, sampler=DistributedSampler(a), batch_size=8)\n",
           "class D(Dataset):\n  def __init__(self): self.at = dist.get_rank()\n  def __len__(self): return 60\n"
           "l = DataLoader(D(), batch_size=8, shuffle=True)\n",
           "l = DataLoader(load(args), batch_size=8)\n",
       }) {
    CAPTURE(script);
    const std::string said = saidOf(script + read, two);
    CHECK_MESSAGE(isUnknown(said, "dataset"), said);
  }
  const std::string own = "l = DataLoader(TensorDataset(torch.zeros(90)), batch_size=8)\n";
  CHECK_FALSE(isUnknown(saidOf(own + read, two), "dataset"));
  for (const std::string seeded : {"", "g = torch.Generator().manual_seed(SEED)\n"}) {
    const std::string generator = seeded.empty() ? "torch.Generator().manual_seed(0)" : "g";
    const std::string said =
        saidOf("SEED = 42\n" + seeded + "a, b = random_split(data, [80, 20], generator=" + generator +
               ")\nl = DataLoader(a, sampler=DistributedSampler(a), batch_size=8)\n" + read);
    CHECK_MESSAGE(!isUnknown(said, "dataset"), said);
  }
  CHECK_FALSE(isUnknown(saidOf("d = load()\nl = DataLoader(d, sampler=DistributedSampler(d))\n" + read), "dataset"));
  const TempFolder folder;
  spill(folder / "a.py",
        "class D(Dataset):\n  def __init__(self): self.at = dist.get_rank()\n  def __len__(self): return 60\n"
        "l = DataLoader(D(), batch_size=8, shuffle=True)\nTrainer(devices=2, num_nodes=1).fit(m, l)\n");
  const auto audit = runShell("cd " + folder.path().string() + " && " + test::binDir() + "/shardlens audit a.py 2>&1");
  CHECK(audit.code == 2);
  CHECK_MESSAGE(has(audit.out, "is not all known. dataset: a.py:4: D(): each rank may have its own dataset"),
                audit.out);
  CHECK_FALSE(has(audit.out, "--samples"));
}

namespace {

/// A script whose ranks do `before` and read a loader of their share.
std::string waiting(const std::string& before, const std::string& in_epoch = {}) {
  return "def main(rank):\n" + before +
         "  data = TensorDataset(torch.zeros(500))\n"
         "  l = DataLoader(data, batch_size=10, sampler=DistributedSampler(data))\n"
         "  m = torch.nn.parallel.DistributedDataParallel(net)\n"
         "  for e in range(2):\n    for x in l: m(x).backward()\n" +
         in_epoch + "main(dist.get_rank())\n";
}

}  // namespace

TEST_CASE("of the arguments of a command line, each depends on the rank by what declares or sets it, and by no other") {
  const std::string args =
      "def get_args():\n  p = ArgumentParser()\n  p.add_argument('--data')\n"
      "  p.add_argument('--first', action='store_true')\n"
      "  p.add_argument('--local_rank', default=int(os.environ.get('LOCAL_RANK', -1)))\n"
      "  p.add_argument('--mine', default='part' + os.environ['RANK'])\n  return p.parse_args()\n"
      "def make(args): return CIFAR10(args.data, train=True)\ndef of(path): return CIFAR10(path)\nargs = get_args()\n";
  const auto read = [&args](const std::string& made) {
    return saidOf(args + made +
                  "l = DataLoader(d, sampler=DistributedSampler(d))\nfor e in range(2):\n  for x in l: pass\n");
  };
  const std::string one = "d = CIFAR10(args.data, train=True)\n";
  for (const std::string& made :
       {one, "args.lr *= 2\n" + one, std::string("d = make(args)\n"), one + "if args.first: dist.barrier()\n"}) {
    const std::string said = read(made);
    CHECK_MESSAGE(!isUnknown(said, "dataset"), said);
    CHECK_MESSAGE(!isUnknown(said, "schedule"), said);
  }
  for (const std::string& made :
       {std::string("d = CIFAR10(args.mine)\n"), std::string("d = of(args.mine)\nof(args.data)\n"),
        "args.data += str(dist.get_rank())\n" + one, "setattr(args, 'data', str(dist.get_rank()))\n" + one})
    CHECK_MESSAGE(isUnknown(read(made), "dataset"), made);
  CHECK(isUnknown(read(one + "if args.local_rank == 0 and bad: dist.barrier()\n"), "schedule"));
}

TEST_CASE("collectives that depend on the rank are a schedule, with all others, where they can be read") {
  const std::string rest = "{do: broadcast, at: start}, {do: ddp}]\n";
  const auto line = [](const std::string& what) { return "{do: barrier, at: start, if: \"" + what + "\"}, "; };
  const std::pair<std::string, std::string> readable[] = {
      {"  if rank != 0: dist.barrier()\n", line("rank != 0")},
      {"  if dist.get_rank() == 0: dist.barrier()\n", line("rank == 0")},
      {"  if int(os.environ['LOCAL_RANK']): dist.barrier()\n", line("local_rank != 0")},
      {"  if args.local_rank not in [-1, 0]: dist.barrier()\n", line("local_rank not in [0]")},
      {"  is_main = rank == 0\n  if is_main: pass\n  else: dist.barrier()\n", line("rank != 0")},
      {"  try:\n    if rank > 0: dist.barrier()\n  finally: pass\n", line("rank > 0")},
      {"  with torch_distributed_zero_first(LOCAL_RANK): get()\n", line("local_rank != 0") + line("local_rank == 0")},
  };
  for (const auto& [before, lines] : readable) {
    const std::string said = saidOf(waiting(before));
    CHECK_MESSAGE(has(said, lines + rest), said);
    CHECK(has(said, "#   schedule: the collectives at a.py:"));
  }
  const auto first = [](const std::string& who) {
    return saidOf(waiting("  with " + who + ": get()\n") + "a = Accelerator()\nt = TrainingArguments('out')\n");
  };
  const std::string by_rank = line("rank != 0") + line("rank == 0");
  const std::string by_local_rank = line("local_rank != 0") + line("local_rank == 0");
  CHECK(has(first("a.main_process_first()"), by_rank));
  CHECK(has(first("a.local_main_process_first()"), by_local_rank));
  CHECK(has(first("t.main_process_first(desc='tokenize')"), by_local_rank));
  CHECK(has(first("t.main_process_first(local=False)"), by_rank));
  CHECK(isUnknown(first("t.main_process_first(local=is_shared)"), "schedule"));
  CHECK(isUnknown(first("given.main_process_first()"), "schedule"));
  const std::string later = "    if rank == 0: dist.all_reduce(y)\n  dist.barrier()\n";
  CHECK(has(saidOf(waiting("  if rank: dist.barrier()\n", later)),
            "{do: broadcast, at: start}, {do: all_reduce, at: epoch_end, if: \"rank == 0\"}, {do: barrier, at: end}, "
            "{do: ddp}]\n"));
  CHECK_FALSE(has(saidOf(waiting("  dist.barrier()\n")), "schedule"));
  const TempFolder folder;
  spill(folder / "a.py", waiting("  if rank != 0: dist.barrier()\n"));
  CHECK(runImport(folder, "a.py -o a.yaml -- torchrun --nproc_per_node=2 a.py").code == 0);
  const auto audit = runShell("cd " + folder.path().string() + " && " + test::binDir() + "/shardlens audit a.yaml");
  CHECK_MESSAGE(has(audit.out, "[schedule-hangs]"), audit.out);
}

TEST_CASE("a collective that depends on the rank in a way that cannot be read is not known, and is in no schedule") {
  for (const std::string before : {
           "  if rank == 0 and loss < 3: dist.barrier()\n",
           "  if rank != 0: return\n  dist.barrier()\n",
           "  if rank == 0: dist.barrier(group=pair)\n",
           "  while rank == 0: dist.barrier()\n",
           "  rank == 0 and dist.barrier()\n",
           "  if rank == 0: dist.barrier()\n  if args.debug: dist.barrier()\n",
           "  def sync(): dist.barrier()\n  if rank == 0: sync()\n  sync()\n",
           "  if rank != 0: dist.barrier()\n  dist.broadcast(t, src=1)\n",
       }) {
    CAPTURE(before);
    const std::string said = saidOf(waiting(before));
    CHECK_MESSAGE(isUnknown(said, "schedule"), said);
    CHECK(has(said, "#   schedule: a.py:"));
    const std::string unbroken = std::regex_replace(said, std::regex("\n#     "), " ");
    CHECK(has(unbroken, "not all collectives of the script can be put into a schedule"));
    CHECK_FALSE(has(said, "{do: "));
  }
  const std::string behind_loop = saidOf(waiting("  if rank == 0: dist.barrier()\n", "  else: dist.barrier()\n"));
  CHECK_MESSAGE(isUnknown(behind_loop, "schedule"), behind_loop);
}

TEST_CASE(
    "a collective depends on the rank by the calls of its function, however many lead there, and by no namesakes") {
  const std::string meet = "class Meeting:\n  def step(self): dist.barrier()\n";
  for (const std::string& script : {
           "def step(): dist.barrier()\n" + waiting("  step()\n  if rank == 0: writer.step()\n"),
           "def step(): dist.barrier()\n" + waiting("  for step in range(3):\n    if rank == 0: print(step)\n"),
           meet + waiting("  m = Meeting()\n  m.step()\n  if rank == 0: optimizer.step()\n"),
       })
    CHECK_MESSAGE(!has(saidOf(script), "schedule"), script);
  CHECK(isUnknown(saidOf(meet + waiting("  m = Meeting()\n  m.step()\n  if rank == 0: m.step()\n")), "schedule"));
  std::string deep = "def f0(): dist.barrier()\n";
  for (int k = 1; k < 20; ++k) {
    deep += "def f" + std::to_string(k) + "():\n";
    for (int i = 0; i < 4; ++i) deep += "  f" + std::to_string(k - 1) + "()\n";
  }
  CHECK_FALSE(has(saidOf(deep + waiting("  f19()\n")), "schedule"));
  CHECK(isUnknown(saidOf(deep + waiting("  if rank == 0: f19()\n")), "schedule"));
}

TEST_CASE("a collective behind a way out that some steps take is in no schedule") {
  const auto step = [](const std::string& before) {
    return saidOf(
        "if dist.get_rank() == 0: dist.barrier()\ndata = TensorDataset(torch.zeros(500))\n"
        "l = DataLoader(data, batch_size=10, sampler=DistributedSampler(data))\n"
        "for e in range(2):\n  for x in l:\n" +
        before + "    dist.all_reduce(x)\n");
  };
  for (const std::string before :
       {"    if bad(x): continue\n", "    if args.short: break\n", "    if bad(x): sys.exit()\n",
        "    for y in x:\n      if y: sys.exit()\n", "    try:\n      if bad(x): continue\n    except Bad: pass\n"}) {
    CAPTURE(before);
    const std::string said = step(before);
    CHECK_MESSAGE(isUnknown(said, "schedule"), said);
    CHECK_FALSE(has(said, "{do: "));
  }
  for (const std::string before :
       {"    for y in x:\n      if y: break\n", "    if False: continue\n", "    if not dist.is_initialized(): break\n",
        "    if dist.get_world_size() == 1: break\n", "    def f(): return 3\n"}) {
    CAPTURE(before);
    CHECK(has(step(before), "{do: all_reduce}]\n"));
  }
}
