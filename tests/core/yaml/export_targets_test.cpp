// SPDX-License-Identifier: Apache-2.0
// What launchers, clusters and frameworks are given: closed schemas, numbers that agree, texts that their readers take.
#include "core/yaml/export_parts.h"
#include "tests/core/yaml/exported.h"
#include "tests/core/yaml/random_spec.h"
#include "tests/support/json_schema.h"

#include <algorithm>
#include <map>
#include <string>

using namespace shardlens;
using test::asJson;
using test::exported;
using test::mainText;
using test::runShell;
using test::says;
using test::spill;
using test::TempFolder;

namespace {

std::string fileOf(const yaml::ExportResult& result, const std::string& name) {
  const auto file = std::ranges::find(result.files, name, &yaml::ExportFile::name);
  REQUIRE(file != result.files.end());
  return file->text;
}

/// Two nodes of four ranks, with loader workers.
PipelineSpec eightRanks() {
  PipelineSpec spec = test::eightRanks();
  spec.loader.num_workers = 2;
  return spec;
}

/// As bash without running it, and as shellcheck where it is installed.
void checkShell(const std::string& text) {
  const TempFolder folder;
  spill(folder / "a.sh", text);
  const auto ran = runShell("bash -n " + (folder / "a.sh").string() + " 2>&1");
  CHECK_MESSAGE(ran.code == 0, ran.out);
}

/// Without the lines that say what is not carried, and why: they name the script.
std::string withoutReasons(const std::string& text) {
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    if (text.compare(begin, 4, "#   ") != 0) out += text.substr(begin, end - begin);
    begin = end;
  }
  return out;
}

std::vector<std::string> hostileNames() {
  std::vector<std::string> names = test::kBadNames;
  names.insert(names.end(), {"", "42", "\u00DCn\u00EF"});
  return names;
}
const std::vector<std::string> kBadNames = hostileNames();

}  // namespace

TEST_CASE("YAML targets hold their closed schemas, for random specs and hostile names") {
  test::RandomSpec specs(sampling::catalogue(), 23);
  const yaml::ExportContext with_all{"my train.py", "python3.11", "",  {"a", "b"}, "p",
                                     "q",           "1:00",       "4", "me/img:1", {}};
  std::map<std::string, std::string> texts;
  std::map<std::string, std::string> schemas;
  for (int i = 0; i < 60; ++i) {
    PipelineSpec spec = specs.next();
    if (i % 3 == 0) spec.name = kBadNames[static_cast<std::size_t>(i / 3) % kBadNames.size()];
    for (const char* target :
         {"accelerate", "huggingface", "composer", "hydra", "trainjob", "pytorchjob", "mpijob", "skypilot"}) {
      const std::string name = std::string(target) + std::to_string(i);
      const auto result = yaml::exportSpec(*yaml::findTarget(target), spec, sampling::catalogue(),
                                           i % 2 == 0 ? with_all : yaml::ExportContext{});
      if (!result.problems.empty()) continue;
      texts[name] = result.files.front().text;
      schemas[name] = std::string(target) + ".schema.json";
    }
  }
  REQUIRE(texts.size() > 300);
  for (const auto& read : asJson(texts)) {
    const std::string name = read.first;  // clang 14 lets no lambda capture a structured binding, as CAPTURE does
    CAPTURE(name);
    CAPTURE(texts[name]);
    CHECK(test::schemaProblems(read.second, schemas[name]) == "");
  }
}

TEST_CASE("what is not carried is in the file as well") {
  for (const yaml::ExportTarget& target : yaml::exportTargets()) {
    CAPTURE(target.id);
    const auto result = exported(target.id, eightRanks());
    const std::string& text = result.files.front().text;
    CHECK((text.find("# Not included here:\n#   ") != std::string::npos) == !result.not_carried.empty());
    for (const std::string& sentence : result.not_carried)
      CHECK(text.find(sentence.substr(0, 30)) != std::string::npos);
  }
}

TEST_CASE("Slurm: the tasks, cores and variables of the ranks, and only what is asked for") {
  const std::string text = mainText("slurm", eightRanks());
  CHECK(
      text.starts_with("#!/usr/bin/env bash\n#SBATCH --job-name=eight\n#SBATCH --nodes=2\n"
                       "#SBATCH --ntasks-per-node=4\n#SBATCH --cpus-per-task=3\n#SBATCH --output="));
  CHECK(text.find("--gpus-per-node") == std::string::npos);
  CHECK(text.find("\n# It asks for no GPUs; the export's option gpus does.\n") != std::string::npos);
  yaml::ExportContext context;
  context.partition = "gpu";
  context.account = "lab";
  context.time = "2-00:00:00";
  context.gpus = "4";
  for (const char* target : {"slurm", "slurm-torchrun"}) {
    const std::string asked = mainText(target, eightRanks(), context);
    for (const char* line : {"\n#SBATCH --gpus-per-node=4\n", "\n#SBATCH --time=2-00:00:00\n",
                             "\n#SBATCH --partition=gpu\n", "\n#SBATCH --account=lab\n"})
      CHECK(asked.find(line) != std::string::npos);
    checkShell(asked);
  }
  const std::string by_torchrun = mainText("slurm-torchrun", eightRanks());
  CHECK(by_torchrun.find("#SBATCH --ntasks-per-node=1\n#SBATCH --cpus-per-task=12\n") != std::string::npos);
  CHECK(by_torchrun.find("--nproc_per_node=4") != std::string::npos);
}

TEST_CASE("Slurm's directives come before the first command, whatever the name") {
  for (const std::string& name : kBadNames) {
    PipelineSpec spec = eightRanks();
    spec.name = name;
    const std::string text = mainText("slurm", spec);
    CHECK(text.rfind("\n#SBATCH") < text.find("\nset -euo pipefail\n"));
    checkShell(text);
    const std::string job = yaml::jobName(spec);
    CHECK(
        std::ranges::all_of(job, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; }));
    CHECK((job.front() >= 'a' && job.front() <= 'z'));
  }
}

TEST_CASE("DeepSpeed: the batch is micro batch times accumulation times ranks") {
  test::RandomSpec specs(sampling::catalogue(), 5);
  for (int i = 0; i < 100; ++i) {
    const PipelineSpec spec = specs.next();
    const auto result = yaml::exportSpec(*yaml::findTarget("deepspeed"), spec, sampling::catalogue());
    if (!result.problems.empty()) continue;
    const auto json = nlohmann::json::parse(fileOf(result, "ds_config.json"));
    CHECK(test::schemaProblems(json, "deepspeed.schema.json") == "");
    CHECK(json["train_batch_size"].get<std::int64_t>() == json["train_micro_batch_size_per_gpu"].get<std::int64_t>() *
                                                              json["gradient_accumulation_steps"].get<std::int64_t>() *
                                                              spec.worldSize());
    checkShell(result.files.front().text);
  }
  PipelineSpec accumulating = eightRanks();
  accumulating.loader.gradient_accumulation_steps = 5;
  CHECK(nlohmann::json::parse(fileOf(exported("deepspeed", accumulating), "ds_config.json"))["train_batch_size"] == 80);
  CHECK(exported("deepspeed", eightRanks()).files.size() == 3);
}

TEST_CASE("DeepSpeed's own sampler is carried by data_efficiency") {
  PipelineSpec spec = eightRanks();
  spec.sampler.type = "deepspeed.DeepSpeedDataSampler";
  spec.sampler.parameters["seed"] = std::int64_t{7};
  spec.sampler.parameters["gradient_accumulation_steps"] = std::int64_t{3};
  const auto json = nlohmann::json::parse(fileOf(exported("deepspeed", spec), "ds_config.json"));
  CHECK(json["train_batch_size"] == 2 * 3 * 8);
  CHECK(json["data_efficiency"]["seed"] == 7);
  CHECK(json["data_efficiency"]["data_sampling"]["num_epochs"] == spec.epochs);
}

TEST_CASE("an optimizer step takes what the sampler says, and a loader's key that says otherwise is named") {
  PipelineSpec spec;
  spec.world = {1, 2};
  spec.loader.batch_size = 4;
  spec.loader.gradient_accumulation_steps = 4;
  spec.sampler = {"megatron_bridge.MegatronPretrainingBatchSampler", {{"global_batch_size", std::int64_t{64}}}};
  CHECK(mainText("megatron", spec).find("--micro-batch-size 4 --global-batch-size 64") != std::string::npos);
  CHECK_FALSE(says(exported("megatron", spec).not_carried, "{global_batch_size"));
  CHECK(asJson(mainText("lightning", spec))["data"]["batch_size"] == 32);
  for (const char* target : {"lightning", "hydra", "huggingface"}) {
    CAPTURE(target);
    const std::string text = mainText(target, spec);
    CHECK(text.find("accumulate_grad_batches:") == std::string::npos);
    CHECK(says(exported(target, spec).not_carried,
               "loader.gradient_accumulation_steps 4: not used, because sampler.global_batch_size says"));
  }
  spec.sampler.parameters["global_batch_size"] = std::int64_t{65};  // ranks cannot take equal shares
  CHECK_FALSE(says(exported("lightning", spec).not_carried, "loader.batch_size 4: the file has"));
  spec.sampler.parameters["global_batch_size"] = std::int64_t{64};
  for (const char* sampler :
       {"megatron_bridge.MegatronPretrainingBatchSampler", "megatron.HybridCPMegatronPretrainingSampler"}) {
    spec.sampler.type = sampler;
    for (const char* target : {"lightning", "hydra", "deepspeed", "composer", "megatron", "huggingface"}) {
      CAPTURE(sampler);
      CAPTURE(target);
      const bool has_share = mainText(target, spec).find("micro-batch-size 4 ") == std::string::npos &&
                             mainText(target, spec).find("per_device_train_batch_size: 4") == std::string::npos;
      const std::vector<std::string> said = exported(target, spec).not_carried;
      const bool is_of_all = std::string(target) == "hydra" || std::string(target) == "composer";
      CHECK(says(said,
                 "loader.batch_size 4: the file has 32 instead, what a rank takes of sampler.global_batch_size in an "
                 "optimizer step.") == (has_share && !is_of_all));
      CHECK(says(said,
                 "loader.batch_size 4: the file has 64 of all ranks instead, of which each takes 32 in an optimizer "
                 "step.") == is_of_all);
    }
  }
  spec.sampler.parameters["global_batch_size"] = std::int64_t{8};  // one micro batch a rank
  CHECK_FALSE(says(exported("lightning", spec).not_carried, "loader.batch_size"));
  spec.sampler = {"deepspeed.DeepSpeedDataSampler", {{"gradient_accumulation_steps", std::int64_t{2}}}};
  CHECK(mainText("megatron", spec).find("--micro-batch-size 4 --global-batch-size 16") != std::string::npos);
  CHECK(asJson(mainText("lightning", spec))["trainer"]["accumulate_grad_batches"] == 2);
  CHECK(asJson(mainText("hydra", spec))["trainer"]["accumulate_grad_batches"] == 2);
  const std::vector<std::string> said = exported("lightning", spec).not_carried;
  CHECK(says(said, "4: not used, because sampler.gradient_accumulation_steps says"));
  CHECK_FALSE(says(said, "gradient_accumulation_steps: "));
}

TEST_CASE("Accelerate: processes are counted over all machines, and its sampler is a DataLoaderConfiguration") {
  const auto json = asJson(mainText("accelerate", eightRanks()));
  CHECK(json["num_processes"] == 8);
  CHECK(json["num_machines"] == 2);
  CHECK(json["main_process_ip"] == "node0");
  CHECK(says(exported("accelerate", eightRanks()).not_carried, "do not pass it to prepare()"));
  PipelineSpec one;
  one.world = {1, 1};
  CHECK(asJson(mainText("accelerate", one))["distributed_type"] == "NO");
  yaml::ExportContext cpu;
  cpu.gpus = "0";
  CHECK(asJson(mainText("accelerate", eightRanks(), cpu))["use_cpu"] == true);
  CHECK(mainText("accelerate", eightRanks(), cpu).find("--mpirun_hostfile HOSTFILE train.py") != std::string::npos);
  CHECK(says(exported("accelerate", eightRanks(), cpu).not_carried, "starts 8 processes only by mpirun"));
  CHECK_FALSE(says(exported("accelerate", one, cpu).not_carried, "mpirun"));
  PipelineSpec own = eightRanks();
  own.sampler = {"accelerate.BatchSamplerShard",
                 {{"even_batches", false}, {"data_seed", std::int64_t{4}}, {"shuffle", false}}};
  const auto result = exported("accelerate", own);
  const std::string code = fileOf(result, "accelerate_loader.py");
  for (const char* part : {"dispatch_batches=False", "split_batches=False", "even_batches=False",
                           "use_seedable_sampler=False", "data_seed=4"})
    CHECK(code.find(part) != std::string::npos);
  CHECK_FALSE(says(result.not_carried, "even_batches"));
  CHECK(says(result.not_carried, "shuffle: false"));
}

TEST_CASE("what nothing in the export calls, the script must call: set_epoch, said once") {
  const std::string sentence = "the script itself must call set_epoch(epoch)";
  PipelineSpec spec = eightRanks();
  spec.sampler.parameters["set_epoch"] = true;
  for (const yaml::ExportTarget& target : yaml::exportTargets()) {
    CAPTURE(target.id);
    const bool calls_it = target.id == "shardlens" || target.id == "pytorch" || target.id == "lightning" ||
                          target.id == "hydra" || target.id == "composer" || target.id == "huggingface";
    const std::vector<std::string> said = exported(target.id, spec).not_carried;
    CHECK(says(said, sentence) == !calls_it);
    CHECK_FALSE(says(said, "set_epoch: true"));
  }
  spec.sampler.parameters["shuffle"] = false;
  CHECK_FALSE(says(exported("slurm", spec).not_carried, sentence));
  spec.sampler.parameters = {{"set_epoch", false}};
  CHECK_FALSE(says(exported("slurm", spec).not_carried, sentence));
  CHECK(says(exported("hydra", spec).not_carried, "set_epoch: false"));
  for (const char* type :
       {"datasets.IterableDataset", "shardlens.DistributedTwoStreamBatchSampler", "timm.ScheduledBatchSampler"}) {
    CAPTURE(type);
    spec.sampler = {type, {{"set_epoch", true}}};
    if (spec.sampler.type == "datasets.IterableDataset") spec.sampler.parameters["shuffle"] = true;
    for (const char* target : {"lightning", "hydra", "composer"})
      CHECK(says(exported(target, spec).not_carried, sentence));
    const bool is_batch_sampler = spec.sampler.type != "datasets.IterableDataset";
    CHECK(says(exported("huggingface", spec).not_carried, sentence) == is_batch_sampler);
    spec.sampler.parameters["set_epoch"] = false;
    CHECK_FALSE(says(exported("lightning", spec).not_carried, "Lightning calls set_epoch itself"));
  }
}

TEST_CASE("Python files run, with stand-ins for the packages that Debian lacks") {
  PipelineSpec own = eightRanks();
  own.sampler = {"accelerate.BatchSamplerShard", {}};
  const TempFolder folder;
  spill(folder / "loader.py", fileOf(exported("accelerate", own), "accelerate_loader.py"));
  spill(folder / "scaling.py", mainText("ray", eightRanks()));
  spill(folder / "check.py",
        "import sys, types\n"
        "def module(name, **parts):\n"
        "    sys.modules[name] = types.ModuleType(name)\n"
        "    vars(sys.modules[name]).update(parts)\n"
        "module('accelerate', Accelerator=dict)\n"
        "module('accelerate.utils', DataLoaderConfiguration=dict)\n"
        "module('ray')\n"
        "module('ray.train', ScalingConfig=dict)\n"
        "import loader, scaling\n"
        "print(loader.accelerator['dataloader_config']['even_batches'], scaling.scaling_config['num_workers'],\n"
        "      scaling.scaling_config['resources_per_worker'])\n");
  const auto ran = runShell("cd " + folder.path().string() + " && " + test::kPython + " check.py 2>&1");
  CHECK(ran.out == "True 8 {'CPU': 3}\n");
}

TEST_CASE("the Trainer's own order is carried where the spec has it, and only there") {
  PipelineSpec spec = eightRanks();
  spec.seeds.base = 9;
  CHECK(asJson(mainText("huggingface", spec)).contains("accelerator_config") == false);
  CHECK(says(exported("huggingface", spec).not_carried, "the Trainer makes its own loader"));
  spec.sampler = {"accelerate.BatchSamplerShard", {{"use_seedable_sampler", true}}};
  const auto json = asJson(mainText("huggingface", spec));
  CHECK(json["seed"] == 9);
  CHECK(json["accelerator_config"]["use_seedable_sampler"] == true);
  CHECK(json["dataloader_num_workers"] == 2);
  CHECK_FALSE(says(exported("huggingface", spec).not_carried, "the Trainer makes its own loader"));
  spec.seeds.rule = "base+rank";
  CHECK_FALSE(asJson(mainText("huggingface", spec)).contains("seed"));
  CHECK(says(exported("huggingface", spec).not_carried, "the Trainer makes its own loader"));
}

TEST_CASE("StreamingDataset's arguments are carried by llm-foundry's YAML") {
  PipelineSpec spec = eightRanks();
  spec.sampler = {"streaming.StreamingDataset", {{"shuffle", true}, {"num_canonical_nodes", std::int64_t{4}}}};
  const auto json = asJson(mainText("composer", spec));
  CHECK(json["global_train_batch_size"] == 16);
  CHECK(json["max_duration"] == "2ep");
  CHECK(json["train_loader"]["dataset"]["num_canonical_nodes"] == 4);
  CHECK(json["train_loader"]["dataset"]["shuffle_block_size"].is_null());
  CHECK_FALSE(json.contains("seed"));  // Composer adds the rank
  spec.seeds = {3, "base+rank"};
  CHECK(asJson(mainText("composer", spec))["seed"] == 3);
}

TEST_CASE("Megatron-LM: the loader type of its samplers, external for others, and no seed that it refuses") {
  PipelineSpec spec = eightRanks();
  spec.seeds.base = 5;
  CHECK(mainText("megatron", spec).find("--dataloader-type external --seed 5") != std::string::npos);
  spec.sampler = {"megatron.MegatronPretrainingRandomSampler", {{"data_sharding", false}}};
  const std::string cyclic = mainText("megatron", spec);
  CHECK(cyclic.find("--micro-batch-size 2 --global-batch-size 16") != std::string::npos);
  CHECK(cyclic.find("--dataloader-type cyclic --no-data-sharding --seed 5") != std::string::npos);
  checkShell(cyclic);
  spec.seeds.base = 0;
  CHECK(mainText("megatron", spec).find("--seed") == std::string::npos);
  CHECK(says(exported("megatron", spec).not_carried, "seeds {base: 0"));
}

TEST_CASE("with split_batches, loader.batch_size is the batch of all ranks") {
  PipelineSpec spec = eightRanks();
  spec.loader.batch_size = 16;
  spec.sampler = {"accelerate.BatchSamplerShard", {{"split_batches", true}}};
  CHECK(asJson(mainText("lightning", spec))["data"]["batch_size"] == 2);
  CHECK(asJson(mainText("hydra", spec))["data"]["batch_size"] == 16);
  CHECK(asJson(mainText("composer", spec))["global_train_batch_size"] == 16);
  CHECK(mainText("megatron", spec).find("--micro-batch-size 2 --global-batch-size 16") != std::string::npos);
  CHECK(nlohmann::json::parse(fileOf(exported("deepspeed", spec), "ds_config.json"))["train_batch_size"] == 16);
}

TEST_CASE("Lightning replaces no sampler that the plan has, and its own keys are written") {
  PipelineSpec spec = eightRanks();
  spec.sampler.type = "torch.RandomSampler";
  spec.framework.lightning.overfit_batches = 3;
  for (const char* target : {"lightning", "hydra"})
    CHECK(asJson(mainText(target, spec))["trainer"]["use_distributed_sampler"] == false);
  CHECK(asJson(mainText("lightning", spec))["trainer"]["overfit_batches"] == 3);
  CHECK_FALSE(says(exported("lightning", spec).not_carried, "overfit_batches"));
  CHECK_FALSE(asJson(mainText("hydra", spec)).contains("seed"));  // the template takes 0 for none
  CHECK(says(exported("hydra", spec).not_carried, "seeds {base: 0"));
}

TEST_CASE("Kubeflow: one master and the other nodes as workers; as many MPI ranks as slots") {
  const auto torch = asJson(mainText("pytorchjob", eightRanks()));
  CHECK(torch["spec"]["nprocPerNode"] == "4");
  CHECK(torch["spec"]["pytorchReplicaSpecs"]["Worker"]["replicas"] == 1);
  const auto mpi = asJson(mainText("mpijob", eightRanks()));
  const auto& command = mpi["spec"]["mpiReplicaSpecs"]["Launcher"]["template"]["spec"]["containers"][0]["command"];
  CHECK(std::stoll(command[2].get<std::string>()) ==
        mpi["spec"]["slotsPerWorker"].get<std::int64_t>() *
            mpi["spec"]["mpiReplicaSpecs"]["Worker"]["replicas"].get<std::int64_t>());
  yaml::ExportContext gpus;
  gpus.gpus = "8";
  gpus.image = "registry.example/train:1";
  const auto job = asJson(mainText("trainjob", eightRanks(), gpus));
  CHECK(job["spec"]["trainer"]["resourcesPerNode"]["limits"]["nvidia.com/gpu"] == 8);
  CHECK(job["spec"]["trainer"]["image"] == "registry.example/train:1");
  CHECK(says(exported("pytorchjob", eightRanks()).not_carried, "placeholder"));
  CHECK_FALSE(says(exported("pytorchjob", eightRanks(), gpus).not_carried, "placeholder"));
}

TEST_CASE("Hydra's overlay loads in OmegaConf") {
  const TempFolder folder;
  spill(folder / "experiment.yaml", mainText("hydra", eightRanks()));
  const auto ran = runShell("cd " + folder.path().string() + " && " + test::kPython +
                            " -c 'import omegaconf; c = omegaconf.OmegaConf.load(\"experiment.yaml\"); "
                            "print(c.data.batch_size, c.trainer.devices)' 2>&1");
  if (ran.out.find("No module named") != std::string::npos) {
    MESSAGE("SKIPPED: python3-omegaconf is not installed");
    return;
  }
  CHECK(ran.out == "16 4\n");
}

TEST_CASE("options are read as they are written, and refused with what they may say") {
  yaml::ExportContext context;
  const auto set = [&](const char* id, const std::string& text) {
    return yaml::setOption(context, *yaml::findOption(id), text);
  };
  CHECK(set("host", "a,b.c"));
  CHECK(context.hosts == std::vector<std::string>{"a", "b.c"});
  CHECK(yaml::optionText(context, *yaml::findOption("host")) == "a,b.c");
  CHECK_FALSE(set("host", "a,,b"));
  CHECK(context.hosts.size() == 2);
  CHECK(set("host", ""));
  CHECK(context.hosts.empty());
  CHECK(set("gpus", "0"));
  for (const char* wrong : {"-1", "four", "1.5", "99999999999999999999"}) CHECK_FALSE(set("gpus", wrong));
  CHECK(context.gpus == "0");
  for (const char* wrong : {"a b", "x\n#SBATCH --wrap", "\"", "$(id)"}) CHECK_FALSE(set("partition", wrong));
  CHECK(set("time", "2-00:00:00"));
  CHECK_FALSE(set("script", "a\nb"));
  CHECK(set("script", "my train.py"));
  CHECK_FALSE(set("script", ""));
  CHECK_FALSE(set("time", "1x"));
  for (const yaml::ExportTarget& target : yaml::exportTargets()) {
    for (const std::string& id : target.options) CHECK(yaml::findOption(id) != nullptr);
  }
}

TEST_CASE("each option changes the files of the targets that name it, and of no others") {
  const std::map<std::string, std::string> texts = {
      {"script", "other.py"}, {"python", "python3.12"}, {"data-class", "my.Data"}, {"host", "h0,h1"},
      {"partition", "p"},     {"account", "a"},         {"time", "9:00"},          {"gpus", "3"},
      {"image", "me/i:1"}};
  for (const yaml::ExportOption& option : yaml::exportOptions()) {
    yaml::ExportContext context;
    REQUIRE(yaml::setOption(context, option, texts.at(option.id)));
    for (const yaml::ExportTarget& target : yaml::exportTargets()) {
      CAPTURE(option.id);
      CAPTURE(target.id);
      const auto with = exported(target.id, eightRanks(), context);
      const auto without = exported(target.id, eightRanks());
      bool differs = false;
      for (std::size_t i = 0; i < with.files.size(); ++i)
        differs = differs || withoutReasons(with.files[i].text) != withoutReasons(without.files[i].text);
      const bool is_named = std::ranges::find(target.options, option.id) != target.options.end();
      CHECK(differs == is_named);
    }
  }
}

TEST_CASE("nodes with different numbers of ranks go to launchers that can say them, and others refuse") {
  PipelineSpec spec = eightRanks();
  spec.world = {2, RanksPerNode({2, 1})};
  CHECK(fileOf(exported("openmpi", spec), "hosts.txt").ends_with("node0 slots=2\nnode1 slots=1\n"));
  CHECK(fileOf(exported("deepspeed", spec), "hosts.txt").ends_with("node0 slots=2\nnode1 slots=1\n"));
  CHECK(mainText("deepspeed", spec).find("--num_gpus") == std::string::npos);
  CHECK(fileOf(exported("mpich", spec), "hosts-mpich.txt").ends_with("node0:2\nnode1:1\n"));
  CHECK(mainText("mpich", spec).find("-ppn") == std::string::npos);
  CHECK(mainText("shardlens", spec).find("world: {nodes: 2, ranks_per_node: [2, 1]}") != std::string::npos);
  CHECK_FALSE(mainText("pytorch", spec).empty());
  CHECK(says(exported("composer", spec).not_carried, "world {nodes: 2, ranks_per_node: [2, 1]}"));
  for (const char* target : {"torchrun", "megatron"}) {
    CAPTURE(target);
    std::string script = mainText(target, spec);
    checkShell(script);
    script.replace(script.find("exec torchrun"), 13, "echo torchrun");
    const TempFolder folder;
    spill(folder / "a.sh", script);
    for (const auto& [node, ranks] : {std::pair{"0", "2"}, {"1", "1"}}) {
      const auto ran =
          runShell("NODE_RANK=" + std::string(node) + " MASTER_ADDR=a bash " + (folder / "a.sh").string() + " 2>&1");
      CHECK_MESSAGE(ran.out.find("--nproc_per_node=" + std::string(ranks) + " ") != std::string::npos, ran.out);
    }
    CHECK(runShell("MASTER_ADDR=a bash " + (folder / "a.sh").string() + " 2>&1").code != 0);
  }
  for (const char* target : {"slurm", "slurm-torchrun", "lightning", "hydra", "accelerate", "trainjob", "pytorchjob",
                             "mpijob", "skypilot"}) {
    CAPTURE(target);
    const auto refused = exported(target, spec);
    REQUIRE(refused.problems.size() == 1);
    CHECK(refused.problems[0].message.find(
              "gives every node the same number of ranks, but these nodes differ: 2 + 1.") != std::string::npos);
    CHECK(refused.files.empty());
  }
}
