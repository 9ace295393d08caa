// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/yaml/export_parts.h"

namespace shardlens::yaml {
namespace {

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

}  // namespace

ExportTarget openMpiTarget() {
  return {"openmpi",
          marked("export", "Open MPI script"),
          "openmpi.sh",
          "sh",
          marked("export", "A bash script for mpirun, and its hostfile."),
          {"script", "python", "host"},
          writeOpenMpi};
}

namespace {

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

ExportResult writeMpich(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context) {
  if (auto problems = hostProblems(spec, context); !problems.empty()) return {{}, {}, std::move(problems)};
  const std::string reason = words::noOption("MPICH", words::scriptLikePyTorch(context.script));
  ExportResult out{{{"mpich.sh", mpichScript(spec, context), true}, {kMpichHosts, hostFile(spec, context, ":"), false}},
                   notCarried(spec, catalogue, {"world.nodes", "world.ranks_per_node"}, reason),
                   {}};
  if (lacksHosts(spec, context)) out.not_carried.push_back(words::nodeNames(kMpichHosts));
  return out;
}

}  // namespace

ExportTarget mpichTarget() {
  return {"mpich",
          marked("export", "MPICH script"),
          "mpich.sh",
          "sh",
          marked("export", "A bash script for MPICH's mpiexec, and its hostfile."),
          {"script", "python", "host"},
          writeMpich};
}

}  // namespace shardlens::yaml
