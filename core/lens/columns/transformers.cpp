// SPDX-License-Identifier: Apache-2.0
#include "core/lens/columns/accelerate_stream.h"
#include "core/lens/columns/columns.h"
#include "core/sampling/registry.h"

#include <string>
#include <utility>

namespace shardlens::lenses {
namespace {

void noteTrainer(LensColumn& column, const PipelineSpec& written) {
  if (!isShuffled(written)) {
    column.notes.push_back({Severity::Warning, "In training it shuffles, also what was written in order."});
  }
  if (written.seeds.rule != "same") {
    column.notes.push_back({Severity::Info, "It seeds every rank alike, whatever the script did before."});
  }
  if (!written.dataset.lengths.empty()) {
    column.notes.push_back(
        {Severity::Info, "The lengths are used with group_by_length=True only, by a LengthGroupedSampler."});
  }
  column.notes.push_back({Severity::Info, "With TrainingArguments(seed=" + std::to_string(written.seeds.base) +
                                              "), whose default is 42. batch_size is per_device_train_batch_size."});
}

LensColumn named(std::string title) {
  LensColumn column;
  column.id = "transformers";
  column.title = std::move(title);
  return column;
}

LensColumn iterableStyle(const PipelineSpec& spec) {
  LensColumn column = named("Hugging Face Trainer");
  dealStream(column, spec);
  return column;
}

LensColumn grouped(const PipelineSpec& spec) {
  LensColumn column = named("Hugging Face Trainer, group_by_length");
  column.makes = "It makes a LengthGroupedSampler without a generator, and deals whole batches to the ranks in turn.";
  leaveOpen(column, spec, "that sampler draws from torch's global stream, behind what the model's weights took of it");
  return column;
}

}  // namespace

/// Trainer.get_train_dataloader: RandomSampler(dataset), handed to Accelerate, which AcceleratorConfig's default
/// use_seedable_sampler=True tells to seed it by seed + epoch.
std::vector<LensColumn> transformers(const PipelineSpec& spec) {
  if (isStream(spec.sampler.type)) return {iterableStyle(spec)};
  if (spec.sampler.type == "transformers.LengthGroupedSampler") return {grouped(spec)};
  LensColumn column = ownSampler(spec, "transformers", "Hugging Face Trainer", "accelerate.BatchSamplerShard",
                                 {{"shuffle", true}, {"use_seedable_sampler", true}});
  column.makes = "It takes the dataset, permutes it by seed + epoch, and deals whole batches to the ranks in turn.";
  column.spec->seeds.rule = "same";
  noteTrainer(column, spec);
  const PipelineSpec random = withSampler(spec, "torch.RandomSampler", {});
  if (const auto made = sampling::findRule(random.sampler.type)->check(random); !made) {
    column.spec.reset();
    column.error = made.error();
    column.when = "in trainer.train(), before the first batch";
  }
  return {column};
}

}  // namespace shardlens::lenses
