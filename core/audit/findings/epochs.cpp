// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"
#include "core/sampling/registry.h"

#include <algorithm>
#include <limits>

namespace shardlens::findings {

using sampling::SamplerTraits;

namespace {

/// The epochs that deal the batches of an earlier one.
std::vector<std::int64_t> repeatingEpochs(const Facts& facts) {
  const EpochRepeats& repeats = facts.report().repeats;
  std::vector<std::int64_t> epochs;
  for (std::size_t i = 1; i < repeats.same_as.size(); ++i) {
    const std::int64_t epoch = repeats.first_epoch + static_cast<std::int64_t>(i);
    if (repeats.same_as[i] != epoch) epochs.push_back(epoch);
  }
  return epochs;
}

Finding toldOfEpochs(std::string code, Severity severity, words::FindingWords words) {
  return told(std::move(code), FindingTopic::Epochs, severity, std::move(words));
}

words::ComparedEpochs comparedOf(const Facts& facts) {
  const EpochRepeats& repeats = facts.report().repeats;
  return {repeats.first_epoch, repeats.epochs, facts.allEpochs()};
}

Finding repeating(const Facts& facts, const std::vector<std::int64_t>& epochs) {
  const words::ComparedEpochs compared = comparedOf(facts);
  const bool all = static_cast<std::int64_t>(epochs.size()) + 1 == compared.count;
  const bool in_order = all && facts.readsInOrder();
  if (in_order && facts.claims().is_recorded)
    return toldOfEpochs("epochs-repeat", Severity::Info, words::recordedInOrder(compared));
  if (in_order && !facts.shuffles()) {
    Finding finding = toldOfEpochs("not-shuffled", Severity::Info, words::notShuffled(compared, facts.hasAddedItems()));
    finding.where.field = facts.fieldOf(&SamplerTraits::shuffle);
    return finding;
  }
  const bool untold = facts.takes(&SamplerTraits::set_epoch) && !facts.isOn(&SamplerTraits::set_epoch);
  const bool one_sample = facts.coverage().seen == 1;  // which has no other order
  const bool forgotten = all && untold && facts.shuffles() && !one_sample;
  const Severity otherwise = facts.evaluates() || one_sample ? Severity::Info : Severity::Warning;
  Finding finding =
      toldOfEpochs("epochs-repeat", forgotten ? Severity::Error : otherwise,
                   forgotten ? words::setEpochForgotten(compared) : words::epochsRepeat(epochs, compared));
  finding.where.field = facts.fieldOf(forgotten ? &SamplerTraits::set_epoch : &SamplerTraits::seed);
  finding.where.epoch = epochs.front();
  return finding;
}

/// Of recorded epochs of unequal length one may be the beginning of another.
bool mayBeCutShort(const Facts& facts) {
  const auto& coverage = facts.report().coverage;
  const auto is_other = [&](const Ledger& one) { return one.handed_out != coverage.front().handed_out; };
  const bool all = static_cast<std::int64_t>(coverage.size()) >= facts.report().repeats.epochs;
  return facts.claims().is_recorded && (!all || std::ranges::any_of(coverage, is_other));
}

Finding ownOrders(const Facts& facts) {
  Finding finding = toldOfEpochs("ok-reshuffled", Severity::Info, words::ownOrders(comparedOf(facts)));
  finding.is_proof = true;
  return finding;
}

sampling::OrderKey keyOf(const PipelineSpec& spec, std::int64_t epoch) {
  return sampling::findRule(spec.sampler.type)->key(spec, Epoch{epoch}, Rank{0});
}

/// Whether the next seed one epoch earlier gives the same order.
bool isShifted(const Facts& facts, std::int64_t seed) {
  const Edit next{facts.fieldOf(&SamplerTraits::seed), seed + 1};
  const auto spec = applyEdits(facts.spec(), {&next, 1}, sampling::catalogue());
  const std::int64_t first = facts.report().repeats.first_epoch;
  if (!spec || facts.plan().epochs() - first < 2 || facts.spec().dataset.size < 2) return false;
  return keyOf(*spec, first) == keyOf(facts.spec(), first + 1) && keyOf(*spec, first) != keyOf(facts.spec(), first);
}

}  // namespace

void repeatedEpochs(const Facts& facts, std::vector<Finding>& findings) {
  const EpochRepeats& repeats = facts.report().repeats;
  if (repeats.epochs < 2) return;
  const auto epochs = repeatingEpochs(facts);
  if (!epochs.empty()) return findings.push_back(repeating(facts, epochs));
  if (!repeats.has_empty && !mayBeCutShort(facts)) findings.push_back(ownOrders(facts));
}

void seedSweep(const Facts& facts, std::vector<Finding>& findings) {
  const auto value = facts.parameter(&SamplerTraits::seed);
  const auto* seed = value ? std::get_if<std::int64_t>(&*value) : nullptr;
  if (seed == nullptr || *seed == std::numeric_limits<std::int64_t>::max() || !isShifted(facts, *seed)) return;
  Finding finding = told("seed-sweep-shift", FindingTopic::Runs, Severity::Info,
                         words::seedSweep(*seed, facts.report().repeats.first_epoch));
  finding.where.field = facts.fieldOf(&SamplerTraits::seed);
  findings.push_back(std::move(finding));
}

}  // namespace shardlens::findings
