// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/yaml/export_parts.h"

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

ExportResult writeTorchrun(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context) {
  if (auto problems = hostProblems(spec, context); !problems.empty()) return {{}, {}, std::move(problems)};
  const std::string reason = words::noOption("torchrun", words::scriptLikePyTorch(context.script));
  return {{{"torchrun.sh",
            torchrunHead(spec, context) + "exec " + torchrunCommand(context, torchrunNodes(spec, context)), true}},
          notCarried(spec, catalogue, {"world.nodes", "world.ranks_per_node"}, reason),
          {}};
}

}  // namespace

ExportTarget torchrunTarget() {
  return {"torchrun",
          marked("export", "torchrun script"),
          "torchrun.sh",
          "sh",
          marked("export", "A bash script that starts the training script on every rank with torchrun."),
          {"script", "python", "host"},
          writeTorchrun};
}

}  // namespace shardlens::yaml
