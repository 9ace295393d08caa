// SPDX-License-Identifier: Apache-2.0
// Epochs that repeat each other.
#include "core/audit/fixes/remedies.h"
#include "core/audit/fixes/sampler_remedies.h"
#include "core/audit/words/fix_words.h"

#include <utility>

namespace shardlens::fixes {

using sampling::SamplerTraits;

namespace {

void useClassThatShuffles(const Facts& facts, std::vector<Fix>& proposed) {
  if (!facts.spec().dataset.shards.empty() || remediesOf(facts).for_ranks != "torch.DistributedSampler") return;
  if (!facts.shuffles()) return;
  Fix fix = changeTo(facts, "torch.DistributedSampler", words::useClassThatShuffles("torch.DistributedSampler"));
  fix.edits.push_back({"sampler.shuffle", true});
  fix.edits.push_back({"sampler.set_epoch", true});
  proposed.push_back(std::move(fix));
}

}  // namespace

void renewEpochs(const Facts& facts, const Finding& /*finding*/, std::vector<Fix>& proposed) {
  if (facts.takes(&SamplerTraits::set_epoch)) {
    const Edit told{facts.fieldOf(&SamplerTraits::set_epoch), true};
    proposed.push_back({words::callSetEpoch(), {told}, {}});
  }
  // Copies of the dataset in workers that are made anew begin with epoch 0 again.
  const Edit kept{"loader.persistent_workers", true};
  const bool forgets = facts.spec().loader.num_workers > 0 && !facts.spec().loader.persistent_workers;
  if (forgets) proposed.push_back({words::keepWorkers(), {kept}, {}});
  if (const auto renewed = made(facts, remediesOf(facts).renews)) {
    proposed.push_back({words::shuffleBySeedAndEpoch(renewed->path), {*renewed}, {}});
    if (forgets) proposed.push_back({words::shuffleBySeedAndEpochKeepingWorkers(renewed->path), {*renewed, kept}, {}});
  }
  useClassThatShuffles(facts, proposed);
}

}  // namespace shardlens::fixes
