// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"
#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/sampling/registry.h"

#include <algorithm>
#include <limits>

namespace shardlens::words {
namespace {

/// Epochs that follow each other.
struct ComparedEpochs {
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t planned = 0;  ///< all epochs
};

/// "Epochs 3 and 4", "Epochs 3 to 9".
std::string from(const ComparedEpochs& compared) {
  const std::string first = grouped(compared.first);
  const std::string last = grouped(compared.first + compared.count - 1);
  return compared.count == 2 ? filled(worded("findings", "Epochs %1 and %2"), first, last)
                             : filled(worded("findings", "Epochs %1 to %2"), first, last);
}

/// "Epochs 0 and 1", "All 90 epochs", "The first 12 of 300 epochs", "Epochs 3 to 9".
std::string comparedEpochs(const ComparedEpochs& compared) {
  if (compared.first > 0) return from(compared);
  if (compared.count < compared.planned) {
    return filled(worded("findings", "The first %1 of %2"), grouped(compared.count),
                  wordedCount(compared.planned, "epoch"));
  }
  return compared.count == 2 ? from(compared)
                             : filled(worded("findings", "All %1"), wordedCount(compared.count, "epoch"));
}

FindingWords setEpochForgotten(const ComparedEpochs& compared) {
  return {worded("findings", "Every epoch has the same order"),
          filled(worded("findings", "%1 have the same batches: set_epoch is never called with another epoch."),
                 comparedEpochs(compared)),
          worded("findings",
                 "The order comes from seed + epoch, and the sampler keeps its epoch until the script calls "
                 "sampler.set_epoch(epoch) with another one.")};
}

/// Those epochs have the batches of an earlier one.
FindingWords epochsRepeat(const std::vector<std::int64_t>& repeating, const ComparedEpochs& compared) {
  const bool all = static_cast<std::int64_t>(repeating.size()) + 1 == compared.count;
  const bool one = repeating.size() == 1;
  const std::string of = wordedCount(compared.planned, "epoch");
  const std::string count = grouped(compared.count);
  const std::string seen =
      compared.first > 0 ? filled(worded("findings", "%1 from epoch %2 on"), count, grouped(compared.first))
      : compared.count == compared.planned ? filled(worded("findings", "all %1"), of)
                                           : filled(worded("findings", "the first %1 of %2"), count, of);
  const std::string which = listed(repeating);
  return {all ? worded("findings", "Every epoch has the same batches")
              : worded("findings", "Some epochs have the same batches"),
          all   ? filled(worded("findings", "%1 have the same batches."), comparedEpochs(compared))
          : one ? filled(worded("findings", "Epoch %1 repeats the batches of an earlier epoch; %2 were compared."),
                         which, seen)
                : filled(worded("findings", "Epochs %1 repeat the batches of an earlier epoch; %2 were compared."),
                         which, seen),
          worded("findings", "The model sees the same batches in the same order again, and can learn that order.")};
}

/// In epoch `first` and the one after it.
FindingWords seedSweep(std::int64_t seed, std::int64_t first) {
  return {
      worded("findings", "Runs with neighbouring seeds have epochs in common"),
      filled(worded("findings", "Seed %1 in epoch %2 has the order of seed %3 in epoch %4, and so on."), grouped(seed),
             grouped(first + 1), grouped(seed + 1), grouped(first)),
      worded("findings",
             "The generator is seeded with seed + epoch, so runs over seeds 0, 1, 2 are not independent. Choose seeds "
             "that differ by more than the number of epochs.")};
}

}  // namespace
}  // namespace shardlens::words

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
    return toldOfEpochs("epochs-repeat", Severity::Info,
                        {worded("findings", "Every epoch follows the order of the dataset"),
                         filled(worded("findings", "%1 have the same batches, in the order of the dataset."),
                                words::comparedEpochs(compared)),
                         words::asRecorded()});
  if (in_order && !facts.shuffles()) {
    Finding finding = toldOfEpochs(
        "not-shuffled", Severity::Info,
        {worded("findings", "Nothing is shuffled"),
         filled(facts.hasAddedItems()
                    ? worded("findings",
                             "%1 have the same batches, in the order of the dataset except for what the sampler adds.")
                    : worded("findings", "%1 have the same batches, in the order of the dataset."),
                words::comparedEpochs(compared)),
         worded("findings",
                "This is right for evaluation. In training, neighbours in the dataset always share a batch.")});
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
  Finding finding = toldOfEpochs("ok-reshuffled", Severity::Info,
                                 {worded("findings", "Every epoch has its own order"),
                                  filled(worded("findings", "%1 were compared: no two have the same batches."),
                                         words::comparedEpochs(comparedOf(facts))),
                                  worded("findings", "Compared batch by batch over all ranks.")});
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
  Finding& finding = findings.emplace_back(told("seed-sweep-shift", FindingTopic::Runs, Severity::Info,
                                                words::seedSweep(*seed, facts.report().repeats.first_epoch)));
  finding.where.field = facts.fieldOf(&SamplerTraits::seed);
}

}  // namespace shardlens::findings
