// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"
#include "core/base/text.h"

#include <algorithm>

namespace shardlens::findings {

using sampling::SamplerTraits;

namespace {

constexpr std::int64_t kMostShapes = 1'000'000;  ///< (epoch, rank) pairs that are looked at

/// How many epochs, from the first, have the batch counts of `lockstep`; stops at the first that has not.
std::int64_t epochsInStep(const Facts& facts) {
  const std::int64_t most = std::max<std::int64_t>(1, kMostShapes / facts.worldSize());
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
  const std::string when = every ? "in every epoch" : alike > 1 ? "in the first " + counted(alike, "epoch") : epoch;
  const std::string who = facts.worldSize() == 1 ? "The one rank has " : allOf(facts.worldSize()) + " ranks have ";
  Finding finding;
  finding.code = "ok-lockstep";
  finding.topic = FindingTopic::Steps;
  finding.is_proof = true;
  finding.title = "No rank runs out early";
  finding.message = who + countedBatches(facts.report().lockstep.most) + " " + when + ".";
  finding.message[0] = static_cast<char>(std::toupper(finding.message[0]));
  finding.why = "Every all-reduce finds all ranks there.";
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
  if (facts.takes(&SamplerTraits::indices)) return facts.fieldOf(&SamplerTraits::indices);
  return facts.fieldOf(&SamplerTraits::drop_last);
}

}  // namespace

void unequalBatches(const Facts& facts, std::vector<Finding>& findings) {
  const Lockstep& steps = facts.report().lockstep;
  if (steps.most == 0) return;
  if (steps.fewest == steps.most) return findings.push_back(inStep(facts));
  Finding finding;
  finding.code = "unequal-batches";
  finding.topic = FindingTopic::Steps;
  finding.severity = Severity::Error;
  std::string who = named(steps.first_out);
  who[0] = 'R';
  finding.title = who + (steps.first_out.size() == 1 ? " runs" : " run") + " out first";
  finding.message = namedHave(steps.first_out) + " " + countedBatches(steps.fewest) + ", others up to " +
                    grouped(steps.most) + ": those wait for ever in the all-reduce of step " + grouped(steps.fewest) +
                    ".";
  finding.why = "A collective ends when every rank has come. A rank whose loader is empty never comes.";
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
  Finding finding;
  finding.code = "empty-ranks";
  finding.topic = FindingTopic::Steps;
  finding.severity = Severity::Error;
  finding.title = no_data ? "The dataset is empty"
                  : all   ? "No rank gets a sample"
                          : counted(static_cast<std::int64_t>(ranks.size()), "rank") + " without samples";
  finding.message = all ? "Each of " + counted(facts.worldSize(), "rank") + " gets 0 of " +
                              counted(facts.spec().dataset.size, "sample") + "."
                        : namedHave(ranks) + " no sample: the others wait in the all-reduce of step 0.";
  finding.where.field = causeOfEmptiness(facts);
  finding.why =
      facts.takes(&SamplerTraits::drop_last) && finding.where.field == facts.fieldOf(&SamplerTraits::drop_last)
          ? "There are fewer samples than slices, and what does not divide evenly is dropped."
          : "There is nothing to draw from: look at " + finding.where.field + ".";
  if (ranks.size() > kShownIds) ranks.resize(kShownIds);
  finding.where.ranks = std::move(ranks);
  finding.where.epoch = facts.coverage().epoch;
  findings.push_back(std::move(finding));
}

}  // namespace shardlens::findings
