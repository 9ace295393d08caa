// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/yaml/export_parts.h"
#include "core/yaml/export_words.h"

namespace shardlens::yaml {
namespace {

std::string header(const PipelineSpec& spec, const ExportContext& context) {
  const bool several = spec.world.nodes > 1;
  return "#!/usr/bin/env bash\n# " + oneLine(spec.name) + ": " + std::to_string(spec.world.nodes) +
         (several ? " nodes" : " node") + " with " + plainCounted(spec.world.ranks_per_node, "rank") +
         " each. Written by ShardLens.\n" + auditComment(context) +
         (several ? "# Start it on every node, with NODE_RANK=0 .. " + std::to_string(spec.world.nodes - 1) +
                        (context.hosts.empty() ? " and MASTER_ADDR set to the name of node 0.\n" : ".\n")
                  : "") +
         "set -euo pipefail\n";
}

std::string masterAddress(const ExportContext& context) {
  if (context.hosts.empty()) return "--master_addr=\"${MASTER_ADDR:?set it to the name of node 0}\"";
  return "--master_addr=\"${MASTER_ADDR:-" + context.hosts.front() + "}\"";
}

/// Another interpreter has its own torchrun.
std::string program(const ExportContext& context) {
  if (context.python == ExportContext{}.python) return "exec torchrun";
  return "exec " + shellArgument(context.python) + " -m torch.distributed.run";
}

/// Underscores: torchrun of every release knows these spellings, dashes came with 2.0.
std::string command(const PipelineSpec& spec, const ExportContext& context) {
  std::vector<std::string> options = {"--nnodes=" + std::to_string(spec.world.nodes),
                                      "--nproc_per_node=" + std::to_string(spec.world.ranks_per_node)};
  if (spec.world.nodes == 1) {
    options.insert(options.begin(), "--standalone");
  } else {
    options.insert(options.end(), {"--node_rank=\"${NODE_RANK:?set it to the number of this node, from 0}\"",
                                   masterAddress(context), "--master_port=\"${MASTER_PORT:-29500}\""});
  }
  std::string out = program(context);
  for (const std::string& option : options) out += " \\\n  " + option;
  return out + " \\\n  " + shellArgument(context.script) + " \"$@\"\n";
}

ExportResult writeTorchrun(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context) {
  if (auto problems = hostProblems(context); !problems.empty()) return {{}, {}, std::move(problems)};
  const std::string reason = words::noOption("torchrun", inTheScript(spec, context.script));
  return {{{"torchrun.sh", header(spec, context) + command(spec, context), true}},
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
          writeTorchrun};
}

}  // namespace shardlens::yaml
