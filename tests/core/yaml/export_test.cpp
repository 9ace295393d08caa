// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/registry.h"
#include "core/spec/field_table.h"
#include "core/yaml/export_parts.h"
#include "core/yaml/exporter.h"
#include "core/yaml/spec_reader.h"
#include "core/yaml/spec_writer.h"
#include "tests/core/yaml/exported.h"
#include "tests/core/yaml/random_spec.h"
#include "tests/support/json_schema.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <regex>

using namespace shardlens;
using test::asJson;
using test::eightRanks;
using test::exported;
using test::kBadNames;
using test::mainText;
using test::runShell;
using test::says;
using test::spill;
using test::TempFolder;

TEST_CASE("an invalid spec is exported to nothing") {
  PipelineSpec spec;
  spec.dataset.size = -1;
  for (const yaml::ExportTarget& target : yaml::exportTargets()) {
    const auto result = yaml::exportSpec(target, spec, sampling::catalogue());
    CHECK(result.files.empty());
    CHECK(result.problems.size() == 1);
  }
}

TEST_CASE("groups are not included by what starts a job, and refused by what counts every rank") {
  PipelineSpec spec;
  spec.world = {1, 8};
  spec.world.groups.tensor = 2;
  const auto started = yaml::exportSpec(*yaml::findTarget("torchrun"), spec, sampling::catalogue());
  REQUIRE(started.problems.empty());
  CHECK(says(started.not_carried, "world.groups {tensor: 2}"));
  for (const char* target : {"lightning", "hydra", "accelerate", "huggingface", "composer"}) {
    const auto refused = yaml::exportSpec(*yaml::findTarget(target), spec, sampling::catalogue());
    REQUIRE(refused.problems.size() == 1);
    CHECK(refused.problems[0].place.field == "world.groups");
    CHECK(refused.files.empty());
  }
  spec.world.groups = {.expert = 4};
  CHECK(says(exported("torchrun", spec).not_carried, "world.groups {expert: 4}"));
  CHECK(says(exported("pytorch", spec).not_carried, "world.groups {expert: 4}"));
  CHECK_FALSE(says(exported("megatron", spec).not_carried, "world.groups"));
  CHECK(mainText("megatron", spec).find(" --expert-model-parallel-size 4 \\\n") != std::string::npos);
}

TEST_CASE("Megatron-LM, DeepSpeed and PyTorch count the batch of the data-parallel ranks") {
  PipelineSpec spec = eightRanks();
  spec.world.groups = {.tensor = 2, .pipeline = 2};
  spec.loader = {.batch_size = 4, .gradient_accumulation_steps = 8};
  spec.sampler.type = "megatron.MegatronPretrainingSampler";
  spec.seeds = {5, "same"};
  const std::string megatron = mainText("megatron", spec);
  CHECK(megatron.find("--micro-batch-size 4 --global-batch-size 64 ") != std::string::npos);
  CHECK(megatron.find("--seed 5 \\\n  --tensor-model-parallel-size 2 --pipeline-model-parallel-size 2 \\\n") !=
        std::string::npos);
  const auto said = exported("megatron", spec).not_carried;
  CHECK_FALSE(says(said, "world.groups"));
  CHECK_FALSE(says(said, "Tensor, pipeline and context parallelism"));
  CHECK(says(said, "seeds.rule same: Megatron-LM seeds the ranks of each pipeline stage with 100 more"));
  const auto deepspeed = exported("deepspeed", spec);
  REQUIRE(deepspeed.problems.empty());
  CHECK(nlohmann::json::parse(deepspeed.files.at(1).text)["train_batch_size"] == 64);
  CHECK(
      says(deepspeed.not_carried,
           "world.groups {tensor: 2, pipeline: 2}: the script makes these groups itself and gives them to DeepSpeed"));
  CHECK(says(deepspeed.not_carried, "counts more data-parallel ranks than 2 and refuses"));

  spec.sampler = {"torch.DistributedSampler",
                  {{"num_replicas", std::string("data_parallel_size")}, {"rank", std::string("data_parallel_rank")}}};
  const std::string torch = mainText("pytorch", spec);
  CHECK(torch.find("\nDATA_PARALLEL_SIZE = 2\n") != std::string::npos);
  CHECK(torch.find("num_replicas=DATA_PARALLEL_SIZE, rank=data_parallel_rank(rank),") != std::string::npos);
  CHECK(torch.find("    return rank // 2 % DATA_PARALLEL_SIZE\n") != std::string::npos);
  spec.world.groups.order = kPipelineThenData;
  CHECK(mainText("pytorch", spec).find("    return rank // 4 % DATA_PARALLEL_SIZE\n") != std::string::npos);
  CHECK(mainText("megatron", spec).find(" --use-tp-pp-dp-mapping \\\n") != std::string::npos);
  spec.sampler = {"torch.WeightedRandomSampler", {}};
  for (const char* target : {"pytorch", "deepspeed", "megatron"}) {
    const auto refused = exported(target, spec);
    REQUIRE(refused.problems.size() == 1);
    CHECK(refused.problems[0].message.find("ShardLens does not know what ranks that divide one copy") == 0);
  }
}

TEST_CASE("every target has a main file of the name and kind it announces") {
  for (const yaml::ExportTarget& target : yaml::exportTargets()) {
    const auto result = yaml::exportSpec(target, PipelineSpec{}, sampling::catalogue());
    REQUIRE_FALSE(result.files.empty());
    CHECK(result.files[0].name == target.file_name);
    CHECK(target.file_name.ends_with("." + target.extension));
    CHECK(yaml::findTarget(target.id)->title == target.title);
  }
  CHECK(yaml::findTarget("nothing") == nullptr);
}

TEST_CASE("every field that says something is in the files or among what is not carried") {
  test::RandomSpec specs(sampling::catalogue(), 11);
  for (int i = 0; i < 200; ++i) {
    const PipelineSpec spec = specs.next();
    for (const yaml::ExportTarget& target : yaml::exportTargets()) {
      const auto result = yaml::exportSpec(target, spec, sampling::catalogue());
      if (!result.problems.empty()) continue;
      std::string all;
      for (const auto& file : result.files) all += file.text;
      for (const auto& sentence : result.not_carried) all += sentence;
      CAPTURE(target.id);
      if (spec.seeds.rule != "unseeded") CHECK(all.find(std::to_string(spec.seeds.base)) != std::string::npos);
      CHECK(all.find(std::to_string(spec.loader.batch_size)) != std::string::npos);
      CHECK(all.find(std::to_string(spec.epochs)) != std::string::npos);
      CHECK(all.find(std::to_string(spec.dataset.size)) != std::string::npos);
      const bool is_said = spec.seeds.rule == "same" || (target.id == "lightning" && spec.seeds.rule == "unseeded") ||
                           (target.id == "composer" && all.find("# rank r gets this + r") != std::string::npos);
      if (target.id != "pytorch" && !is_said) CHECK(all.find(spec.seeds.rule) != std::string::npos);
    }
  }
}

TEST_CASE("Lightning: exact keys, and its own injection only where it gives the very sampler") {
  PipelineSpec spec = eightRanks();
  CHECK(mainText("lightning", spec) ==
        "# eight, written by ShardLens for the Lightning CLI: python train.py fit --config lightning.yaml.\n"
        "# Not included here:\n"
        "#   loader {drop_last: false}: the file has no key for this; build the loader in train_dataloader()\n"
        "#     and seed in the script: train.py must set this, as the code of the target pytorch does.\n"
        "#   dataset.size 16: the size of the script's own dataset counts; with another size every order is\n"
        "#     different.\n"
        "#   framework.torch 2.9: the job uses the installed torch.\n"
        "seed_everything: 0\n"
        "trainer:\n"
        "  num_nodes: 2\n"
        "  devices: 4\n"
        "  strategy: ddp\n"
        "  max_epochs: 2\n"
        "  use_distributed_sampler: true\n"
        "data:  # parameters of your LightningDataModule\n"
        "  batch_size: 2  # of each rank: where your module divides that of all ranks, 16\n"
        "  num_workers: 0\n");
  const auto injected = [&] {
    return asJson(mainText("lightning", spec))["trainer"]["use_distributed_sampler"].get<bool>();
  };
  CHECK(injected());
  spec.seeds.base = 5;
  CHECK_FALSE(injected());
  spec.sampler.parameters["seed"] = std::int64_t{5};
  CHECK(injected());
  spec.seeds.rule = "base+rank";
  CHECK_FALSE(injected());
  spec.sampler.parameters["seed"] = std::int64_t{0};
  CHECK(injected());
  const std::map<std::string, Value> said = {{"shuffle", false},
                                             {"drop_last", true},
                                             {"set_epoch", false},
                                             {"rank", std::string("local_rank")},
                                             {"num_replicas", std::int64_t{4}}};
  for (const auto& parameter : said) {
    PipelineSpec other = eightRanks();
    other.sampler.parameters.insert_or_assign(parameter.first, parameter.second);
    CAPTURE(parameter.first);
    CHECK(asJson(mainText("lightning", other))["trainer"]["use_distributed_sampler"] == false);
    CHECK(mainText("lightning", other).find("use_distributed_sampler: false  # your loader has its own") !=
          std::string::npos);
  }
  PipelineSpec random = eightRanks();
  random.sampler.type = "torch.RandomSampler";
  CHECK(mainText("lightning", random).find("use_distributed_sampler: false  # with true, Lightning would replace") !=
        std::string::npos);
}

TEST_CASE("Lightning: seeds that seed_everything cannot set are switched off and said") {
  PipelineSpec spec = eightRanks();
  for (const std::int64_t seed : {std::int64_t{-1}, std::int64_t{4'294'967'296}}) {
    spec.seeds.base = seed;
    CHECK(asJson(mainText("lightning", spec))["seed_everything"] == false);
    CHECK(says(exported("lightning", spec).not_carried, "base: " + std::to_string(seed)));
  }
  spec.seeds.base = 4'294'967'295;
  CHECK(asJson(mainText("lightning", spec))["seed_everything"] == 4'294'967'295);
}

TEST_CASE("Lightning: the file holds the closed schema for random specs and hostile names") {
  test::RandomSpec specs(sampling::catalogue(), 5);
  for (int i = 0; i < 12; ++i) {
    PipelineSpec spec = specs.next();
    spec.name = kBadNames[static_cast<std::size_t>(i) % kBadNames.size()];
    for (const std::string data_class : {"", "my.data: #Module"}) {
      yaml::ExportContext context;
      context.data_class = data_class;
      const nlohmann::json json = asJson(mainText("lightning", spec, context));
      CHECK(test::schemaProblems(json, "lightning.schema.json") == "");
      CHECK(json["trainer"]["num_nodes"] == spec.world.nodes);
      CHECK(json["trainer"]["max_epochs"] == spec.epochs);
      if (!spec.sampler.parameters.contains("global_batch_size"))
        CHECK((data_class.empty() ? json["data"] : json["data"]["init_args"])["batch_size"] == spec.loader.batch_size);
    }
  }
}

TEST_CASE("scripts are sound bash, whatever the names in them are") {
  const TempFolder folder;
  for (const std::string& name : kBadNames) {
    PipelineSpec spec = eightRanks();
    spec.name = name;
    yaml::ExportContext context;
    context.script = "my " + name + ".py";
    for (const char* target : {"torchrun", "openmpi"}) {
      spill(folder / "run.sh", mainText(target, spec, context));
      const auto checked = runShell("bash -n " + (folder / "run.sh").string() + " 2>&1");
      CHECK(checked.code == 0);
      CHECK(checked.out.empty());
    }
  }
}

TEST_CASE("torchrun: one node starts by itself, several ask for their number and for node 0") {
  PipelineSpec spec;
  const std::string one = mainText("torchrun", spec);
  CHECK(one.find("  --standalone \\\n  --nnodes=1 \\\n  --nproc_per_node=2 \\\n  train.py \"$@\"\n") !=
        std::string::npos);
  const TempFolder folder;
  spill(folder / "run.sh", mainText("torchrun", eightRanks()));
  const auto missing = runShell("cd " + folder.path().string() + " && unset NODE_RANK; bash run.sh 2>&1");
  CHECK(missing.code != 0);
  CHECK(missing.out.find("NODE_RANK: set it to the number of this node") != std::string::npos);
}

TEST_CASE("torchrun: its own parser takes the command line as it is meant") {
  const TempFolder folder;
  // In torchrun's place on PATH: it keeps the words that it gets. torch, whose parser reads them, is loaded once.
  spill(folder / "torchrun", std::string("#!") + test::kPython + R"(
import json, os, sys
with open(os.path.join(os.path.dirname(sys.argv[0]), "calls"), "a") as calls:
    calls.write(json.dumps(sys.argv[1:]) + "\n")
)");
  spill(folder / "understood.py", R"(
import json
from torch.distributed.run import parse_args
for call in open("calls"):
    got = parse_args(json.loads(call))
    print(got.nnodes, got.nproc_per_node, got.node_rank, got.master_addr, got.master_port, got.standalone,
          got.training_script, got.training_script_args)
)");
  std::filesystem::permissions(folder / "torchrun", std::filesystem::perms::owner_all);
  yaml::ExportContext context;
  context.script = "it's train.py";
  const std::string there = "cd " + folder.path().string() + " && ";
  const auto call = [&](const PipelineSpec& spec, const std::string& environment) {
    spill(folder / "run.sh", mainText("torchrun", spec, context));
    CHECK(runShell(there + environment + " PATH=$PWD:$PATH bash run.sh --lr=1 'a b'").code == 0);
  };
  call(eightRanks(), "NODE_RANK=1 MASTER_ADDR=alpha");
  call(PipelineSpec{}, "");
  context.hosts = {"beta", "gamma"};
  call(eightRanks(), "NODE_RANK=1");
  call(eightRanks(), "NODE_RANK=1 MASTER_ADDR=alpha");
  CHECK(runShell(there + test::kPython + " understood.py").out ==
        "2 4 1 alpha 29500 False it's train.py ['--lr=1', 'a b']\n"
        "1 2 0 127.0.0.1 29500 True it's train.py ['--lr=1', 'a b']\n"
        "2 4 1 beta 29500 False it's train.py ['--lr=1', 'a b']\n"
        "2 4 1 alpha 29500 False it's train.py ['--lr=1', 'a b']\n");
  context.python = "/opt/my venv/bin/python";
  CHECK(mainText("torchrun", eightRanks(), context).find("exec '/opt/my venv/bin/python' -m torch.distributed.run ") !=
        std::string::npos);
}

TEST_CASE("Open MPI: mpirun deals the ranks node by node over the hostfile") {
  if (runShell("command -v mpirun").code != 0) return;  // the bare build has no MPI
  const TempFolder folder;
  yaml::ExportContext context;
  context.hosts = {"alpha", "beta"};
  const auto result = exported("openmpi", eightRanks(), context);
  spill(folder / "hosts.txt", result.files.at(1).text);
  const auto map = runShell(
      "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 300 mpirun --do-not-launch --display-map "
      "--hostfile " +
      (folder / "hosts.txt").string() + " -np 8 --map-by slot --bind-to none true 2>&1");
  const std::size_t alpha = map.out.find("Data for node: alpha\tNum slots: 4\tMax slots: 0\tNum procs: 4");
  const std::size_t beta = map.out.find("Data for node: beta\tNum slots: 4\tMax slots: 0\tNum procs: 4");
  REQUIRE_MESSAGE(alpha != std::string::npos, map.out);
  REQUIRE(beta != std::string::npos);
  const std::size_t third = map.out.find("Process rank: 3 ");
  const std::size_t fourth = map.out.find("Process rank: 4 ");
  CHECK(alpha < third);
  CHECK(third < beta);
  CHECK(beta < fourth);
  CHECK(map.out.find("not enough slots") == std::string::npos);
}

TEST_CASE("Open MPI: the script gives torch its variables on every rank") {
  if (runShell("command -v mpirun").code != 0) return;  // the bare build has no MPI
  const TempFolder folder;
  PipelineSpec spec;
  spec.world.ranks_per_node = 3;
  yaml::ExportContext context;
  context.script = "it's train.py";
  context.python = test::kPython;
  for (const auto& file : exported("openmpi", spec, context).files) spill(folder / file.name, file.text);
  spill(folder / "it's train.py",
        "import os, sys\nopen('rank' + os.environ['RANK'], 'w').write(' '.join([os.environ[k] for k in ('WORLD_SIZE', "
        "'LOCAL_RANK', 'LOCAL_WORLD_SIZE', 'MASTER_ADDR', 'MASTER_PORT')] + sys.argv[1:]))\n");
  const auto ran =
      runShell("cd " + folder.path().string() +
               " && OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 300 bash openmpi.sh 'a b' 2>&1");
  REQUIRE_MESSAGE(ran.code == 0, ran.out);
  for (const std::string rank : {"0", "1", "2"})
    CHECK(test::slurp(folder / ("rank" + rank)) == "3 " + rank + " 3 localhost 29500 a b");
}

TEST_CASE("Open MPI: the script finds its hosts where it was submitted, when a batch system runs a copy of it") {
  const TempFolder folder;
  const TempFolder spool;
  yaml::ExportContext context;
  context.hosts = {"alpha", "beta"};
  for (const auto& file : exported("openmpi", eightRanks(), context).files) spill(folder / file.name, file.text);
  spill(spool / "slurm_script", test::slurp(folder / "openmpi.sh"));
  spill(spool / "mpirun", "#!/bin/sh\necho \"$@\"\n");
  std::filesystem::permissions(spool / "mpirun", std::filesystem::perms::owner_all);
  const std::string at = "PATH=" + spool.path().string() + ":$PATH ";
  const std::string hosts = "--hostfile " + (folder / "hosts.txt").string() + " ";
  const std::string copy = "bash " + (spool / "slurm_script").string();
  CHECK(runShell(at + "SLURM_SUBMIT_DIR=" + folder.path().string() + " " + copy).out.find(hosts) != std::string::npos);
  CHECK(runShell(at + "bash " + (folder / "openmpi.sh").string()).out.find(hosts) != std::string::npos);
}

TEST_CASE("Open MPI: what is no host name is refused") {
  yaml::ExportContext context;
  context.hosts = {"good", "bad slots=99"};
  yaml::ExportContext many;
  many.hosts = {"a", "b", "c"};
  CHECK(exported("openmpi", eightRanks(), many).problems.at(0).message == "--host names 3 nodes, but the spec has 2.");
  const auto result = exported("openmpi", eightRanks(), context);
  CHECK(result.files.empty());
  CHECK(result.problems.at(0).message == "'bad slots=99' is not a host name.");
  CHECK(says(exported("openmpi", eightRanks()).not_carried, "names of the nodes"));
}

TEST_CASE("words for a shell and for Python come out as they went in") {
  for (const std::string& name : kBadNames) {
    CAPTURE(name);
    CHECK(runShell("printf %s " + yaml::shellWord(name)).out == name);
    const TempFolder folder;
    spill(folder / "a.py", "import sys\nsys.stdout.buffer.write(" + yaml::pythonText(name) + ".encode())\n");
    CHECK(runShell(std::string(test::kPython) + " " + (folder / "a.py").string()).out == name);
    CHECK(std::none_of(name.begin(), name.end(), [](char c) { return c == '\0'; }));
  }
  CHECK(yaml::pythonValue(Value(IndexList{1, 2, 3})) == "range(1, 4)");
  CHECK(yaml::pythonValue(Value(IndexList{3, 1})) == "[3, 1]");
  CHECK(yaml::pythonValue(Value(true)) == "True");
}

TEST_CASE("what the audit finds stands in the head of every main file, on lines of its own") {
  yaml::ExportContext context;
  context.audit_errors = {"Two ranks read the same", "a\nline: break"};
  for (const yaml::ExportTarget& target : yaml::exportTargets()) {
    CAPTURE(target.id);
    const std::string text = mainText(target.id, eightRanks(), context);
    CHECK(text.find("\n#   Two ranks read the same\n#   a line: break\n") != std::string::npos);
    CHECK(text.find("\n#   Two ranks") < text.find("\nset -euo pipefail\n"));
    CHECK(text.find("\n#   Two ranks") < 500);
    CHECK(mainText(target.id, eightRanks()).find("The audit") == std::string::npos);
  }
}

TEST_CASE("the target pytorch is named as the way, for every sampler") {
  PipelineSpec spec = eightRanks();
  for (const char* target : {"torchrun", "openmpi", "lightning"}) {
    CAPTURE(target);
    spec.sampler = {"torch.DistributedSampler", {}};
    spec.loader.batch_size = 2;
    spec.sampler.parameters["shuffle"] = false;
    CHECK(says(exported(target, spec).not_carried, "as the code of the target pytorch does"));
    spec.sampler = {"datasets.IterableDataset", {}};
    const auto other = exported(target, spec);
    REQUIRE_MESSAGE(other.problems.empty(), other.problems.front().text());
    CHECK(says(other.not_carried, "as the code of the target pytorch does"));
  }
}

TEST_CASE("one rank is one rank") {
  PipelineSpec spec;
  spec.world = {1, 1};
  CHECK(mainText("openmpi", spec).find(": 1 rank with Open MPI.") != std::string::npos);
  CHECK(mainText("torchrun", spec).find(": 1 node with 1 rank each.") != std::string::npos);
}

TEST_CASE("a seed that each rank makes is an expression in Python, and the same words in a spec") {
  PipelineSpec spec = eightRanks();
  spec.seeds.base = 42;
  spec.sampler = {"torch.DistributedSampler", {{"seed", std::string("base+rank")}}};
  CHECK(mainText("pytorch", spec).find("seed=42 + rank,") != std::string::npos);
  spec.sampler = {"torch.RandomSampler",
                  {{"generator", std::string("sampler")}, {"generator_seed", std::string("base+local_rank")}}};
  CHECK(mainText("pytorch", spec).find("generator.manual_seed(42 + rank % RANKS_PER_NODE)") != std::string::npos);
  const std::string written = yaml::writeSpec(spec, sampling::catalogue());
  CHECK(written.find("generator_seed: base+local_rank") != std::string::npos);
  CHECK(yaml::readSpec(written, sampling::catalogue()).spec == spec);
}
