// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/registry.h"
#include "core/yaml/export_parts.h"

#include <nlohmann/json.hpp>

// The launcher of DeepSpeed, its hostfile, and its JSON configuration, whose reader refuses comments.
namespace shardlens::yaml {
namespace {

constexpr const char* kConfiguration = "ds_config.json";

bool isDeepSpeeds(const PipelineSpec& spec) {
  return spec.sampler.type == "deepspeed.DeepSpeedDataSampler";
}

std::int64_t number(const Value& value, std::int64_t otherwise) {
  const auto* given = std::get_if<std::int64_t>(&value);
  return given == nullptr ? otherwise : *given;
}

/// train_batch_size = micro batch x accumulation x data-parallel ranks, or DeepSpeed refuses it.
std::string configuration(const PipelineSpec& spec, SamplerCatalogue catalogue) {
  const std::int64_t steps = sampling::batchesPerStep(spec).value_or(1);
  nlohmann::ordered_json json = {{"train_batch_size", batchOfAllRanks(spec) * steps},
                                 {"train_micro_batch_size_per_gpu", rankBatch(spec)},
                                 {"gradient_accumulation_steps", steps},
                                 {"dataloader_drop_last", spec.loader.drop_last}};
  if (isDeepSpeeds(spec))
    json["data_efficiency"] = {{"enabled", true},
                               {"seed", number(samplerParameter(spec, catalogue, "seed"), 1234)},
                               {"data_sampling",
                                {{"enabled", true},
                                 {"num_epochs", number(samplerParameter(spec, catalogue, "num_epochs"), spec.epochs)},
                                 {"num_workers", spec.loader.num_workers}}}};
  return json.dump(2) + "\n";
}

std::string deepSpeedScript(const PipelineSpec& spec, const ExportContext& context) {
  const bool several = spec.world.nodes > 1;
  std::string text = "#!/usr/bin/env bash\n" + fileHead(spec, context, "for DeepSpeed's launcher, on node 0") +
                     "set -euo pipefail\n" + std::string(kHere) + "exec deepspeed \\\n";
  if (several)
    text += "  --hostfile \"$here/" + std::string(kHostFile) + "\" --num_nodes " + std::to_string(spec.world.nodes) +
            " --master_addr \"${MASTER_ADDR:-" + hostName(spec, context, 0) + "}\" \\\n";
  const auto every = spec.world.ranks_per_node.ofEveryNode();  // where nodes differ, the hostfile alone says it
  return text + "  " + (every ? "--num_gpus " + std::to_string(*every) + " " : "") +
         "--master_port \"${MASTER_PORT:-29500}\" \\\n  " + shellArgument(context.script) +
         " --deepspeed --deepspeed_config \"$here/" + kConfiguration + "\" \"$@\"\n";
}

}  // namespace

ExportResult writeDeepSpeed(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context) {
  if (auto problems = hostProblems(spec, context); !problems.empty()) return {{}, {}, std::move(problems)};
  std::set<std::string> carried = {"world.nodes", "world.ranks_per_node", "loader.batch_size", "loader.drop_last",
                                   "loader.gradient_accumulation_steps"};
  if (isDeepSpeeds(spec)) {
    for (const char* key : {"type", "seed", "num_epochs"}) carried.insert("sampler." + std::string(key));
    carried.insert("loader.num_workers");
  }
  ExportResult out;
  out.files = {{"deepspeed.sh", deepSpeedScript(spec, context), true},
               {kConfiguration, configuration(spec, catalogue), false}};
  if (spec.world.nodes > 1) out.files.push_back({kHostFile, hostFile(spec, context), false});
  const bool has_peers = spec.world.groups.ranksOfModel() > 1;
  out.not_carried = notCarried(
      spec, catalogue, carried, words::noKeyIn("DeepSpeed", words::scriptLikePyTorch(context.script)),
      has_peers ? filled(worded("export",
                                "the script makes these groups itself and gives them to DeepSpeed, as mpu or by a "
                                "PipelineModule; otherwise DeepSpeed counts more data-parallel ranks than %1 and "
                                "refuses train_batch_size."),
                         std::to_string(spec.world.dataParallelSize()))
                : std::string());
  addShareOfBatch(spec, rankBatch(spec), out.not_carried);
  if (lacksHosts(spec, context)) out.not_carried.push_back(words::nodeNames(kHostFile));
  return out;
}

}  // namespace shardlens::yaml
