// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"
#include "core/base/text.h"
#include "core/sampling/registry.h"

#include <algorithm>
#include <limits>

namespace shardlens::findings {

using sampling::SamplerTraits;

namespace {

/// "Epochs 0 and 1", "All 90 epochs", "The first 12 of 300 epochs".
std::string comparedEpochs(const Facts& facts) {
  const std::int64_t compared = facts.report().repeats.epochs;
  if (compared < facts.plan().epochs())
    return "The first " + grouped(compared) + " of " + counted(facts.plan().epochs(), "epoch");
  return compared == 2 ? "Epochs 0 and 1" : "All " + counted(compared, "epoch");
}

/// The first epoch that repeats an earlier one, or -1.
std::int64_t firstRepeat(const EpochRepeats& repeats) {
  for (std::int64_t epoch = 1; epoch < repeats.epochs; ++epoch) {
    if (repeats.same_as[static_cast<std::size_t>(epoch)] != epoch) return epoch;
  }
  return -1;
}

Finding ownOrders(const Facts& facts) {
  Finding finding;
  finding.code = "ok-reshuffled";
  finding.topic = FindingTopic::Epochs;
  finding.is_proof = true;
  finding.title = "Every epoch has its own order";
  finding.message = comparedEpochs(facts) + " were compared: no two deal the same batches.";
  finding.why = "The sampler starts each epoch from another state of its generator.";
  return finding;
}

Finding notShuffled(const Facts& facts) {
  Finding finding;
  finding.code = "not-shuffled";
  finding.topic = FindingTopic::Epochs;
  finding.title = "Nothing is shuffled";
  finding.message = comparedEpochs(facts) + " deal the same batches in the order of the dataset.";
  finding.why = "Right for evaluation. In training, neighbours in the dataset then always share a batch.";
  finding.where.field = facts.fieldOf(&SamplerTraits::shuffle);
  return finding;
}

Finding forgotten(const Facts& facts, std::int64_t repeat) {
  Finding finding;
  finding.code = "epochs-repeat";
  finding.topic = FindingTopic::Epochs;
  finding.severity = Severity::Error;
  finding.title = "Every epoch has the same order";
  finding.message = comparedEpochs(facts) + " deal the same batches: set_epoch is never called.";
  finding.why =
      "The order comes from seed + epoch, and the sampler's epoch stays 0 until the script calls "
      "sampler.set_epoch(epoch).";
  finding.where.epoch = repeat;
  finding.where.field = facts.fieldOf(&SamplerTraits::set_epoch);
  return finding;
}

sampling::OrderKey keyOf(const PipelineSpec& spec, std::int64_t epoch) {
  return sampling::findRule(spec.sampler.type)->key(spec, Epoch{epoch}, Rank{0});
}

/// Whether the next seed one epoch earlier gives the same order.
bool isShifted(const Facts& facts, std::int64_t seed) {
  const Edit next{facts.fieldOf(&SamplerTraits::seed), seed + 1};
  const auto spec = applyEdits(facts.spec(), {&next, 1}, sampling::catalogue());
  if (!spec || facts.plan().epochs() < 2) return false;
  return keyOf(*spec, 0) == keyOf(facts.spec(), 1) && keyOf(*spec, 0) != keyOf(facts.spec(), 0);
}

}  // namespace

void repeatedEpochs(const Facts& facts, std::vector<Finding>& findings) {
  const EpochRepeats& repeats = facts.report().repeats;
  if (repeats.epochs < 2 || facts.coverage().handed_out == 0) return;
  const std::int64_t repeat = firstRepeat(repeats);
  if (repeat < 0) return findings.push_back(ownOrders(facts));
  if (!facts.shuffles()) return findings.push_back(notShuffled(facts));
  if (facts.takes(&SamplerTraits::set_epoch) && !facts.isOn(&SamplerTraits::set_epoch))
    findings.push_back(forgotten(facts, repeat));
}

void seedSweep(const Facts& facts, std::vector<Finding>& findings) {
  const auto value = facts.parameter(&SamplerTraits::seed);
  const auto* seed = value ? std::get_if<std::int64_t>(&*value) : nullptr;
  if (seed == nullptr || *seed == std::numeric_limits<std::int64_t>::max() || !isShifted(facts, *seed)) return;
  Finding finding;
  finding.code = "seed-sweep-shift";
  finding.topic = FindingTopic::Runs;
  finding.title = "Neighbouring seeds give shifted copies";
  finding.message = "Seed " + grouped(*seed) + " in epoch 1 deals the order of seed " + grouped(*seed + 1) +
                    " in epoch 0, and so on.";
  finding.why =
      "The generator is seeded with seed + epoch. Runs over seeds 0, 1, 2 are not independent; take seeds further "
      "apart than the epochs.";
  finding.where.field = facts.fieldOf(&SamplerTraits::seed);
  findings.push_back(std::move(finding));
}

}  // namespace shardlens::findings
