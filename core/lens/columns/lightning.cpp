// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/lens/columns/columns.h"
#include "core/lens/lens.h"
#include "core/sampling/lightning/injection.h"
#include "core/sampling/recorded_lists.h"
#include "core/sampling/registry.h"
#include "core/sampling/script_seed.h"
#include "core/sampling/torch/inner_sampler.h"

#include <string>
#include <utility>
#include <vector>

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

/// One sentence: what becomes of the loader.
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

/// What else a user should know about the loader that Lightning prepared from the spec's, with the issues that people
/// reported.
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

using sampling::LightningApi;
using sampling::UserLoader;

std::string whenOf(const PipelineSpec& spec, LightningApi api) {
  if (api == LightningApi::Fabric) return worded("lens", "in fabric.setup_dataloaders()");
  const std::string& stage = spec.framework.lightning.stage;
  return filled(worded("lens", "in trainer.%1(), before the first batch"), stage == "train" ? "fit" : stage);
}

void refuse(LensColumn& column, const PipelineSpec& spec, Error error, LightningApi api) {
  column.spec.reset();
  column.sampler = samplerCode(spec);
  column.makes = error.code == ErrorCode::Unsupported ? worded("lens", "ShardLens does not model this combination.")
                                                      : worded("lens", "Lightning refuses this loader.");
  column.when = error.code == ErrorCode::Unsupported ? "" : whenOf(spec, api);
  column.error = std::move(error);
}

/// overfit_batches first puts a SequentialSampler into loaders that have none, by the same steps as an injection
/// (data_connector.py, _resolve_overfit_batches).
PipelineSpec inOrder(PipelineSpec spec, UserLoader& loader) {
  spec.sampler = {"torch.SequentialSampler", {}};
  const std::int64_t size = spec.dataset.size;
  loader.sampler = {};
  loader.sampler.size = size;
  loader.batch_sampler->sampler = loader.sampler;
  return spec;
}

void fill(LensColumn& column, const PipelineSpec& written, LightningApi api) {
  auto loader = userLoaderOf(written);
  if (!loader) {
    Error error{ErrorCode::Unsupported,
                filled(worded("lens", "not predictable: ShardLens does not model how Lightning handles %1."),
                       sampling::samplerName(written.sampler.type)),
                {},
                {}};
    return refuse(column, written, std::move(error), api);
  }
  const LightningSettings settings = lightningSettings(written, api);
  const bool in_order = api == LightningApi::Trainer && readsInOrder(written);
  const PipelineSpec given = in_order ? inOrder(written, *loader) : written;
  const auto prepared = sampling::prepareLoader(*loader, settings);
  if (!prepared) return refuse(column, written, prepared.error(), api);
  auto spec = sampling::preparedSpec(given, *prepared);
  if (!spec) return refuse(column, written, spec.error(), api);
  tellEpoch(*spec);  // Trainer and Fabric call set_epoch of a DistributedSampler that stays
  column.spec = std::move(*spec);
  if (api == LightningApi::Trainer) column.first_batches = batchesRead(written);
  column.sampler = samplerCode(*column.spec);
  column.makes = lightningMakes(written, settings, *prepared);
  column.notes = lightningNotes(written, settings, *prepared);
}

LensColumn columnOf(const PipelineSpec& spec, LightningApi api) {
  LensColumn column;
  column.id = api == LightningApi::Trainer ? "lightning" : "fabric";
  column.title = api == LightningApi::Trainer ? "Lightning 2.6 Trainer" : "Lightning 2.6 Fabric";
  fill(column, spec, api);
  return column;
}

constexpr const char* kEveryRank = marked("lens",
                                          "Nothing divides the samples: every rank draws from all of them, and ranks "
                                          "with equal seeds draw the same batches (pytorch-lightning#3716).");

LensColumn remedy(std::string id, std::string title) {
  LensColumn column;
  column.id = std::move(id);
  column.title = std::move(title);
  column.remedy_of = "lightning";
  return column;
}

void deal(LensColumn& column, PipelineSpec spec) {
  column.sampler = samplerCode(spec);
  column.first_batches = batchesRead(spec);
  column.spec = std::move(spec);
}

/// Whether the sampler of the design divides by itself.
bool dividesItself(const PipelineSpec& spec) {
  return sampling::findRule(spec.sampler.type)->claims(spec).divides;
}

/// Another column's order, or its error.
void takeOver(LensColumn& column, const LensColumn& trainer) {
  column.sampler = trainer.sampler;
  column.spec = trainer.spec;
  column.first_batches = trainer.first_batches;
  column.error = trainer.error;
  column.when = trainer.when;
}

LensColumn switchedOff(PipelineSpec spec) {
  LensColumn column = remedy("lightning-off", "use_distributed_sampler=False");
  if (!dividesItself(spec)) column.notes.push_back({Severity::Error, worded("lens", kEveryRank)});
  spec.framework.lightning.use_distributed_sampler = false;
  const LensColumn trainer = columnOf(spec, LightningApi::Trainer);
  takeOver(column, trainer);
  column.makes = trainer.makes;
  return column;
}

LensColumn newerVersion(const LensColumn& trainer) {
  LensColumn column = remedy("lightning-newer", worded("lens", "A newer Lightning"));
  takeOver(column, trainer);
  if (!trainer.error) {
    column.makes = worded("lens", "2.6.2, the newest release examined, still does the same.");
    return column;
  }
  column.makes = worded("lens", "No release up to 2.6.2, the newest examined, accepts this loader.");
  column.notes.push_back({Severity::Error, worded("lens",
                                                  "Before 2.1 it failed with an AttributeError: no attribute "
                                                  "'batch_size' (pytorch-lightning#19371, #18402).")});
  return column;
}

/// class X(BatchSampler) with __init__(self, sampler, batch_size, drop_last, ...): accepted, and given Lightning's
/// sampler; a rule that never asks that sampler goes on as before.
LensColumn inheriting(const PipelineSpec& spec) {
  LensColumn column =
      remedy("lightning-batch-sampler", worded("lens", "Inherit from BatchSampler(sampler, batch_size, drop_last)"));
  column.makes = worded("lens", "Lightning then accepts the class and passes it a DistributedSampler.");
  column.notes.push_back(
      {Severity::Error, worded("lens",
                               "The two streams come from lists, not from that sampler: unless the class is rewritten "
                               "to use it, every rank continues as before (pytorch-lightning#19183).")});
  column.notes.push_back(
      {Severity::Warning, worded("lens",
                                 "Create it inside the *_dataloader hook: outside, other arguments are reset to their "
                                 "defaults or missing (pytorch-lightning#18402).")});
  deal(column, spec);
  return column;
}

LensColumn distributionAware(const PipelineSpec& spec) {
  LensColumn column = remedy("lightning-distributed-sampler", worded("lens", "A sampler that divides by rank"));
  const std::string inner = sampling::innerNameOf(spec.sampler.type);
  if (isBatchSampler(spec)) {
    auto parameters = spec.sampler.parameters;
    parameters["seed"] = spec.framework.lightning.global_seed;
    PipelineSpec divided = withSampler(spec, "shardlens.DistributedTwoStreamBatchSampler", std::move(parameters));
    divided.framework.lightning.use_distributed_sampler = false;
    deal(column, std::move(divided));
    column.makes = worded(
        "lens",
        "ShardLens' own variant of the rule, which no published class has, divides the batches between the ranks.");
    column.notes.push_back({Severity::Info, worded("lens",
                                                   "Use it with use_distributed_sampler=False: Lightning inspects "
                                                   "batch samplers without asking whether they know ranks.")});
  } else if (inner == "random" || inner == "sequential") {
    PipelineSpec divided =
        withSampler(spec, "torch.DistributedSampler",
                    {{"shuffle", inner == "random"}, {"seed", spec.framework.lightning.global_seed}});
    // Prediction recreates every loader without drop_last.
    if (spec.framework.lightning.stage == "predict") divided.loader.drop_last = false;
    deal(column, std::move(divided));
    column.makes =
        worded("lens", "The script creates a DistributedSampler with the intended shuffle, and Lightning keeps it.");
  } else if (!inner.empty()) {
    auto parameters = spec.sampler.parameters;
    parameters["inner"] = inner;
    parameters["shuffle"] = false;
    deal(column, withSampler(spec, "lightning.DistributedSamplerWrapper", std::move(parameters)));
    column.makes = worded("lens",
                          "The script creates DistributedSamplerWrapper(sampler, shuffle=False), which divides the "
                          "sampler's own order, and Lightning keeps it.");
  }
  return column;
}

/// The Trainer deals what was written: nothing to mend.
bool keeps(const PipelineSpec& spec, const LensColumn& trainer) {
  return trainer.spec && trainer.spec->sampler.type == spec.sampler.type && trainer.spec->loader == spec.loader;
}

/// What people do when the Trainer changes an order or refuses a loader, each with the order that it would give; none
/// when the Trainer deals what was written.
std::vector<LensColumn> lightningRemedies(const PipelineSpec& spec, const LensColumn& trainer) {
  const bool unknown = trainer.error && trainer.error->code == ErrorCode::Unsupported;
  if (keeps(spec, trainer) || unknown || !spec.framework.lightning.use_distributed_sampler) return {};
  std::vector<LensColumn> columns = {switchedOff(spec), newerVersion(trainer)};
  const bool divided = dividesItself(spec);
  if (isBatchSampler(spec) && !divided) columns.push_back(inheriting(spec));
  if (!divided && !readsInOrder(spec)) columns.push_back(distributionAware(spec));
  std::erase_if(columns, [](const LensColumn& column) { return !column.spec && !column.error; });
  return columns;
}

}  // namespace

std::vector<LensColumn> lightning(const PipelineSpec& spec) {
  std::vector<LensColumn> columns = {columnOf(spec, LightningApi::Trainer)};
  for (LensColumn& remedy : lightningRemedies(spec, columns.front())) columns.push_back(std::move(remedy));
  columns.push_back(columnOf(spec, LightningApi::Fabric));
  return columns;
}

}  // namespace shardlens::lenses
