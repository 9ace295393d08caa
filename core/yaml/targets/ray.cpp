// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/yaml/export_parts.h"

namespace shardlens::yaml {
namespace {

std::string scaling(const PipelineSpec& spec, const ExportContext& context) {
  const bool is_said = !context.gpus.empty();
  return fileHead(spec, context, "for Ray Train: TorchTrainer(..., scaling_config=scaling_config)") +
         "from ray.train import ScalingConfig\n\n"
         "scaling_config = ScalingConfig(\n    num_workers=" +
         std::to_string(spec.worldSize()) +
         ",  # one for each rank\n    use_gpu=" + (is_said && context.gpus != "0" ? "True" : "False") +
         (is_said ? ",\n" : ",  # True where ranks have GPUs\n") +
         "    resources_per_worker={\"CPU\": " + std::to_string(coresOfRank(spec)) +
         "},  # the rank and its loader workers\n)\n";
}

ExportResult writeRay(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context) {
  ExportResult out{{{"ray_scaling.py", scaling(spec, context)}},
                   notCarried(spec, catalogue, {"world.nodes", "world.ranks_per_node"},
                              words::noKeyIn("ScalingConfig", words::scriptLikePyTorch("the training function"))),
                   {}};
  if (spec.world.nodes > 1)
    out.not_carried.push_back(
        filled(worded("export", "world.ranks_per_node %1: Ray places workers where there is room."),
               valueText(spec.world.ranks_per_node.value())));
  return out;
}

}  // namespace

ExportTarget rayTarget() {
  return {"ray",
          "Ray Train",
          "ray_scaling.py",
          "py",
          marked("export", "The ScalingConfig of a TorchTrainer: as many workers as ranks."),
          {"gpus"},
          writeRay};
}

}  // namespace shardlens::yaml
