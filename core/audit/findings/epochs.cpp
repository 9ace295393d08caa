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

/// The epochs that deal the batches of an earlier one.
std::vector<std::int64_t> repeatingEpochs(const EpochRepeats& repeats) {
  std::vector<std::int64_t> epochs;
  for (std::int64_t epoch = 1; epoch < repeats.epochs; ++epoch) {
    if (repeats.same_as[static_cast<std::size_t>(epoch)] != epoch) epochs.push_back(epoch);
  }
  return epochs;
}

Finding ownOrders(const Facts& facts) {
  Finding finding;
  finding.code = "ok-reshuffled";
  finding.is_proof = true;
  finding.title = "Every epoch has its own order";
  finding.message = comparedEpochs(facts) + " were compared: no two have the same batches.";
  finding.why = "Compared batch by batch over all ranks.";
  return finding;
}

Finding notShuffled(const Facts& facts) {
  Finding finding;
  finding.code = "not-shuffled";
  finding.title = "Nothing is shuffled";
  finding.message = comparedEpochs(facts) + " have the same batches, in the order of the dataset.";
  finding.why = "This is right for evaluation. In training, neighbours in the dataset always share a batch.";
  finding.where.field = facts.fieldOf(&SamplerTraits::shuffle);
  return finding;
}

Finding forgotten(const Facts& facts) {
  Finding finding;
  finding.severity = Severity::Error;
  finding.title = "Every epoch has the same order";
  finding.message = comparedEpochs(facts) + " have the same batches: set_epoch is never called.";
  finding.why =
      "The order comes from seed + epoch, and the sampler's epoch stays 0 until the script calls "
      "sampler.set_epoch(epoch).";
  finding.where.field = facts.fieldOf(&SamplerTraits::set_epoch);
  return finding;
}

Finding sameAgain(const Facts& facts, const std::vector<std::int64_t>& epochs) {
  const bool all = static_cast<std::int64_t>(epochs.size()) + 1 == facts.report().repeats.epochs;
  Finding finding;
  finding.severity = facts.evaluates() ? Severity::Info : Severity::Warning;
  finding.title = all ? "Every epoch has the same batches" : "Some epochs have the same batches";
  const bool one = epochs.size() == 1;
  finding.message = all ? comparedEpochs(facts) + " have the same batches."
                        : std::string(one ? "Epoch " : "Epochs ") + ranges(epochs) + (one ? " deals" : " deal") +
                              " the batches of an earlier epoch; compared: " +
                              (facts.report().repeats.epochs == facts.plan().epochs()
                                   ? "all " + counted(facts.plan().epochs(), "epoch")
                                   : "the first " + grouped(facts.report().repeats.epochs) + " of " +
                                         counted(facts.plan().epochs(), "epoch")) +
                              ".";
  finding.why = "The model sees the same batches in the same order again, and can learn that order.";
  finding.where.field = facts.fieldOf(&SamplerTraits::seed);
  return finding;
}

Finding repeating(const Facts& facts, const std::vector<std::int64_t>& epochs) {
  const bool all = static_cast<std::int64_t>(epochs.size()) + 1 == facts.report().repeats.epochs;
  if (all && facts.readsInOrder()) return notShuffled(facts);
  const bool untold = facts.takes(&SamplerTraits::set_epoch) && !facts.isOn(&SamplerTraits::set_epoch);
  Finding finding = all && untold && facts.shuffles() ? forgotten(facts) : sameAgain(facts, epochs);
  finding.code = "epochs-repeat";
  finding.where.epoch = epochs.front();
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
  const auto epochs = repeatingEpochs(repeats);
  Finding finding = epochs.empty() ? ownOrders(facts) : repeating(facts, epochs);
  finding.topic = FindingTopic::Epochs;
  findings.push_back(std::move(finding));
}

void seedSweep(const Facts& facts, std::vector<Finding>& findings) {
  const auto value = facts.parameter(&SamplerTraits::seed);
  const auto* seed = value ? std::get_if<std::int64_t>(&*value) : nullptr;
  if (seed == nullptr || *seed == std::numeric_limits<std::int64_t>::max() || !isShifted(facts, *seed)) return;
  Finding finding;
  finding.code = "seed-sweep-shift";
  finding.topic = FindingTopic::Runs;
  finding.title = "Runs with neighbouring seeds share most of their epochs";
  finding.message =
      "Seed " + grouped(*seed) + " in epoch 1 has the order of seed " + grouped(*seed + 1) + " in epoch 0, and so on.";
  finding.why =
      "The generator is seeded with seed + epoch. Runs over seeds 0, 1, 2 are not independent; take seeds further "
      "apart than the epochs.";
  finding.where.field = facts.fieldOf(&SamplerTraits::seed);
  findings.push_back(std::move(finding));
}

}  // namespace shardlens::findings
