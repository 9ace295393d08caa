// SPDX-License-Identifier: Apache-2.0
#include "core/lens/columns/lightning_notes.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/lens/columns/user_loader.h"
#include "core/sampling/script_seed.h"

#include <string>
#include <utility>

namespace shardlens::lenses {
namespace {

using sampling::InjectedSampler;
using sampling::LightningSettings;
using sampling::PreparedLoader;
using Notes = std::vector<Note>;

void warn(Notes& notes, std::string text) {
  notes.push_back({Severity::Warning, std::move(text)});
}

void fail(Notes& notes, std::string text) {
  notes.push_back({Severity::Error, std::move(text)});
}

void inform(Notes& notes, std::string text) {
  notes.push_back({Severity::Info, std::move(text)});
}

/// Parameters of a RandomSampler that the script set and the replacement does not take.
std::vector<std::string> lostParameters(const PipelineSpec& written) {
  std::vector<std::string> lost;
  const auto& given = written.sampler.parameters;
  if (const auto flag = given.find("replacement"); flag != given.end() && flag->second == Value(true)) {
    lost.emplace_back("replacement");
  }
  if (const auto count = given.find("num_samples");
      count != given.end() && count->second != Value(std::string("none"))) {
    lost.emplace_back("num_samples");
  }
  if (const auto generator = given.find("generator");
      generator != given.end() && generator->second != Value(std::string("none"))) {
    lost.push_back(worded("lens", "the generator"));
  }
  return lost;
}

void noteReplacement(const PipelineSpec& written, const PreparedLoader& prepared, Notes& notes) {
  if (const auto lost = lostParameters(written); !lost.empty()) {
    fail(notes, filled(worded("lens", "Lost without a warning: %1."), join(lost, ", ")));
  }
  if (written.sampler.type == "torch.SequentialSampler" && prepared.shuffle) {
    warn(notes, worded("lens",
                       "In training it always shuffles, even a sequential sampler (pytorch-lightning#21131, #10170)."));
  }
}

void noteWrapper(const PipelineSpec& written, const PreparedLoader& prepared, Notes& notes) {
  if (prepared.shuffle) {
    warn(notes,
         worded("lens",
                "In training the wrapper permutes the pass, so a handmade order is lost (pytorch-lightning#21131)."));
  }
  const auto generator = written.sampler.parameters.find("generator");
  const bool own = generator != written.sampler.parameters.end() && generator->second == Value(std::string("sampler"));
  const bool apart = own ? !sampling::rankSeedPath(written).empty() : sampling::seedsRanksApart(written);
  if (apart && written.sampler.type != "python.list") {
    fail(notes, worded("lens",
                       "The ranks draw different random numbers, so each divides a different pass: several ranks may "
                       "read one sample, and no rank another (pytorch-lightning#10946, #12866)."));
  }
}

void notePrediction(const LightningSettings& settings, const PreparedLoader& prepared, Notes& notes) {
  if (prepared.unsharded) {
    fail(notes,
         worded("lens", "The batch sampler stays as it is: every rank predicts everything (pytorch-lightning#19964)."));
  } else if (prepared.injected == InjectedSampler::UnrepeatedWrapper) {
    inform(notes,
           worded("lens", "Prediction never pads and never drops the last batch; ranks may differ by one sample."));
  } else {
    inform(notes, worded("lens", "Prediction never drops the last batch."));
  }
  if (prepared.sampler_lost)
    fail(notes, worded("lens", "The sampler inside the batch sampler is lost: the dataset is read in order."));
  if (prepared.shuffle)
    warn(notes, worded("lens", "The epoch alone seeds the permutation: PL_GLOBAL_SEED has no effect."));
  if (!settings.is_distributed)
    inform(notes, worded("lens", "On one rank the loader is recreated too, with the same sampler."));
}

void noteBatches(const PreparedLoader& prepared, Notes& notes) {
  if (!prepared.batches) {
    fail(notes,
         worded("lens",
                "Batching is lost without a warning: the loader yields single samples without a batch dimension."));
  } else if (prepared.sampler_lost && prepared.batch_size == 1) {
    fail(notes, worded("lens", "The batch size becomes 1 without a warning."));
  }
}

std::string keptText(const PipelineSpec& written, const LightningSettings& settings) {
  const bool in_order = settings.api == sampling::LightningApi::Trainer && readsInOrder(written);
  if (in_order && written.sampler.type != "torch.SequentialSampler")
    return worded("lens",
                  "overfit_batches replaces the sampler with a sequential one, and the loader stays as it is then.");
  if (!settings.is_distributed) return worded("lens", "With one rank and no strategy ddp, the loader stays as it is.");
  if (!settings.use_distributed_sampler) {
    return worded("lens", "With use_distributed_sampler=False, the loader stays as it is on every rank.");
  }
  return worded("lens", "The sampler is already a DistributedSampler: Lightning keeps it and calls set_epoch.");
}

}  // namespace

std::string lightningMakes(const PipelineSpec& written, const LightningSettings& settings,
                           const PreparedLoader& prepared) {
  const std::string type = written.sampler.type.substr(written.sampler.type.rfind('.') + 1);
  const bool alone = written.worldSize() == 1;
  const std::string world = std::to_string(written.worldSize());
  switch (prepared.injected) {
    case InjectedSampler::Distributed:
      return filled(worded("lens", "%1 is replaced with a DistributedSampler."), type);
    case InjectedSampler::Wrapper:
      return alone ? worded("lens", "The sampler is wrapped: each rank draws one whole pass and takes all of it.")
                   : filled(worded("lens",
                                   "The sampler is wrapped: each rank draws one whole pass and takes one of %1 "
                                   "positions of it."),
                            world);
    case InjectedSampler::UnrepeatedWrapper:
      return alone
                 ? worded("lens", "Prediction wraps the sampler without padding: each rank takes all of it.")
                 : filled(
                       worded(
                           "lens",
                           "Prediction wraps the sampler without padding: each rank takes one of %1 positions of it."),
                       world);
    case InjectedSampler::Kept:
      break;
  }
  return settings.predicting ? worded("lens", "Prediction recreates the loader around the sampler of the design.")
                             : keptText(written, settings);
}

std::vector<Note> lightningNotes(const PipelineSpec& written, const LightningSettings& settings,
                                 const PreparedLoader& prepared) {
  Notes notes;
  if (prepared.injected == InjectedSampler::Distributed) noteReplacement(written, prepared, notes);
  if (prepared.injected == InjectedSampler::Wrapper) noteWrapper(written, prepared, notes);
  if (settings.predicting) {
    notePrediction(settings, prepared, notes);
  } else if (settings.overfit && readsInOrder(written) && written.sampler.type != "torch.SequentialSampler") {
    warn(notes, worded("lens", "overfit_batches first replaces the sampler with a sequential one."));
  }
  noteBatches(prepared, notes);
  const bool seeded = prepared.injected == InjectedSampler::Distributed && prepared.shuffle;
  if (seeded && settings.seed == 0) {
    inform(notes,
           worded("lens",
                  "Seed 0 unless seed_everything is called: every run has the same order (pytorch-lightning#20249)."));
  }
  if (settings.overfit && batchesRead(written) > 0)
    inform(notes, worded("lens", "Only the first overfit_batches batches of each epoch are used."));
  return notes;
}

}  // namespace shardlens::lenses
