// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/yaml/export_parts.h"
#include "core/yaml/export_words.h"

namespace shardlens::yaml {
namespace {

constexpr const char* kHostFile = "hosts.txt";

std::string hostFile(const PipelineSpec& spec, const ExportContext& context) {
  std::string out = "# " + oneLine(spec.name) + ": one line a node, node 0 first.\n";
  for (std::int64_t node = 0; node < spec.world.nodes; ++node) {
    out += hostName(spec, context, node) + " slots=" + std::to_string(spec.world.ranks_per_node) + "\n";
  }
  return out;
}

/// Ranks are dealt node by node (--map-by slot), and torch's variables are made out of Open MPI's on every rank.
std::string script(const PipelineSpec& spec, const ExportContext& context) {
  return "#!/usr/bin/env bash\n# " + oneLine(spec.name) + ": " + plainCounted(spec.worldSize(), "rank") +
         " with Open MPI. Written by ShardLens.\n" + auditComment(context) +
         "set -euo pipefail\n"
         "here=\"$(cd -- \"$(dirname -- \"${BASH_SOURCE[0]}\")\" && pwd)\"\n"
         "# Slurm runs a copy of the batch script from another folder.\n"
         "[ -e \"$here/" +
         std::string(kHostFile) +
         "\" ] || here=\"${SLURM_SUBMIT_DIR:-$here}\"\n"
         "export MASTER_ADDR=\"${MASTER_ADDR:-" +
         hostName(spec, context, 0) +
         "}\" MASTER_PORT=\"${MASTER_PORT:-29500}\"\n"
         "# In single quotes, because every rank evaluates it, not this shell.\n"
         "as_rank='\n"
         "  export RANK=$OMPI_COMM_WORLD_RANK WORLD_SIZE=$OMPI_COMM_WORLD_SIZE\n"
         "  export LOCAL_RANK=$OMPI_COMM_WORLD_LOCAL_RANK LOCAL_WORLD_SIZE=$OMPI_COMM_WORLD_LOCAL_SIZE\n"
         "  exec \"$@\"'\n"
         "exec mpirun -np " +
         std::to_string(spec.worldSize()) + " --hostfile \"$here/" + kHostFile +
         "\" --map-by slot --bind-to none \\\n"
         "  -x MASTER_ADDR -x MASTER_PORT \\\n"
         "  bash -c \"$as_rank\" rank " +
         shellArgument(context.python) + " " + shellArgument(context.script) + " \"$@\"\n";
}

ExportResult writeOpenMpi(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context) {
  ExportResult out;
  out.problems = hostProblems(context);
  if (!out.problems.empty()) return out;
  const std::string reason = words::noOption("Open MPI", inTheScript(spec, context.script));
  out.files = {{"openmpi.sh", script(spec, context), true}, {kHostFile, hostFile(spec, context), false}};
  out.not_carried = notCarried(spec, catalogue, {"world.nodes", "world.ranks_per_node"}, reason);
  if (spec.world.nodes > static_cast<std::int64_t>(context.hosts.size()) && spec.world.nodes > 1) {
    out.not_carried.push_back(words::nodeNames());
  }
  return out;
}

}  // namespace

ExportTarget openMpiTarget() {
  return {"openmpi",
          marked("export", "Open MPI script"),
          "openmpi.sh",
          "sh",
          marked("export", "A bash script for mpirun, and its hostfile."),
          writeOpenMpi};
}

}  // namespace shardlens::yaml
