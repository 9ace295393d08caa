// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"
#include "core/base/text.h"
#include "core/sampling/registry.h"

#include <algorithm>

namespace shardlens::findings {

using sampling::SamplerTraits;

namespace {

constexpr std::int64_t kMostShapes = 1'000'000;  ///< (epoch, rank) pairs that are looked at

/// How many epochs, from the first, have the batch counts of `lockstep`; stops at the first that has not.
std::int64_t epochsInStep(const Facts& facts) {
  const std::int64_t most = std::max<std::int64_t>(1, kMostShapes / facts.worldSize());
  if (sampling::findRule(facts.spec().sampler.type)->same_shapes) return facts.plan().epochs();
  const std::int64_t looked_at = std::min(facts.plan().epochs(), most);
  for (std::int64_t epoch = 0; epoch < looked_at; ++epoch) {
    for (std::int64_t rank = 0; rank < facts.worldSize(); ++rank) {
      const auto shape = facts.plan().shape(Epoch{epoch}, Rank{rank}, facts.work());
      if (!shape || shape->batches != facts.report().lockstep.most) return epoch;
    }
  }
  return looked_at;
}

Finding inStep(const Facts& facts) {
  const std::int64_t alike = epochsInStep(facts);
  const bool every = alike == facts.plan().epochs() && alike > 1;
  const std::string epoch = "in epoch " + grouped(facts.report().lockstep.epoch);
  const std::string first = "in the first " + grouped(alike) + " of " + counted(facts.plan().epochs(), "epoch");
  const std::string when = every ? "in every epoch" : alike > 1 ? first : epoch;
  const std::string who = facts.worldSize() == 1 ? "The one rank has " : allOf(facts.worldSize()) + " ranks have ";
  Finding finding;
  finding.code = "ok-lockstep";
  finding.topic = FindingTopic::Steps;
  finding.is_proof = true;
  finding.title = "No rank runs out early";
  finding.message = who + countedBatches(facts.report().lockstep.most) + " " + when + ".";
  finding.message[0] = static_cast<char>(std::toupper(finding.message[0]));
  finding.why = "All ranks take part in every all-reduce.";
  return finding;
}

std::vector<std::int64_t> ranksWithoutSamples(const Facts& facts) {
  std::vector<std::int64_t> ranks;
  for (std::int64_t rank = 0; rank < facts.worldSize(); ++rank) {
    if (facts.shape().ranks[static_cast<std::size_t>(rank)].samples == 0) ranks.push_back(rank);
  }
  return ranks;
}

std::string causeOfEmptiness(const Facts& facts) {
  if (facts.spec().dataset.size == 0) return "dataset.size";
  const auto& by = facts.coverage().missing_by;
  if (by[MissingCause::NotAmongIndices] > 0) return facts.fieldOf(&SamplerTraits::indices);
  return by[MissingCause::CutBySampler] > 0 ? facts.fieldOf(&SamplerTraits::drop_last) : "sampler.type";
}

/// Only training reduces gradients in each step; a prediction may be without any collective.
Severity severityOfWaiting(const Facts& facts) {
  if (facts.spec().framework.lightning.stage == "predict") return Severity::Info;
  return facts.evaluates() ? Severity::Warning : Severity::Error;
}

std::string othersWait(const Facts& facts, std::int64_t step) {
  if (facts.evaluates()) return ". Any collective in step " + grouped(step) + " waits forever.";
  return ": those wait forever in the all-reduce of step " + grouped(step) + ".";
}

}  // namespace

void unequalBatches(const Facts& facts, std::vector<Finding>& findings) {
  const Lockstep& steps = facts.report().lockstep;
  if (steps.most == 0) return;
  if (steps.fewest == steps.most) return findings.push_back(inStep(facts));
  Finding finding;
  finding.code = "unequal-batches";
  finding.topic = FindingTopic::Steps;
  finding.severity = severityOfWaiting(facts);
  std::string who = named(steps.first_out);
  who[0] = 'R';
  finding.title = who + (steps.first_out.size() == 1 ? " runs" : " run") + " out first";
  finding.message = namedHave(steps.first_out) + " " + countedBatches(steps.fewest) + ", others up to " +
                    grouped(steps.most) + othersWait(facts, steps.fewest);
  finding.why = "A collective completes when every rank has entered it. A rank whose loader is empty never does.";
  finding.where.ranks = steps.first_out;
  if (finding.where.ranks.size() > kShownIds) finding.where.ranks.resize(kShownIds);
  finding.where.epoch = steps.epoch;
  finding.where.step = steps.fewest;
  finding.where.field = "sampler.type";
  findings.push_back(std::move(finding));
}

void emptyRanks(const Facts& facts, std::vector<Finding>& findings) {
  auto ranks = ranksWithoutSamples(facts);
  if (ranks.empty()) return;
  const bool all = static_cast<std::int64_t>(ranks.size()) == facts.worldSize();
  const bool no_data = facts.spec().dataset.size == 0;
  const Lockstep& steps = facts.report().lockstep;
  const bool stay_in_step = steps.most > 0 && steps.fewest == steps.most;
  Finding finding;
  finding.code = "empty-ranks";
  finding.topic = FindingTopic::Steps;
  finding.severity = stay_in_step ? Severity::Warning : severityOfWaiting(facts);
  finding.title = no_data ? "The dataset is empty"
                  : all   ? "No rank gets a sample"
                          : counted(static_cast<std::int64_t>(ranks.size()), "rank") + " without samples";
  finding.message = all ? "Each of " + counted(facts.worldSize(), "rank") + " gets 0 of " +
                              counted(facts.spec().dataset.size, "sample") + "."
                    : stay_in_step
                        ? namedHave(ranks) + " no sample, only " + countedBatches(steps.most) + " without any."
                        : namedHave(ranks) + " no sample" + othersWait(facts, 0);
  finding.where.field = causeOfEmptiness(facts);
  finding.why =
      facts.takes(&SamplerTraits::drop_last) && finding.where.field == facts.fieldOf(&SamplerTraits::drop_last)
          ? "There are fewer samples than slices, and what does not divide evenly is dropped."
      : stay_in_step ? "They stay in step; the model must skip empty batches."
                     : "There is nothing to read: look at " + finding.where.field + ".";
  if (ranks.size() > kShownIds) ranks.resize(kShownIds);
  finding.where.ranks = std::move(ranks);
  finding.where.epoch = facts.coverage().epoch;
  findings.push_back(std::move(finding));
}

void noBatches(const Facts& facts, std::vector<Finding>& findings) {
  const Lockstep& steps = facts.report().lockstep;
  const auto has_samples = [](const RankEpochShape& rank) { return rank.samples > 0; };
  // Where the loader cuts the batches, batch-larger-than-slice says so with a number.
  if (steps.most > 0 || facts.loaderCutsBatches() || std::ranges::none_of(facts.shape().ranks, has_samples)) return;
  Finding finding;
  finding.code = "no-batches";
  finding.topic = FindingTopic::Steps;
  finding.severity = Severity::Error;
  finding.title = "No rank gets a batch";
  finding.message = "No batch is made in epoch " + grouped(steps.epoch) + ": " + grouped(facts.coverage().missing) +
                    " of " + counted(facts.coverage().dataset_size, "sample") + " go unused.";
  finding.why =
      "No worker or rank has enough samples for a whole batch of " + grouped(facts.spec().loader.batch_size) + ".";
  finding.where.epoch = steps.epoch;
  finding.where.field = "loader.batch_size";
  findings.push_back(std::move(finding));
}

}  // namespace shardlens::findings
