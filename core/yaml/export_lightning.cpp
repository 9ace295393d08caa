// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/spec/field_table.h"
#include "core/spec/seeded.h"
#include "core/yaml/export_parts.h"
#include "core/yaml/export_words.h"
#include "core/yaml/scalar.h"

#include <optional>

namespace shardlens::yaml {
namespace {

constexpr std::int64_t kMostSeed = 4'294'967'295;  // seed_everything takes what numpy takes

/// The seed that seed_everything can set on every rank, when that is what the spec means.
std::optional<std::int64_t> globalSeed(const PipelineSpec& spec) {
  if (spec.seeds.rule != "same" || spec.seeds.base < 0 || spec.seeds.base > kMostSeed) return std::nullopt;
  return spec.seeds.base;
}

bool holds(const PipelineSpec& spec, SamplerCatalogue catalogue, const std::string& key, const Value& wanted) {
  const Field* field = findField(spec, catalogue, "sampler." + key);
  return field != nullptr && getValue(spec, *field) == wanted;
}

/// Whether Lightning's own injection gives exactly this sampler: DistributedSampler(shuffle=True, seed=<global seed or
/// 0>) over all ranks, with set_epoch called.
bool isInjected(const PipelineSpec& spec, SamplerCatalogue catalogue) {
  return spec.sampler.type == "torch.DistributedSampler" && spec.worldSize() > 1 &&
         holds(spec, catalogue, "shuffle", true) && holds(spec, catalogue, "drop_last", false) &&
         holds(spec, catalogue, "set_epoch", true) && holds(spec, catalogue, "seed", globalSeed(spec).value_or(0)) &&
         holds(spec, catalogue, "rank", std::string("rank")) &&
         (holds(spec, catalogue, "num_replicas", std::string("world_size")) ||
          holds(spec, catalogue, "num_replicas", spec.worldSize()));
}

std::string whyNotInjected(const PipelineSpec& spec) {
  if (spec.worldSize() == 1) return "one rank: nothing to divide";
  return "with true, Lightning would replace the planned sampler with its own DistributedSampler";
}

std::string dataSection(const PipelineSpec& spec, const ExportContext& context) {
  const bool by_class = !context.data_class.empty();
  const std::string indent = by_class ? "    " : "  ";
  return "data:  # parameters of your LightningDataModule\n" +
         (by_class ? "  class_path: " + writeText(context.data_class) + "\n  init_args:\n" : "") + indent +
         "batch_size: " + std::to_string(spec.loader.batch_size) +
         "  # of each rank: where your module divides a global one, " +
         std::to_string(spec.loader.batch_size * spec.worldSize()) + "\n" + indent +
         "num_workers: " + std::to_string(spec.loader.num_workers) + "\n";
}

std::string text(const PipelineSpec& spec, bool injected, const ExportContext& context) {
  const auto seed = globalSeed(spec);
  const bool distributed = spec.worldSize() > 1 || spec.framework.lightning.strategy == "ddp";
  return "# " + oneLine(spec.name) + ", written by ShardLens for the Lightning CLI: python " + oneLine(context.script) +
         " fit --config lightning.yaml\n" + auditComment(context) +
         "seed_everything: " + (seed ? std::to_string(*seed) : "false") + "\n" +
         "trainer:\n"
         "  num_nodes: " +
         std::to_string(spec.world.nodes) + "\n" + "  devices: " + std::to_string(spec.world.ranks_per_node) + "\n" +
         (distributed ? "  strategy: ddp\n" : "") + "  max_epochs: " + std::to_string(spec.epochs) + "\n" +
         "  use_distributed_sampler: " + (injected ? "true" : "false  # " + whyNotInjected(spec)) + "\n" +
         dataSection(spec, context);
}

/// What Lightning does by itself, whatever the file says.
void addLightningsWays(const PipelineSpec& spec, SamplerCatalogue catalogue, std::vector<std::string>& sentences) {
  if (holds(spec, catalogue, "set_epoch", false)) {
    sentences.push_back(words::lightningCallsSetEpoch());
  }
  if (spec.loader.num_workers > 0 && globalSeed(spec)) {
    sentences.push_back(words::lightningSeedsWorkers());
  }
}

ExportResult writeLightning(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context) {
  const bool injected = isInjected(spec, catalogue);
  std::set<std::string> carried = {"world.nodes", "world.ranks_per_node", "loader.batch_size", "loader.num_workers",
                                   "epochs",      "sampler.set_epoch"};
  if (globalSeed(spec) || !isSeeded(spec)) carried.insert({"seeds.base", "seeds.rule"});
  if (injected) {
    for (const Field* field : fieldsOf(spec, catalogue)) {
      if (field->section() == "sampler") carried.insert(field->path);
    }
  }
  const std::string reason = words::noKey(inTheScript(spec, context.script));
  ExportResult out{
      {{"lightning.yaml", text(spec, injected, context)}}, notCarried(spec, catalogue, carried, reason), {}};
  addLightningsWays(spec, catalogue, out.not_carried);
  return out;
}

}  // namespace

ExportTarget lightningTarget() {
  return {"lightning",
          marked("export", "Lightning CLI"),
          "lightning.yaml",
          "yaml",
          marked("export", "trainer, seed and data module settings for `train.py fit --config`."),
          writeLightning};
}

}  // namespace shardlens::yaml
