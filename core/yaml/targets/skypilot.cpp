// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/yaml/export_parts.h"
#include "core/yaml/scalar.h"

namespace shardlens::yaml {
namespace {

/// SkyPilot runs it on every node, and tells it the nodes by its own variables.
std::string startOnNode(const PipelineSpec& spec, const ExportContext& context) {
  return torchrunCommand(
      context,
      {"--nnodes=\"$SKYPILOT_NUM_NODES\"", "--nproc_per_node=" + std::to_string(spec.world.mostRanksOnNode()),
       "--node_rank=\"$SKYPILOT_NODE_RANK\"", "--master_addr=\"$(echo \"$SKYPILOT_NODE_IPS\" | head -n 1)\"",
       "--master_port=29500"},
      "");
}

/// As a block scalar of a key at the left edge.
std::string indented(const std::string& lines) {
  std::string out;
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = lines.find('\n', begin) + 1;
    out += "  " + lines.substr(begin, end - begin);
    begin = end;
  }
  return out;
}

std::string task(const PipelineSpec& spec, const ExportContext& context) {
  return fileHead(spec, context, "for SkyPilot: sky launch skypilot.yaml") + "name: " + writeText(jobName(spec)) +
         "\nnum_nodes: " + std::to_string(spec.world.nodes) +
         "\nresources:\n  cpus: " + std::to_string(spec.world.mostRanksOnNode() * coresOfRank(spec)) +
         "+  # one core for each rank, and one for each of its loader workers\nrun: |\n" +
         indented(startOnNode(spec, context));
}

ExportResult writeSkypilot(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context) {
  if (auto problems = unequalNodes(spec, "SkyPilot"); !problems.empty()) return {{}, {}, std::move(problems)};
  ExportResult out{{{"skypilot.yaml", task(spec, context), false, {"name", "run", "resources.cpus"}}},
                   notCarried(spec, catalogue, {"world.nodes", "world.ranks_per_node"},
                              words::noKeyIn("SkyPilot", words::scriptLikePyTorch(context.script))),
                   {}};
  out.not_carried.push_back(worded("export", "The accelerators: the spec does not say which; add them to resources."));
  return out;
}

}  // namespace

ExportTarget skypilotTarget() {
  return {"skypilot",
          "SkyPilot",
          "skypilot.yaml",
          "yaml",
          marked("export", "A task of SkyPilot that starts torchrun on every node."),
          {"script", "python"},
          writeSkypilot};
}

}  // namespace shardlens::yaml
