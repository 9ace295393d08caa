// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/registry.h"
#include "core/yaml/export_parts.h"

#include <optional>

// Arguments of Megatron-LM (training/arguments.py). Its --dataloader-type says which of its samplers reads the dataset.
namespace shardlens::yaml {
namespace {

constexpr std::int64_t kMostMegatronSeed = 2'147'483'647;

/// --dataloader-type, where the spec's sampler is one that it stands for.
std::optional<std::string> loaderType(const PipelineSpec& spec) {
  if (spec.sampler.type == "megatron.MegatronPretrainingSampler") return "single";
  if (spec.sampler.type == "megatron.MegatronPretrainingRandomSampler") return "cyclic";
  return std::nullopt;
}

/// Megatron-LM refuses a seed of 0.
std::optional<std::int64_t> megatronSeed(const PipelineSpec& spec) {
  return sameSeed(spec, 1, kMostMegatronSeed);
}

std::int64_t batchOfStep(const PipelineSpec& spec) {
  return batchOfAllRanks(spec) * sampling::batchesPerStep(spec).value_or(1);
}

/// Whether the global batch is whole micro batches of all data-parallel ranks: then a rank takes several in a step.
bool hasMicroBatches(const PipelineSpec& spec) {
  return saysGlobalBatch(spec) && batchOfStep(spec) % (spec.loader.batch_size * spec.world.dataParallelSize()) == 0;
}

/// How ranks divide the model and its experts, and in which order, where the spec says it.
std::string groupArguments(const ParallelGroups& groups) {
  std::string text;
  const auto add = [&text](const std::string& of, std::int64_t size) {
    text += " --" + of + "-parallel-size " + std::to_string(size);
  };
  if (groups.tensor > 1) add("tensor-model", groups.tensor);
  if (groups.context > 1) add("context", groups.context);
  if (groups.pipeline > 1) add("pipeline-model", groups.pipeline);
  if (groups.expert > 1) add("expert-model", groups.expert);
  if (groups.expert_tensor > 0) add("expert-tensor", groups.expert_tensor);
  if (groups.order == kPipelineThenData) text += " --use-tp-pp-dp-mapping";
  return text.empty() ? text : " \\\n " + text;
}

std::string arguments(const PipelineSpec& spec, SamplerCatalogue catalogue) {
  const auto type = loaderType(spec);
  std::string text = "--micro-batch-size " +
                     std::to_string(hasMicroBatches(spec) ? spec.loader.batch_size : rankBatch(spec)) +
                     " --global-batch-size " + std::to_string(batchOfStep(spec)) + " \\\n  --num-workers " +
                     std::to_string(spec.loader.num_workers) + " --dataloader-type " + type.value_or("external");
  if (samplerParameter(spec, catalogue, "data_sharding") == Value(false) && type == "cyclic")
    text += " --no-data-sharding";
  if (const auto seed = megatronSeed(spec)) text += " --seed " + std::to_string(*seed);
  return text + groupArguments(spec.world.groups) + " \\\n  \"$@\"";
}

}  // namespace

ExportResult writeMegatron(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context) {
  if (auto problems = hostProblems(spec, context); !problems.empty()) return {{}, {}, std::move(problems)};
  std::set<std::string> carried = {"world.nodes", "world.ranks_per_node", "loader.batch_size", "loader.num_workers",
                                   "loader.gradient_accumulation_steps"};
  carried.insert({"world.groups.tensor", "world.groups.context", "world.groups.pipeline", "world.groups.order",
                  "world.groups.expert", "world.groups.expert_tensor"});
  if (megatronSeed(spec)) carried.insert({"seeds.base", "seeds.rule"});
  if (saysGlobalBatch(spec)) carried.insert("sampler.global_batch_size");
  if (loaderType(spec)) carried.insert({"sampler.type", "sampler.data_sharding"});
  const std::string text =
      "#!/usr/bin/env bash\n" +
      fileHead(spec, context, "for Megatron-LM: the arguments that decide the order of the data; add the others") +
      "set -euo pipefail\n" + torchrunRanks(spec) + "exec " +
      torchrunCommand(context, torchrunNodes(spec, context), arguments(spec, catalogue));
  ExportResult out{
      {{"megatron.sh", text, true}},
      notCarried(spec, catalogue, carried,
                 loaderType(spec)
                     ? filled(worded("export", "%1 has no argument for this."), "Megatron-LM")
                     : words::noKeyIn("Megatron-LM", worded("export",
                                                            "with --dataloader-type external, the script provides the "
                                                            "loader, for example the one of the target "
                                                            "pytorch.")))};
  if (!hasMicroBatches(spec)) addShareOfBatch(spec, rankBatch(spec), out.not_carried);
  if (megatronSeed(spec) && spec.world.groups.pipeline > 1)
    out.not_carried.push_back(
        worded("export",
               "seeds.rule same: Megatron-LM seeds the ranks of each pipeline stage with 100 more than those of the "
               "stage before."));
  if (spec.worldSize() > 1 && spec.world.groups.ranksOfModel() == 1)
    out.not_carried.push_back(
        worded("export",
               "Tensor, pipeline and context parallelism: the spec has none, so every rank is counted as "
               "data-parallel; with them the global batch is different."));
  return out;
}

}  // namespace shardlens::yaml
