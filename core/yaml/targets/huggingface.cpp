// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/registry.h"
#include "core/spec/pipeline_spec.h"
#include "core/yaml/export_parts.h"

// TrainingArguments of transformers 4 and 5, as HfArgumentParser.parse_yaml_file reads them; LLaMA-Factory reads the
// same names. The Trainer makes its own sampler and has Accelerate divide it.
namespace shardlens::yaml {
namespace {

const char* yes(bool value) {
  return value ? "true" : "false";
}

bool isTrue(const PipelineSpec& spec, SamplerCatalogue catalogue, const char* key) {
  return samplerParameter(spec, catalogue, key) == Value(true);
}

/// RandomSampler, seeded by seed + epoch and dealt in batches: what Trainer.get_train_dataloader gives.
bool isTrainers(const PipelineSpec& spec, SamplerCatalogue catalogue) {
  return spec.sampler.type == "accelerate.BatchSamplerShard" && isTrue(spec, catalogue, "shuffle") &&
         isTrue(spec, catalogue, "use_seedable_sampler") && sameSeed(spec, 0, kMostNumpySeed) &&
         samplerParameter(spec, catalogue, "data_seed") == Value(std::string("none"));
}

/// Whether the Trainer calls the set_epoch of the spec's sampler: Accelerate's loader, which it reads from, passes the
/// epoch on to a sampler or a dataset, but to no batch sampler.
bool isToldEpoch(const PipelineSpec& spec, SamplerCatalogue catalogue) {
  const sampling::SamplerTraits& traits = sampling::traitsOf(spec);
  const bool is_reached = traits.isDistributed() || traits.loop == sampling::LoopOwner::Accelerate ||
                          spec.sampler.type == "datasets.IterableDataset";
  return is_reached && isTrue(spec, catalogue, "set_epoch");
}

std::string trainingArguments(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context) {
  const bool has_workers = spec.loader.num_workers > 0;
  const auto seed = sameSeed(spec, 0, kMostNumpySeed);
  std::string text =
      fileHead(spec, context, "for the Hugging Face Trainer: its TrainingArguments, without output_dir and the rest") +
      "per_device_train_batch_size: " + std::to_string(spec.loader.batch_size) +
      (isTrue(spec, catalogue, "split_batches") ? "  # of all ranks: split_batches divides it\n"
                                                : "  # of each rank\n") +
      "num_train_epochs: " + std::to_string(spec.epochs) + "\n";
  if (const auto batches = sampling::batchesPerStep(spec); batches && *batches > 1)
    text += "gradient_accumulation_steps: " + std::to_string(*batches) + "\n";
  if (seed) text += "seed: " + std::to_string(*seed) + "\n";
  text += "dataloader_num_workers: " + std::to_string(spec.loader.num_workers) + "\n";
  if (has_workers)
    text += "dataloader_prefetch_factor: " + std::to_string(spec.loader.prefetch_factor) +
            "\ndataloader_persistent_workers: " + yes(spec.loader.persistent_workers) + "\n";
  text += "dataloader_drop_last: " + std::string(yes(spec.loader.drop_last)) + "\n";
  if (!isTrainers(spec, catalogue)) return text;
  return text + "accelerator_config:\n  split_batches: " + yes(isTrue(spec, catalogue, "split_batches")) +
         "\n  even_batches: " + yes(isTrue(spec, catalogue, "even_batches")) + "\n  use_seedable_sampler: true\n";
}

}  // namespace

ExportResult writeHuggingFace(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context) {
  std::set<std::string> carried = {"world.nodes",
                                   "world.ranks_per_node",
                                   "loader.batch_size",
                                   "loader.num_workers",
                                   "loader.drop_last",
                                   "epochs",
                                   "loader.gradient_accumulation_steps"};
  if (spec.loader.num_workers > 0) carried.insert({"loader.prefetch_factor", "loader.persistent_workers"});
  if (sameSeed(spec, 0, kMostNumpySeed)) carried.insert({"seeds.base", "seeds.rule"});
  if (isToldEpoch(spec, catalogue)) carried.insert("sampler.set_epoch");
  const bool is_trainers = isTrainers(spec, catalogue);
  if (is_trainers) {
    for (const char* key : {"type", "shuffle", "use_seedable_sampler", "data_seed", "split_batches", "even_batches"})
      carried.insert("sampler." + std::string(key));
  }
  ExportResult out{
      {{"training_args.yaml", trainingArguments(spec, catalogue, context)}},
      notCarried(
          spec, catalogue, carried,
          worded("export",
                 "the Trainer makes its own loader unless get_train_dataloader() returns another, for example the one "
                 "of the target pytorch."))};
  out.not_carried.push_back(words::launcherSaysWorld("torchrun or accelerate launch", spec.world));
  if (neverSeeds(spec))
    out.not_carried.push_back(
        worded("export", "seeds.rule unseeded: the Trainer seeds every rank, with 42 where seed is not given."));
  return out;
}

}  // namespace shardlens::yaml
