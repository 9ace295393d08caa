// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/registry.h"
#include "core/spec/field_table.h"
#include "core/yaml/export_parts.h"
#include "core/yaml/scalar.h"

#include <array>

// The YAML of llm-foundry (TrainConfig), as far as it decides the order: StreamingDataset's arguments are keys of
// train_loader.dataset. Composer seeds rank r with seed + r.
namespace shardlens::yaml {
namespace {

constexpr std::int64_t kMostComposerSeed = 2'147'483'647;

constexpr std::array kDatasetKeys = {"shuffle",
                                     "shuffle_algo",
                                     "shuffle_seed",
                                     "shuffle_block_size",
                                     "partition_algo",
                                     "num_canonical_nodes",
                                     "batching_method",
                                     "sampling_method",
                                     "sampling_granularity",
                                     "epoch_size",
                                     "replication"};

bool isStreaming(const PipelineSpec& spec) {
  return spec.sampler.type == "streaming.StreamingDataset";
}

bool seedsAsComposer(const PipelineSpec& spec) {
  const bool is_same = spec.seeds.rule == "base+rank" || (spec.seeds.rule == "same" && spec.worldSize() == 1);
  return is_same && spec.seeds.base >= 0 && spec.seeds.base <= kMostComposerSeed;
}

std::string datasetKeys(const PipelineSpec& spec, SamplerCatalogue catalogue) {
  std::string text = "  dataset:  # beside your local, remote and streams\n";
  for (const char* key : kDatasetKeys) {
    const Value value = samplerParameter(spec, catalogue, key);
    text +=
        "    " + std::string(key) + ": " + (value == Value(std::string("none")) ? "null" : writeValue(value)) + "\n";
  }
  return text;
}

std::string foundryText(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context) {
  const auto& loader = spec.loader;
  std::string text = fileHead(spec, context, "for llm-foundry: what to merge into your YAML");
  if (seedsAsComposer(spec)) text += "seed: " + std::to_string(spec.seeds.base) + "  # rank r gets this + r\n";
  text += "max_duration: " + std::to_string(spec.epochs) +
          "ep\nglobal_train_batch_size: " + std::to_string(batchOfAllRanks(spec)) + "  # " +
          std::to_string(rankBatch(spec)) + " of each of " + plainCounted(spec.worldSize(), "rank") +
          "\ntrain_loader:\n  drop_last: " + (loader.drop_last ? "true" : "false") +
          "\n  num_workers: " + std::to_string(loader.num_workers) + "\n";
  if (loader.num_workers > 0)
    text += "  prefetch_factor: " + std::to_string(loader.prefetch_factor) +
            "\n  persistent_workers: " + (loader.persistent_workers ? "true" : "false") + "\n";
  return isStreaming(spec) ? text + datasetKeys(spec, catalogue) : text;
}

}  // namespace

ExportResult writeComposer(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context) {
  std::set<std::string> carried = {"world.nodes",        "world.ranks_per_node", "loader.batch_size",
                                   "loader.num_workers", "loader.drop_last",     "epochs"};
  if (spec.loader.num_workers > 0) carried.insert({"loader.prefetch_factor", "loader.persistent_workers"});
  if (seedsAsComposer(spec)) carried.insert({"seeds.base", "seeds.rule"});
  if (sampling::traitsOf(spec).isDistributed() && samplerParameter(spec, catalogue, "set_epoch") == Value(true))
    carried.insert("sampler.set_epoch");  // Composer calls it
  if (isStreaming(spec)) {
    carried.insert("sampler.type");
    for (const char* key : kDatasetKeys) carried.insert("sampler." + std::string(key));
    if (samplerParameter(spec, catalogue, "batch_size") == Value(std::string("loader")))
      carried.insert("sampler.batch_size");
  }
  ExportResult out{{{"composer.yaml", foundryText(spec, catalogue, context)}},
                   notCarried(spec, catalogue, carried,
                              words::noKeyIn("llm-foundry", words::scriptLikePyTorch("a train_loader of your own")))};
  addShareOfBatch(spec, batchOfAllRanks(spec), out.not_carried);
  out.not_carried.push_back(words::launcherSaysWorld("composer", spec.world));
  return out;
}

}  // namespace shardlens::yaml
