// SPDX-License-Identifier: Apache-2.0
#include "core/lens/columns/lightning_remedies.h"

#include "core/base/phrase.h"
#include "core/lens/columns/user_loader.h"
#include "core/sampling/registry.h"
#include "core/sampling/torch/inner_sampler.h"

#include <optional>
#include <utility>

namespace shardlens::lenses {
namespace {

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
  const LensColumn trainer = lightningTrainer(spec);
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

}  // namespace

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

}  // namespace shardlens::lenses
