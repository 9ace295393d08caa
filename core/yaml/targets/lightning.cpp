// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/registry.h"
#include "core/spec/field_table.h"
#include "core/spec/pipeline_spec.h"
#include "core/yaml/export_parts.h"
#include "core/yaml/scalar.h"

#include <optional>

namespace shardlens::yaml {
namespace {

/// The seed that seed_everything, which takes what numpy takes, can set on every rank.
std::optional<std::int64_t> globalSeed(const PipelineSpec& spec) {
  return sameSeed(spec, 0, kMostNumpySeed);
}

std::string dataSection(const PipelineSpec& spec, const ExportContext& context) {
  const bool by_class = !context.data_class.empty();
  const std::string indent = by_class ? "    " : "  ";
  return "data:  # parameters of your LightningDataModule\n" +
         (by_class ? "  class_path: " + writeText(context.data_class) + "\n  init_args:\n" : "") + indent +
         "batch_size: " + std::to_string(rankBatch(spec)) +
         "  # of each rank: where your module divides that of all ranks, " + std::to_string(batchOfAllRanks(spec)) +
         "\n" + indent + "num_workers: " + std::to_string(spec.loader.num_workers) + "\n";
}

/// Batches of each epoch that a Trainer reads, over and over; 0 means all.
std::string overfit(const PipelineSpec& spec) {
  const std::int64_t batches = spec.framework.lightning.overfit_batches;
  return batches == 0 ? std::string() : "  overfit_batches: " + std::to_string(batches) + "\n";
}

std::string lightningText(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context) {
  const auto seed = globalSeed(spec);
  const bool distributed = spec.worldSize() > 1 || spec.framework.lightning.strategy == "ddp";
  return fileHead(spec, context, "for the Lightning CLI: python " + context.script + " fit --config lightning.yaml") +
         "seed_everything: " + (seed ? std::to_string(*seed) : "false") + "\n" +
         "trainer:\n"
         "  num_nodes: " +
         std::to_string(spec.world.nodes) + "\n" + "  devices: " + std::to_string(spec.world.mostRanksOnNode()) + "\n" +
         (distributed ? "  strategy: ddp\n" : "") + "  max_epochs: " + std::to_string(spec.epochs) + "\n" +
         accumulationKey(spec) + "  " + injectionKey(spec, catalogue) + overfit(spec) + dataSection(spec, context);
}

/// What Lightning does by itself, whatever the file says.
void addLightningsWays(const PipelineSpec& spec, SamplerCatalogue catalogue, std::vector<std::string>& sentences) {
  if (sampling::traitsOf(spec).isDistributed() && samplerParameter(spec, catalogue, "set_epoch") == Value(false))
    sentences.push_back(worded(
        "export",
        "sampler.set_epoch false: Lightning calls set_epoch itself, so with Lightning every epoch gets a new order."));
  if (spec.loader.num_workers > 0 && globalSeed(spec))
    sentences.push_back(
        worded("export",
               "The seeds of the loader's workers: the Lightning CLI seeds with workers=True, so the workers follow "
               "Lightning's rule instead of torch's base_seed + worker_id."));
}

}  // namespace

ExportResult writeLightning(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context) {
  if (auto problems = unequalNodes(spec, "Lightning"); !problems.empty()) return {{}, {}, std::move(problems)};
  const bool injected = isInjected(spec, catalogue);
  std::set<std::string> carried = {"world.nodes",
                                   "world.ranks_per_node",
                                   "loader.batch_size",
                                   "loader.num_workers",
                                   "epochs",
                                   "loader.gradient_accumulation_steps"};
  if (sampling::traitsOf(spec).isDistributed()) carried.insert("sampler.set_epoch");
  if (globalSeed(spec) || neverSeeds(spec)) carried.insert({"seeds.base", "seeds.rule"});
  if (injected) {
    for (const Field* field : fieldsOf(spec, catalogue)) {
      if (field->section() == "sampler") carried.insert(field->path);
    }
  }
  const std::string reason =
      filled(worded("export",
                    "the file has no key for this; build the loader in train_dataloader() and seed in the script: %1"),
             words::scriptLikePyTorch(context.script));
  ExportResult out{
      {{"lightning.yaml", lightningText(spec, catalogue, context)}}, notCarried(spec, catalogue, carried, reason), {}};
  addShareOfBatch(spec, rankBatch(spec), out.not_carried);
  addLightningsWays(spec, catalogue, out.not_carried);
  return out;
}

}  // namespace shardlens::yaml
