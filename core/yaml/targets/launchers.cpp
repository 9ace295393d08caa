// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/export_parts.h"

#include <utility>

namespace shardlens::yaml {
namespace {

std::string torchrunHead(const PipelineSpec& spec, const ExportContext& context) {
  const bool several = spec.world.nodes > 1;
  const auto every = spec.world.ranks_per_node.ofEveryNode();
  return "#!/usr/bin/env bash\n# " + oneLine(spec.name) + ": " + std::to_string(spec.world.nodes) +
         (several ? " nodes" : " node") + " with " +
         (every ? plainCounted(*every, "rank") + " each" : plainCounted(spec.worldSize(), "rank") + " in all") +
         ". Written by ShardLens.\n" + auditComment(context) +
         (several ? "# Start it on every node, with NODE_RANK=0 .. " + std::to_string(spec.world.nodes - 1) +
                        (context.hosts.empty() ? " and MASTER_ADDR set to the name of node 0.\n" : ".\n")
                  : "") +
         "set -euo pipefail\n" + torchrunRanks(spec);
}

// Batch scripts for sbatch, in the two ways in which torch is started under Slurm.

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

/// Ranks are dealt node by node (--map-by slot), and torch's variables are made out of Open MPI's on every rank.
std::string openMpiScript(const PipelineSpec& spec, const ExportContext& context) {
  return "#!/usr/bin/env bash\n# " + oneLine(spec.name) + ": " + plainCounted(spec.worldSize(), "rank") +
         " with Open MPI. Written by ShardLens.\n" + auditComment(context) + "set -euo pipefail\n" +
         std::string(kHere) +
         "# Slurm runs a copy of the batch script from another folder.\n"
         "[ -e \"$here/" +
         std::string(kHostFile) +
         "\" ] || here=\"${SLURM_SUBMIT_DIR:-$here}\"\n"
         "export MASTER_ADDR=\"${MASTER_ADDR:-" +
         hostName(spec, context, 0) + "}\" MASTER_PORT=\"${MASTER_PORT:-29500}\"\n" +
         asRank({"$OMPI_COMM_WORLD_RANK", "$OMPI_COMM_WORLD_SIZE", "$OMPI_COMM_WORLD_LOCAL_RANK",
                 "$OMPI_COMM_WORLD_LOCAL_SIZE"}) +
         "exec mpirun -np " + std::to_string(spec.worldSize()) + " --hostfile \"$here/" + kHostFile +
         "\" --map-by slot --bind-to none \\\n"
         "  -x MASTER_ADDR -x MASTER_PORT \\\n"
         "  bash -c \"$as_rank\" rank " +
         shellArgument(context.python) + " " + shellArgument(context.script) + " \"$@\"\n";
}

constexpr const char* kMpichHosts = "hosts-mpich.txt";

/// Hydra, MPICH's process manager, fills node after node, and tells each process its number by PMI's variables.
std::string mpichScript(const PipelineSpec& spec, const ExportContext& context) {
  const auto every = spec.world.ranks_per_node.ofEveryNode();  // where nodes differ, the hostfile alone says it
  return "#!/usr/bin/env bash\n" + fileHead(spec, context, "for MPICH: " + plainCounted(spec.worldSize(), "rank")) +
         "set -euo pipefail\n" + std::string(kHere) + "export MASTER_ADDR=\"${MASTER_ADDR:-" +
         hostName(spec, context, 0) + "}\" MASTER_PORT=\"${MASTER_PORT:-29500}\"\n" +
         asRank({"$PMI_RANK", "$PMI_SIZE", "$MPI_LOCALRANKID", "$MPI_LOCALNRANKS"}) + "exec mpiexec.hydra -f \"$here/" +
         kMpichHosts + "\" -n " + std::to_string(spec.worldSize()) + (every ? " -ppn " + std::to_string(*every) : "") +
         " \\\n  bash -c \"$as_rank\" rank " + shellArgument(context.python) + " " + shellArgument(context.script) +
         " \"$@\"\n";
}

}  // namespace

ExportResult writeTorchrun(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context) {
  if (auto problems = hostProblems(spec, context); !problems.empty()) return {{}, {}, std::move(problems)};
  const std::string reason = words::noOption("torchrun", words::scriptLikePyTorch(context.script));
  return {{{"torchrun.sh",
            torchrunHead(spec, context) + "exec " + torchrunCommand(context, torchrunNodes(spec, context)), true}},
          notCarried(spec, catalogue, {"world.nodes", "world.ranks_per_node"}, reason)};
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

ExportResult writeOpenMpi(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context) {
  ExportResult out;
  out.problems = hostProblems(spec, context);
  if (!out.problems.empty()) return out;
  const std::string reason = words::noOption("Open MPI", words::scriptLikePyTorch(context.script));
  out.files = {{"openmpi.sh", openMpiScript(spec, context), true}, {kHostFile, hostFile(spec, context), false}};
  out.not_carried = notCarried(spec, catalogue, {"world.nodes", "world.ranks_per_node"}, reason);
  if (lacksHosts(spec, context)) out.not_carried.push_back(words::nodeNames(kHostFile));
  return out;
}

ExportResult writeMpich(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context) {
  if (auto problems = hostProblems(spec, context); !problems.empty()) return {{}, {}, std::move(problems)};
  const std::string reason = words::noOption("MPICH", words::scriptLikePyTorch(context.script));
  ExportResult out{{{"mpich.sh", mpichScript(spec, context), true}, {kMpichHosts, hostFile(spec, context, ":"), false}},
                   notCarried(spec, catalogue, {"world.nodes", "world.ranks_per_node"}, reason)};
  if (lacksHosts(spec, context)) out.not_carried.push_back(words::nodeNames(kMpichHosts));
  return out;
}

}  // namespace shardlens::yaml
