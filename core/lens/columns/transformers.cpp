// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/lens/columns/columns.h"
#include "core/sampling/python.h"
#include "core/sampling/registry.h"

#include <cstdint>
#include <string>
#include <utility>

namespace shardlens::lenses {
namespace {

void noteTrainer(LensColumn& column, const PipelineSpec& written) {
  if (!isShuffled(written)) {
    column.notes.push_back({Severity::Warning, worded("lens", "In training it shuffles, even a sequential sampler.")});
  }
  if (written.seeds.rule != "same") {
    column.notes.push_back(
        {Severity::Info, worded("lens", "It gives every rank the same seed, whatever the script did before.")});
  }
  if (!written.dataset.lengths.empty()) {
    column.notes.push_back(
        {Severity::Info,
         worded("lens", "The lengths are used only with group_by_length=True, by a LengthGroupedSampler.")});
  }
  column.notes.push_back(
      {Severity::Info,
       filled(worded("lens",
                     "With TrainingArguments(seed=%1); the default is 42. batch_size is per_device_train_batch_size."),
              std::to_string(written.seeds.base))});
}

void refuse(LensColumn& column, Error error, std::string when) {
  column.spec.reset();
  column.error = std::move(error);
  column.when = std::move(when);
}

LensColumn named(std::string title) {
  LensColumn column;
  column.id = "transformers";
  column.title = std::move(title);
  return column;
}

LensColumn streamColumn(const PipelineSpec& spec) {
  LensColumn column = named("Hugging Face Trainer");
  dealStream(column, spec);
  return column;
}

LensColumn grouped(const PipelineSpec& spec) {
  LensColumn column = named("Hugging Face Trainer, group_by_length");
  column.makes = worded(
      "lens", "It creates a LengthGroupedSampler without a generator, and hands whole batches to the ranks in turn.");
  leaveOpen(column, spec,
            worded("lens", "that sampler draws from torch's global stream, after the draws that initialize the model"));
  return column;
}

}  // namespace

/// Trainer.get_train_dataloader: RandomSampler(dataset), handed to Accelerate, which AcceleratorConfig's default
/// use_seedable_sampler=True tells to seed it by seed + epoch.
std::vector<LensColumn> transformers(const PipelineSpec& spec) {
  if (isStream(spec.sampler.type)) return {streamColumn(spec)};
  if (spec.sampler.type == "transformers.LengthGroupedSampler") return {grouped(spec)};
  LensColumn column = ownSampler(spec, "transformers", "Hugging Face Trainer", "accelerate.BatchSamplerShard",
                                 {{"shuffle", true}, {"use_seedable_sampler", true}});
  column.makes =
      worded("lens", "It permutes the dataset by seed + epoch and hands whole batches to the ranks in turn.");
  column.spec->seeds.rule = "same";
  noteTrainer(column, spec);
  const PipelineSpec random = withSampler(spec, "torch.RandomSampler", {});
  if (spec.seeds.base < 0 || spec.seeds.base > UINT32_MAX) {  // Trainer.__init__ hands it to np.random.seed
    refuse(column, sampling::raised("ValueError", "Seed must be between 0 and 2**32 - 1", "seeds.base"),
           worded("lens", "when the Trainer is created"));
  } else if (const auto made = sampling::findRule(random.sampler.type)->check(random); !made) {
    refuse(column, made.error(), worded("lens", "in trainer.train(), before the first batch"));
  }
  return {column};
}

}  // namespace shardlens::lenses
