// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/registry.h"
#include "core/yaml/export_parts.h"

#include <optional>

// An experiment of a Hydra project laid out as lightning-hydra-template is: seed, trainer and data, in the global
// package. There, data.batch_size is the global batch, which the data module divides by the world size.
namespace shardlens::yaml {
namespace {

/// The template seeds only where its seed is no 0.
std::optional<std::int64_t> templateSeed(const PipelineSpec& spec) {
  return sameSeed(spec, 1, kMostNumpySeed);
}

std::string overlay(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context) {
  std::string text =
      "# @package _global_\n" +
      fileHead(spec, context, "for Hydra: an experiment for a project laid out as lightning-hydra-template is");
  if (const auto seed = templateSeed(spec)) text += "seed: " + std::to_string(*seed) + "\n";
  return text + "trainer:\n  num_nodes: " + std::to_string(spec.world.nodes) +
         "\n  devices: " + std::to_string(spec.world.mostRanksOnNode()) + "\n" +
         (spec.worldSize() > 1 ? "  strategy: ddp\n" : "") + "  max_epochs: " + std::to_string(spec.epochs) + "\n" +
         accumulationKey(spec) + "  " + injectionKey(spec, catalogue) +
         "data:\n  batch_size: " + std::to_string(batchOfAllRanks(spec)) +
         "  # of all ranks: the template's data module divides it; each gets " + std::to_string(rankBatch(spec)) +
         "\n  num_workers: " + std::to_string(spec.loader.num_workers) + "\n";
}

}  // namespace

ExportResult writeHydra(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context) {
  if (auto problems = unequalNodes(spec, "Lightning"); !problems.empty()) return {{}, {}, std::move(problems)};
  std::set<std::string> carried = {"world.nodes",
                                   "world.ranks_per_node",
                                   "loader.batch_size",
                                   "loader.num_workers",
                                   "epochs",
                                   "loader.gradient_accumulation_steps"};
  if (templateSeed(spec)) carried.insert({"seeds.base", "seeds.rule"});
  if (sampling::traitsOf(spec).isDistributed() && samplerParameter(spec, catalogue, "set_epoch") == Value(true))
    carried.insert("sampler.set_epoch");  // Lightning calls it
  ExportResult out{
      {{"experiment.yaml", overlay(spec, catalogue, context)}},
      notCarried(spec, catalogue, carried, words::noKeyIn("Hydra", words::scriptLikePyTorch("train_dataloader()")))};
  addShareOfBatch(spec, batchOfAllRanks(spec), out.not_carried);
  return out;
}

}  // namespace shardlens::yaml
