// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/registry.h"
#include "core/spec/field_table.h"
#include "core/yaml/exporter.h"
#include "core/yaml/imports/importer.h"
#include "core/yaml/spec_reader.h"
#include "tests/core/yaml/random_spec.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace shardlens;
using Kind = yaml::ImportNote::Kind;

namespace {

yaml::Imported imported(const std::vector<yaml::ImportSource>& sources) {
  yaml::Imported out = yaml::importSpec(sources, sampling::catalogue());
  REQUIRE_MESSAGE(out.problems.empty(), out.problems.front().text());
  return out;
}

yaml::Imported imported(const std::string& text) {
  return imported({{"job", text}});
}

bool has(const yaml::Imported& result, Kind kind, const std::string& line) {
  const auto lines = result.lines(kind);
  return std::ranges::any_of(lines, [&](const std::string& one) { return one.find(line) != std::string::npos; });
}

PipelineSpec::World worldOf(const std::string& text) {
  return imported(text).spec.world;
}

std::string exported(const std::string& target, const PipelineSpec& spec) {
  const auto result = yaml::exportSpec(*yaml::findTarget(target), spec, sampling::catalogue());
  REQUIRE_MESSAGE(result.problems.empty(), result.problems.front().text());
  return result.files.front().text;
}

}  // namespace

TEST_CASE("launchers say the world") {
  using World = PipelineSpec::World;
  CHECK(worldOf("torchrun --nproc_per_node=4 train.py") == World{1, 4});
  CHECK(worldOf("torchrun --nnodes 2 --nproc-per-node 8 train.py") == World{2, 8});
  CHECK(worldOf("python3 -m torch.distributed.run --standalone --nproc_per_node=2 train.py") == World{1, 2});
  CHECK(worldOf("/opt/bin/mpirun -np 8 python train.py") == World{1, 8});
  CHECK(worldOf("mpirun --mca btl tcp -x A -n 8 -npernode 4 ./solver") == World{2, 4});
  CHECK(worldOf("mpiexec.hydra -n 6 -ppn 3 ./solver") == World{2, 3});
  CHECK(worldOf("mpirun -H a:2,b:1 -np 3 ./solver") == World{2, RanksPerNode({2, 1})});
  CHECK(worldOf("mpirun -H a:2,b:1 -np 2 ./solver") == World{2, 1});  // which of them are used is not said
  CHECK(worldOf("trainer: {devices: \"1,2\", num_nodes: 1}\nseed_everything: 1\n").ranks_per_node.list().empty());
  CHECK(worldOf("accelerate launch --num_processes 8 --num_machines=2 train.py") == World{2, 4});
  CHECK(worldOf("deepspeed --num_nodes 2 --num_gpus 4 train.py --deepspeed") == World{2, 4});
  CHECK(worldOf("#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=4\nsrun python train.py\n") == World{2, 4});
  CHECK(worldOf("#!/bin/bash\n#SBATCH -N 2 -n 8\nsrun python train.py\n") == World{2, 4});
  CHECK(worldOf("#SBATCH --nodes=3\n#SBATCH --ntasks-per-node=1\nsrun torchrun --nnodes=$SLURM_NNODES "
                "--nproc_per_node=8 train.py") == World{3, 8});
}

TEST_CASE("an sbatch command wins over the lines of its script, and gives it its arguments and its environment") {
  const std::string head = "#!/bin/bash\n#SBATCH --nodes=1\n#SBATCH --ntasks-per-node=8\n#SBATCH --time 1:00 -J a\n";
  const auto submitted = [&](const std::string& line, const std::string& body) {
    return imported({{"command line", line}, {"job.sh", head + body}});
  };
  const std::string train = "srun python train.py --epochs ${EPOCHS:-9} \"$@\"\n";
  for (const char* options : {"-N 2 --ntasks-per-node=4", "-N2 --ntasks-per-node 4", "-HN2 -J torchrun -n8 -p gpu",
                              "--nodes=2 -n 8 --exclusive --gres=gpu:4", "--nodes 2 --ntasks 8 -Jjob.py -W --mem 4G"}) {
    CAPTURE(options);
    const auto job = submitted("sbatch " + std::string(options) + " scripts/job.sh --batch-size 32", train);
    CHECK(job.spec.world == PipelineSpec::World{2, 4});
    CHECK(job.spec.loader.batch_size == 32);
    CHECK(job.spec.epochs == 9);
    CHECK(has(job, Kind::Read, "world.nodes: 2 (command line: sbatch --nodes)"));
  }
  CHECK(submitted("sbatch job.sh", train).spec.world == PipelineSpec::World{1, 8});
  CHECK(submitted("EPOCHS=3 sbatch job.sh", train).spec.epochs == 3);
  CHECK(submitted("export EPOCHS=3\nsbatch job.sh", train).spec.epochs == 3);
  CHECK(submitted("EPOCHS=3 sbatch --export=NONE job.sh", train).spec.epochs == 9);
  CHECK(submitted("EPOCHS=3 sbatch --export=ALL,EPOCHS=4 job.sh", train).spec.epochs == 4);
  const auto taken = [&](const std::string& body) { return submitted("sbatch job.sh 5 --batch-size 6", body).spec; };
  const std::string rest = "srun python train.py --epochs \"$N\" \"$@\"\n";
  CHECK(taken("N=$1\nshift\n" + rest).epochs == 5);
  CHECK(taken("N=$1\nshift\n" + rest).loader.batch_size == 6);
  const PipelineSpec plain;
  CHECK(taken("while [ $# -gt 0 ]; do\n  N=$1\n  shift\ndone\n" + rest).epochs == plain.epochs);
  CHECK(taken("set -- --lr 1\n" + rest).loader.batch_size == plain.loader.batch_size);
  CHECK(taken("f() {\n  srun python train.py --epochs 2 \"$@\"\n}\nf\n").loader.batch_size == plain.loader.batch_size);
}

TEST_CASE("--wrap is a script of one line, and salloc says what srun leaves open") {
  const auto wrapped =
      imported("sbatch -N 2 --wrap=\"torchrun --nnodes \\$SLURM_NNODES --nproc_per_node=4 a.py --seed 3\"");
  CHECK(wrapped.spec.world == PipelineSpec::World{2, 4});
  CHECK(wrapped.spec.seeds.base == 3);
  CHECK(imported("sbatch --wrap 'python a.py --batch-size 6' -N 1").spec.loader.batch_size == 6);
  CHECK(worldOf("salloc -N 2 --ntasks-per-node=4 srun python train.py") == PipelineSpec::World{2, 4});
  CHECK(worldOf("salloc -N 2 -n 4 srun -n 8 python train.py") == PipelineSpec::World{2, 4});
  CHECK(worldOf("salloc -n 6 torchrun --nproc_per_node=4 train.py") == PipelineSpec::World{1, 4});
}

TEST_CASE("what sbatch does not take, or no source says, is said") {
  const auto problem = [](const std::string& line) {
    const auto result = yaml::importSpec(std::vector<yaml::ImportSource>{{"line", line}}, sampling::catalogue());
    return result.problems.empty() ? std::string("read") : result.problems.front().message;
  };
  CHECK(problem("sbatch --wrap 'torchrun a.py' job.sh") == "sbatch takes --wrap or a script, and both are given.");
  CHECK(problem("sbatch -N 2") == "sbatch is given no script.");
  CHECK(problem("sbatch --fast job.sh") == "line: sbatch --fast is not known as an option of sbatch.");
  const auto unread = imported("sbatch --fast=1 -N 2 job.sh");
  CHECK(unread.spec.world.nodes == 2);
  CHECK(has(unread, Kind::Unknown, "commands: job: sbatch --fast is not known as an option of sbatch."));
  CHECK(has(unread, Kind::Unknown, "world.ranks_per_node: job starts another script, which was not read"));
  CHECK(yaml::isImportable({"a", "sbatch job.sh"}));
}

TEST_CASE("scripts are read with their variables, quotes, arrays and line ends, and nothing is run") {
  CHECK(
      worldOf("GPUS=${GPUS:-4}\nexec torchrun \\\n  --nproc_per_node \"$GPUS\" \\\n  'my train.py'\n").ranks_per_node ==
      4);
  CHECK(worldOf("ARGS=(\n  --nnodes 2  # nodes\n  --nproc_per_node 4\n)\ntorchrun \"${ARGS[@]}\" train.py").nodes == 2);
  CHECK(worldOf("ARGS=\"--nnodes 2 \\\n --nproc_per_node 4\"\ntorchrun $ARGS train.py").nodes == 2);
  CHECK(worldOf("if true; then\n  OMP_NUM_THREADS=1 torchrun --nproc_per_node=3 a.py\nfi").ranks_per_node == 3);
  const auto open = imported("torchrun --nproc_per_node=$(nvidia-smi -L | wc -l) train.py");
  CHECK(has(open, Kind::Unknown, "world.ranks_per_node: "));
  CHECK(has(imported("torchrun --nproc_per_node=gpu train.py"), Kind::Unknown, "depends on the machine"));
}

TEST_CASE("what is read, what is assumed and what is not known is said") {
  const auto job = imported("torchrun --nproc_per_node=4 train.py --batch-size 32 --workers=6 --epochs 90 --seed 3");
  CHECK(job.spec.loader.batch_size == 32);
  CHECK(job.spec.loader.num_workers == 6);
  CHECK(job.spec.epochs == 90);
  CHECK(job.spec.seeds.base == 3);
  CHECK(has(job, Kind::Read, "world.ranks_per_node: 4 (job: torchrun --nproc_per_node)"));
  CHECK(has(
      job, Kind::Assumed,
      "loader.batch_size: 32 (job: --batch-size, an argument of the script, whose meaning is guessed from its name)"));
  CHECK(has(job, Kind::Assumed, "sampler.type: torch.DistributedSampler"));
  CHECK(has(job, Kind::Unknown, "dataset.size: No file says how many samples there are; 16 is a placeholder."));
  CHECK(has(job, Kind::Unknown, "loader.drop_last: No file says it; false is the default of a spec."));
  const auto sized =
      yaml::importSpec(std::vector<yaml::ImportSource>{{"job", "torchrun train.py"}}, sampling::catalogue(), {1000});
  CHECK(sized.spec.dataset.size == 1000);
  CHECK_FALSE(has(sized, Kind::Unknown, "dataset.size"));
}

TEST_CASE("several files are read together, and a later one does not override the first") {
  const auto both = imported({{"job.sh", "torchrun --nproc_per_node=4 train.py"},
                              {"train.yaml",
                               "global_train_batch_size: 32\nmax_duration: 3ep\nseed: 17\ntrain_loader:\n"
                               "  num_workers: 8\n  drop_last: true\n  dataset: {shuffle: true, "
                               "shuffle_seed: \"${seed}\", num_canonical_nodes: null}\n"}});
  CHECK(both.spec.loader.batch_size == 8);
  CHECK(both.spec.epochs == 3);
  CHECK(both.spec.seeds == PipelineSpec::Seeds{17, "base+rank"});
  CHECK(both.spec.sampler.type == "streaming.StreamingDataset");
  CHECK(both.spec.sampler.parameters.at("shuffle_seed") == Value(std::int64_t{17}));
  CHECK(has(both, Kind::Read, "loader.batch_size: 8 (train.yaml: global_train_batch_size: 32, divided by 4)"));
  const auto other =
      imported({{"a", "torchrun --nproc_per_node=4 train.py"}, {"b", "torchrun --nproc_per_node=8 train.py"}});
  CHECK(other.spec.world.ranks_per_node == 4);
  CHECK(has(other, Kind::Unknown, "b: torchrun --nproc_per_node says 8; the spec has the value from another place."));
}

TEST_CASE("Lightning: devices, seed, and the sampler that it injects") {
  const auto file = imported(
      "seed_everything: 7\ntrainer: {num_nodes: 2, devices: 4, max_epochs: 5}\n"
      "data: {init_args: {batch_size: 16, num_workers: 3}}\n");
  CHECK(file.spec.world == PipelineSpec::World{2, 4});
  CHECK(file.spec.sampler.type == "torch.DistributedSampler");
  CHECK(file.spec.sampler.parameters.at("seed") == Value(std::int64_t{7}));
  CHECK(has(file, Kind::Assumed, "loader.batch_size: 16"));
  CHECK(imported("seed_everything: true\ntrainer: {devices: [0, 1]}\n").spec.seeds.rule == "unseeded");
  CHECK(imported("seed_everything: true\ntrainer: {devices: [0, 1]}\n").spec.world.ranks_per_node == 2);
  CHECK(has(imported("seed_everything: 1\ntrainer: {devices: auto}\n"), Kind::Unknown, "depends on the machine"));
  CHECK(has(imported("seed_everything: 1\ntrainer: {devices: 2, use_distributed_sampler: false}\n"), Kind::Unknown,
            "makes its own sampler"));
}

TEST_CASE("the Trainer: its defaults, and its names on the command line") {
  const auto line =
      imported("torchrun --nproc_per_node=2 run.py --per_device_train_batch_size 4 --num_train_epochs 2.0");
  CHECK(line.spec.sampler.type == "accelerate.BatchSamplerShard");
  CHECK(line.spec.seeds == PipelineSpec::Seeds{42, "same"});
  CHECK(line.spec.epochs == 2);
  CHECK(line.spec.loader.batch_size == 4);
  const auto file = imported(
      "model_name_or_path: m\nper_device_train_batch_size: 3\nseed: 5\ndata_seed: 6\n"
      "group_by_length: true\nnum_train_epochs: 2.5\n");
  CHECK(file.spec.sampler.parameters.at("data_seed") == Value(std::int64_t{6}));
  CHECK(has(file, Kind::Unknown, "groups samples by length"));
  CHECK(has(file, Kind::Unknown, "epochs: job: num_train_epochs says 2.5"));
}

TEST_CASE("Megatron-LM: its samplers, and ranks that divide one copy of the model") {
  const auto job = imported(
      "torchrun --nnodes 2 --nproc_per_node 8 pretrain.py --micro-batch-size 4 --global-batch-size "
      "64 --tensor-model-parallel-size 4 --dataloader-type cyclic --no-data-sharding --seed 9");
  CHECK(job.spec.world == PipelineSpec::World{2, 8, {.tensor = 4}});
  CHECK(job.spec.loader.batch_size == 4);
  CHECK(job.spec.loader.gradient_accumulation_steps == 4);
  CHECK(job.spec.sampler.type == "megatron.MegatronPretrainingRandomSampler");
  CHECK(job.spec.sampler.parameters.at("data_sharding") == Value(false));
  CHECK(job.spec.seeds.rule == "same");
  CHECK(has(job, Kind::Read, "world.groups.tensor: 4 (job: --tensor-model-parallel-size)"));
  CHECK(has(job, Kind::Read, "world.groups.order: tp-cp-dp-pp (the default of Megatron-LM)"));
}

TEST_CASE("Megatron-LM: every size of groups, their order, and what the samplers of such ranks are told") {
  const std::string job = "torchrun --nproc_per_node=8 a.py --micro-batch-size 4 --global-batch-size 64 ";
  const std::string parts = "--tensor-model-parallel-size 2 --pipeline-model-parallel-size 2";
  const auto read = imported(job + parts + " --use-tp-pp-dp-mapping");
  CHECK(read.spec.world == PipelineSpec::World{1, 8, {.tensor = 2, .pipeline = 2, .order = kPipelineThenData}});
  CHECK(read.spec.loader.gradient_accumulation_steps == 8);
  CHECK(read.spec.seeds.rule == "unknown");
  CHECK(has(read, Kind::Read, "world.groups.order: tp-cp-pp-dp (job: --use-tp-pp-dp-mapping)"));
  CHECK(imported(job + "--context-parallel-size 4").spec.world == PipelineSpec::World{1, 8, {.context = 4}});

  const auto external = imported(job + parts + " --dataloader-type external");
  CHECK(has(external, Kind::Assumed,
            "sampler.num_replicas: data_parallel_size (ranks of one copy of the model must read the same samples)"));
  CHECK(has(external, Kind::Assumed, "sampler.rank: data_parallel_rank"));
  CHECK_FALSE(read.spec.sampler.parameters.contains("rank"));

  const auto uneven = imported(job + "--tensor-model-parallel-size 3");
  CHECK(uneven.spec.world == PipelineSpec::World{1, 8});
  CHECK(has(uneven, Kind::Unknown, "world.groups.tensor: 3 (job: --tensor-model-parallel-size) is not used: tensor 3"));
  CHECK(has(uneven, Kind::Unknown, "for an optimizer step of all ranks. This value does not follow from it"));
  const auto unread = imported(job + "--tensor-model-parallel-size $SIZE");
  CHECK(has(unread, Kind::Unknown, "world.groups.tensor: job: --tensor-model-parallel-size says $SIZE"));
  CHECK(has(unread, Kind::Unknown, "for an optimizer step of all ranks. This value does not follow from it"));
}

TEST_CASE("Megatron-LM: groups of experts, where they divide the ranks of the spec") {
  const std::string job = "torchrun --nproc_per_node 8 a.py --micro-batch-size 4 --global-batch-size 32 ";
  const std::string experts = "--expert-model-parallel-size ";
  const auto read = imported(job + experts + "4 --expert-tensor-parallel-size 2");
  CHECK(read.spec.world == PipelineSpec::World{1, 8, {.expert = 4, .expert_tensor = 2}});
  CHECK(has(read, Kind::Read, "world.groups.expert: 4 (job: --expert-model-parallel-size)"));
  const auto uneven = imported(job + experts + "3");
  CHECK(uneven.problems.empty());
  CHECK(uneven.spec.world == PipelineSpec::World{1, 8});
  CHECK(has(uneven, Kind::Unknown, "make 3 ranks, which do not divide 8."));
  const auto both = imported(job + experts + "2 --tensor-model-parallel-size 4");
  CHECK(both.spec.world == PipelineSpec::World{1, 8, {.tensor = 4, .expert = 2}});
  const auto unlike = imported(job + experts + "4 --tensor-model-parallel-size 4");
  CHECK(unlike.spec.world == PipelineSpec::World{1, 8, {.tensor = 4}});
  PipelineSpec spec;
  spec.world = {2, 4, {.expert = 4, .expert_tensor = 2}};
  CHECK(imported(exported("megatron", spec)).spec.world == spec.world);
  spec.world.groups = {.tensor = 2, .context = 2, .pipeline = 2, .order = kPipelineThenData};
  CHECK(imported(exported("megatron", spec)).spec.world == spec.world);
}

TEST_CASE("what is no file of a job, or a spec already, is said") {
  const auto refused = [](const std::string& text) {
    const auto result = yaml::importSpec(std::vector<yaml::ImportSource>{{"file", text}}, sampling::catalogue());
    return result.problems.empty() ? std::string("read") : result.problems.front().message;
  };
  CHECK(refused("shardlens: 2\n") == "file is already a spec.");
  CHECK(refused("hello: world\n") == "file has nothing that can be imported.");
  CHECK(refused("") == "file has nothing that can be imported.");
  CHECK(refused("trainer: &a {devices: 2}\nseed_everything: 1\nb: *a\n").find("anchor") != std::string::npos);
  CHECK_FALSE(yaml::isImportable({"a", "shardlens: 2\n"}));
  CHECK_FALSE(yaml::isImportable({"a", "hello: world\n"}));
  CHECK(yaml::isImportable({"a", "torchrun train.py"}));
  CHECK(yaml::isImportable({"a", "seed_everything: 1\ntrainer: {}\n"}));
}

TEST_CASE("the text of an import is a spec that says the same, and names its sources in comments") {
  const auto job = imported("torchrun --nproc_per_node=4 train.py --batch-size 32");
  const std::string text = yaml::importedText(job, sampling::catalogue());
  CHECK(text.starts_with("# Read:\n#   world.nodes: 1 (the default of torchrun)\n"));
  const auto back = yaml::readSpec(text, sampling::catalogue());
  REQUIRE(back.issues.empty());
  CHECK(back.spec == job.spec);
}

TEST_CASE("round trip: what a target carries is read back from it") {
  test::RandomSpec specs(sampling::catalogue(), 31);
  int worlds = 0;
  for (int i = 0; i < 150; ++i) {
    PipelineSpec spec = specs.next();
    if (!yaml::exportSpec(*yaml::findTarget("slurm"), spec, sampling::catalogue()).problems.empty()) continue;
    for (const char* target : {"torchrun", "openmpi", "mpich", "slurm", "lightning", "hydra", "accelerate", "deepspeed",
                               "megatron", "trainjob", "pytorchjob", "mpijob", "skypilot"}) {
      CAPTURE(target);
      const std::string text = exported(target, spec);
      CAPTURE(text);
      const auto back = imported(text);
      ++worlds;
      CHECK(back.spec.worldSize() == spec.worldSize());
      const std::string id = target;
      if (id != "openmpi") CHECK(back.spec.world == spec.world);  // its hosts are in another file
      const bool splits =
          spec.sampler.parameters.contains("split_batches") || spec.sampler.parameters.contains("global_batch_size");
      if (!splits && (id == "lightning" || id == "hydra" || id == "megatron"))
        CHECK(back.spec.loader.batch_size == spec.loader.batch_size);
      if (id == "lightning" || id == "hydra") {
        CHECK(back.spec.epochs == spec.epochs);
        CHECK(back.spec.loader.num_workers == spec.loader.num_workers);
      }
    }
    const auto trainer = imported(exported("huggingface", spec));
    CHECK(trainer.spec.loader == [&] {
      PipelineSpec::Loader loader = spec.loader;
      if (loader.num_workers == 0) loader.prefetch_factor = 2, loader.persistent_workers = false;
      loader.generator_seed = std::string("none");  // what the Trainer's arguments cannot carry
      loader.worker_seeds = "torch";
      if (!sampling::traitsOf(spec).global_batch.empty() && sampling::batchesPerStep(spec) == 1)
        loader.gradient_accumulation_steps = 1;  // sampler.global_batch_size says what an optimizer step takes
      return loader;
    }());
    CHECK(trainer.spec.epochs == spec.epochs);
  }
  CHECK(worlds > 500);
}

TEST_CASE("round trip: accumulation, of those that have a key for it") {
  PipelineSpec spec;
  spec.world = {2, 4};
  spec.loader.batch_size = 3;
  spec.loader.gradient_accumulation_steps = 5;
  for (const char* target : {"lightning", "hydra", "huggingface", "deepspeed"}) {
    CAPTURE(target);
    CHECK(exported(target, spec).find("loader {gradient_accumulation_steps") == std::string::npos);
  }
  for (const char* target : {"lightning", "hydra", "huggingface", "megatron"}) {
    CAPTURE(target);
    CHECK(imported(exported(target, spec)).spec.loader.gradient_accumulation_steps == 5);
  }
  CHECK(exported("megatron", spec).find("--micro-batch-size 3 --global-batch-size 120 ") != std::string::npos);
  CHECK(exported("torchrun", spec).find("gradient_accumulation_steps: 5") != std::string::npos);
  const auto read =
      imported("train_micro_batch_size_per_gpu: 3\ntrain_batch_size: 120\ngradient_accumulation_steps: 5\n");
  CHECK(read.spec.loader.gradient_accumulation_steps == 5);
  CHECK(read.spec.loader.batch_size == 3);
  CHECK(imported("torchrun --nproc_per_node 2 a.py --gradient_accumulation_steps 4")
            .spec.loader.gradient_accumulation_steps == 4);
}

TEST_CASE("the batch of an optimizer step says the accumulation, or the batch, where the other is known") {
  const std::string steps = "loader.gradient_accumulation_steps: ";
  const std::string ranks = "torchrun --nproc_per_node 8 a.py";
  const auto megatron = imported(ranks + " --micro-batch-size 3 --global-batch-size 120");
  CHECK(has(megatron, Kind::Read, steps + "5 (job: --global-batch-size: 120, divided by 24)"));
  CHECK(has(imported(ranks + " --micro-batch-size 7 --global-batch-size 120"), Kind::Unknown,
            steps + "job: --global-batch-size says 120, which 56 does not divide."));
  const auto groups = imported(ranks + " --micro-batch-size 3 --global-batch-size 120 --tensor-model-parallel-size 4");
  CHECK(has(groups, Kind::Read, steps + "20"));
  CHECK(has(
      imported("torchrun --nproc_per_node gpu a.py --micro-batch-size 3 --global-batch-size 120"), Kind::Unknown,
      steps +
          "job: --global-batch-size says 120 for an optimizer step of all ranks. This value does not follow from it"));
  const auto with = [&ranks](const std::string& json) { return imported({{"a", ranks}, {"ds.json", json}}); };
  const auto derived = with("{\"train_batch_size\": 120, \"train_micro_batch_size_per_gpu\": 3}");
  CHECK(has(derived, Kind::Read, steps + "5 (ds.json: train_batch_size: 120, divided by 24)"));
  const auto batch = with(
      "{\"train_batch_size\": 120, \"gradient_accumulation_steps\": 5, \"train_micro_batch_size_per_gpu\": "
      "\"auto\"}");
  CHECK(has(batch, Kind::Read, "loader.batch_size: 3 (ds.json: train_batch_size: 120, divided by 40)"));
  CHECK(with("{\"train_batch_size\": 16}").spec.loader.batch_size == 2);
  CHECK(has(imported("{\"train_batch_size\": 120, \"train_micro_batch_size_per_gpu\": 3}"), Kind::Unknown,
            steps + "job: train_batch_size says 120 for an optimizer step"));
  CHECK(has(with("{\"train_batch_size\": 120, \"gradient_accumulation_steps\": \"auto\"}"), Kind::Unknown,
            steps + "ds.json: gradient_accumulation_steps says auto"));
  const auto all = [&with](const std::string& total) {
    return with("{\"train_batch_size\": " + total +
                ", \"train_micro_batch_size_per_gpu\": 3, \"gradient_accumulation_steps\": 5}");
  };
  const auto contradicts = all("100");
  CHECK(has(contradicts, Kind::Unknown,
            steps + "ds.json: train_batch_size says 100 for an optimizer step of all ranks, which is not a batch of 3 "
                    "times an accumulation of 5 times the data-parallel size, 8."));
  CHECK(contradicts.spec.loader.gradient_accumulation_steps == 5);
  CHECK_FALSE(has(all("120"), Kind::Unknown, "train_batch_size"));
}

TEST_CASE("an accumulation that no file says, or that changes, is not known") {
  const std::string steps = "loader.gradient_accumulation_steps: ";
  CHECK(has(imported("torchrun --nproc_per_node=4 train.py"), Kind::Unknown,
            steps + "No key or option that is read says it"));
  CHECK(has(imported("trainer: {devices: 2, accumulate_grad_batches: {0: 4, 8: 2}}\nseed_everything: 1\n"),
            Kind::Unknown, steps + "job: trainer.accumulate_grad_batches sets numbers by epoch"));
  CHECK(
      has(imported("trainer: {devices: 2}\nseed_everything: 1\n"), Kind::Read, steps + "1 (the default of Lightning)"));
}

TEST_CASE("a schedule with a record that no spec can have is left out, with the reason") {
  const auto script = [](const std::string& operation) {
    return imported({{"job", "torchrun --nproc_per_node=4 a.py"},
                     {"a.py", "{\"python_script\": 1, \"facts\": [], \"waits\": [7], \"schedule\": [{\"do\": \"" +
                                  operation + "\", \"at\": \"start\"}]}"}});
  };
  CHECK(has(script("barrier"), Kind::Assumed, "schedule: the collectives at a.py:7"));
  const auto left = script("shout");
  CHECK(has(left, Kind::Unknown, "schedule: Left out, because a part of it is not valid in a spec: "));
  CHECK(left.spec.schedule.empty());
}

TEST_CASE("round trip: StreamingDataset and the Trainer's sampler come back whole") {
  PipelineSpec spec;
  spec.world = {2, 4};
  spec.sampler = {
      "streaming.StreamingDataset",
      {{"shuffle", true}, {"shuffle_algo", std::string("py1br")}, {"num_canonical_nodes", std::int64_t{4}}}};
  spec.seeds = {3, "base+rank"};
  auto back = imported({{"run.sh", exported("torchrun", spec)}, {"train.yaml", exported("composer", spec)}}).spec;
  for (const char* key : {"shuffle", "shuffle_algo", "num_canonical_nodes"})
    CHECK(back.sampler.parameters.at(key) == spec.sampler.parameters.at(key));
  CHECK(back.seeds == spec.seeds);
  CHECK(back.loader == spec.loader);
  spec.sampler = {"accelerate.BatchSamplerShard", {{"use_seedable_sampler", true}, {"even_batches", false}}};
  spec.seeds = {9, "same"};
  back = imported({{"run.sh", exported("torchrun", spec)}, {"args.yaml", exported("huggingface", spec)}}).spec;
  CHECK(back.sampler.type == spec.sampler.type);
  CHECK(back.sampler.parameters.at("even_batches") == Value(false));
  CHECK(back.sampler.parameters.at("use_seedable_sampler") == Value(true));
  CHECK(back.seeds == spec.seeds);
}

TEST_CASE("hostile scripts end: nested directives, doubling variables, open quotes") {
  std::string nested;
  for (int i = 0; i < 20'000; ++i) nested += "#SBATCH ";
  std::string doubling = "a=x\n";
  for (int i = 0; i < 60; ++i) doubling += "a=\"$a$a\"\n";
  for (int i = 0; i < 2'000; ++i) doubling += "$a$a$a$a ";
  for (const std::string& text : {nested, doubling, std::string("torchrun \"a"), std::string("torchrun ${"),
                                  std::string("torchrun $("), std::string("A=( B=( C=("), std::string("\\")})
    (void)yaml::isImportable({"a", text});
}

TEST_CASE(
    "of several commands the last that runs Python counts; documents and what is behind an exit are no commands") {
  CHECK(worldOf("#SBATCH -N 2 -n 8\nsrun --nodes=1 --ntasks=1 hostname\nsrun python train.py\n") ==
        PipelineSpec::World{2, 4});
  const auto document = imported(
      "cat > inner.sh <<'EOF'\ntorchrun --nproc_per_node=16 wrong.py --batch_size 999\nEOF\n"
      "torchrun --nproc_per_node=2 right.py --batch_size 12\nexit 0\ntorchrun --nproc_per_node=7 a.py");
  CHECK(document.spec.world.ranks_per_node == 2);
  CHECK(document.spec.loader.batch_size == 12);
  CHECK(worldOf("usage() {\n  exit 1\n}\ncd there || exit 1\ntorchrun --nproc_per_node=3 a.py").ranks_per_node == 3);
  const auto branch =
      imported("if [ $DEBUG ]; then\n  torchrun --nproc_per_node=1 a.py\nelse\n  torchrun --nproc_per_node=4 a.py\nfi");
  CHECK(branch.spec.world.ranks_per_node == 4);
  CHECK(has(branch, Kind::Assumed, "commands: The command is inside a condition"));
  CHECK(has(branch, Kind::Assumed, "commands: 2 commands start processes"));
}

TEST_CASE("a launcher in a variable, outer launchers, hosts and what starts another script") {
  CHECK(
      worldOf(
          "#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=1\nGPUS=8\nLAUNCHER=\"python -u -m torch.distributed.run "
          "--nproc_per_node $GPUS --nnodes $SLURM_NNODES\"\nCMD=\"pretrain.py --drop-last\"\nsrun bash -c \"$LAUNCHER "
          "$CMD\"\n") == PipelineSpec::World{2, 8});
  CHECK(worldOf("for i in 0 1; do srun --nodes=1 --ntasks=1 torchrun --nnodes=2 --nproc_per_node 4 --node_rank=$i a.py "
                "& done") == PipelineSpec::World{2, 4});
  CHECK(worldOf("mpirun -np 8 -H a:4,b:4 python m.py") == PipelineSpec::World{2, 4});
  CHECK(worldOf("horovodrun -np 4 -H a:2,b:2 python m.py") == PipelineSpec::World{2, 2});
  CHECK(worldOf("composer -n 4 train.py").ranks_per_node == 4);
  CHECK(worldOf("env A=1 numactl --all torchrun --nproc_per_node 6 a.py").ranks_per_node == 6);
  CHECK(worldOf("deepspeed --include localhost:0,1,5 a.py") == PipelineSpec::World{1, 3});
  const auto unread = imported("#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=1\nsrun bash run_torchrun.sh");
  CHECK(has(unread, Kind::Unknown, "starts another script, which was not read"));
  CHECK(has(imported("mpirun -n 4 python a.py : -n 4 python b.py"), Kind::Unknown, "starts several programs"));
  const auto some = imported("srun --ntasks=16 python m.py");
  CHECK(has(some, Kind::Assumed, "world.nodes: 1"));
  CHECK(has(some, Kind::Assumed, "world.ranks_per_node: 16"));
  CHECK(has(imported("torchrun --nnodes 1:4 --nproc_per_node 2 a.py"), Kind::Unknown, "may change while the job runs"));
}

TEST_CASE("nothing that only a placeholder or a default decides is said to be read") {
  const auto foundry =
      imported("global_train_batch_size: 256\nmax_duration: 1ep\ntrain_loader: {dataset: {shuffle_algo: py1e}}\n");
  CHECK(has(foundry, Kind::Unknown, "loader.batch_size: job: global_train_batch_size says 256 for all ranks"));
  CHECK(has(imported("global_train_batch_size: 8\ntrain_loader: {name: finetuning, dataset: {hf_name: x}}\n"),
            Kind::Unknown, "does not say that it is a StreamingDataset"));
  const auto lightning = imported("trainer: {devices: 2, max_epochs: 5}\ndata: {batch_size: 32}\n");
  CHECK(lightning.formats.front() == "Lightning CLI");
  CHECK(has(lightning, Kind::Assumed, "loader.batch_size: 32"));
  const auto hydra = imported(
      "trainer: {_target_: lightning.Trainer, devices: 2, num_nodes: 1}\ndata: {batch_size: 32}\nseed: null\n");
  CHECK(has(hydra, Kind::Assumed, "loader.batch_size: 16"));
  CHECK(has(hydra, Kind::Unknown, "seeds.rule: No file says whether the script seeds"));
  const auto steps = imported("per_device_train_batch_size: 1\nmax_steps: 100\nstreaming: true\n");
  CHECK(has(steps, Kind::Unknown, "epochs: The job ends after a number of steps"));
  CHECK(has(steps, Kind::Unknown, "sampler.type: With job: streaming, a loader other than"));
  CHECK(has(imported("micro_batch_size: 1\nbase_model: x\nsample_packing: true\n"), Kind::Unknown,
            "a loader other than"));
  CHECK(has(imported("torchrun a.py --per_device_train_batch_size 1 --dataloader_drop_last 2>&1 | tee log"), Kind::Read,
            "loader.drop_last: true (job: --dataloader_drop_last)"));
  const auto pipeline = imported(
      "torchrun --nproc_per_node 8 p.py --micro-batch-size 1 --global-batch-size 8 "
      "--pipeline-model-parallel-size 4");
  CHECK(has(pipeline, Kind::Unknown, "seeds.rule: Each rank's seed depends on its place in a group"));
}

TEST_CASE("the commands of Kubernetes' containers are read") {
  const auto job = imported(
      "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nspec:\n  pytorchReplicaSpecs:\n    Master:\n"
      "      template: {spec: {containers: [{name: pytorch, command: [torchrun, --nproc_per_node=4, "
      "train.py], args: [--batch_size, \"8\", --epochs=3]}]}}\n    Worker: {replicas: 1}\n");
  CHECK(job.spec.loader.batch_size == 8);
  CHECK(job.spec.epochs == 3);
  CHECK(job.spec.world.nodes == 2);
  CHECK(job.spec.world.ranks_per_node == 4);
}
