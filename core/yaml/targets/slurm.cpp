// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/yaml/export_parts.h"

#include <utility>

// Batch scripts for sbatch, in the two ways in which torch is started under Slurm.
namespace shardlens::yaml {
namespace {

std::string directive(const std::string& option, const std::string& value) {
  return value.empty() ? std::string() : "#SBATCH --" + option + "=" + value + "\n";
}

std::string sbatchHead(const PipelineSpec& spec, const ExportContext& context, std::int64_t tasks_per_node,
                       std::int64_t cores_per_task, const std::string& how) {
  return "#!/usr/bin/env bash\n" + directive("job-name", jobName(spec)) +
         directive("nodes", std::to_string(spec.world.nodes)) +
         directive("ntasks-per-node", std::to_string(tasks_per_node)) +
         directive("cpus-per-task", std::to_string(cores_per_task)) + directive("gpus-per-node", context.gpus) +
         directive("time", context.time) + directive("partition", context.partition) +
         directive("account", context.account) + "#SBATCH --output=%x-%j.out\n#SBATCH --error=%x-%j.err\n" +
         "# cpus-per-task: one core for each rank, and one for each of its loader workers.\n" +
         (context.gpus.empty() ? "# It asks for no GPUs; the export's option gpus does.\n" : "") +
         fileHead(spec, context, how) + "set -euo pipefail\n" +
         "MASTER_ADDR=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | sed -n 1p)\n"
         "MASTER_PORT=$((10000 + SLURM_JOB_ID % 50000))\n"
         "export MASTER_ADDR MASTER_PORT\n";
}

/// Tasks are numbered node by node (block), and a task of srun takes the cores of sbatch only when it is told so.
constexpr const char* kSrun =
    "exec srun --kill-on-bad-exit=1 --distribution=block --cpus-per-task=\"$SLURM_CPUS_PER_TASK\" \\\n  ";

ExportResult writeBatch(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context,
                        ExportFile file) {
  if (auto problems = unequalNodes(spec, "Slurm"); !problems.empty()) return {{}, {}, std::move(problems)};
  const std::string reason = words::noOption("Slurm", words::scriptLikePyTorch(context.script));
  return {{std::move(file)}, notCarried(spec, catalogue, {"world.nodes", "world.ranks_per_node"}, reason), {}};
}

ExportResult writeSlurm(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context) {
  const std::string head = sbatchHead(spec, context, spec.world.mostRanksOnNode(), coresOfRank(spec),
                                      "for sbatch: srun starts each of the " + plainCounted(spec.worldSize(), "rank"));
  const std::string text =
      head +
      asRank({"$SLURM_PROCID", "$SLURM_NTASKS", "$SLURM_LOCALID", std::to_string(spec.world.mostRanksOnNode())}) +
      kSrun + "bash -c \"$as_rank\" rank " + shellArgument(context.python) + " " + shellArgument(context.script) +
      " \"$@\"\n";
  return writeBatch(spec, catalogue, context, {"job.sbatch", text, true});
}

ExportResult writeSlurmTorchrun(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context) {
  const std::int64_t ranks = spec.world.mostRanksOnNode();
  const std::string text =
      sbatchHead(spec, context, 1, ranks * coresOfRank(spec), "for sbatch: srun starts torchrun once on each node") +
      kSrun +
      torchrunCommand(context, {"--nnodes=\"$SLURM_NNODES\"", "--nproc_per_node=" + std::to_string(ranks),
                                "--rdzv_id=\"$SLURM_JOB_ID\"", "--rdzv_backend=c10d",
                                "--rdzv_endpoint=\"$MASTER_ADDR:$MASTER_PORT\""});
  return writeBatch(spec, catalogue, context, {"torchrun.sbatch", text, true});
}

const std::vector<std::string> kOptions = {"script", "python", "partition", "account", "time", "gpus"};

}  // namespace

ExportTarget slurmTarget() {
  return {"slurm",
          marked("export", "Slurm, srun"),
          "job.sbatch",
          "sbatch",
          marked("export", "A batch script in which srun starts every rank, with torch's variables."),
          kOptions,
          writeSlurm};
}

ExportTarget slurmTorchrunTarget() {
  return {"slurm-torchrun",
          marked("export", "Slurm, torchrun"),
          "torchrun.sbatch",
          "sbatch",
          marked("export", "A batch script in which srun starts torchrun once on each node."),
          kOptions,
          writeSlurmTorchrun};
}

}  // namespace shardlens::yaml
