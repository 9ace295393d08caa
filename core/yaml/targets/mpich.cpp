// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/yaml/export_parts.h"
#include "core/yaml/export_words.h"

namespace shardlens::yaml {
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
