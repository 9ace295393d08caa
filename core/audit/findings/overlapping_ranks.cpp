// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"
#include "core/base/text.h"

#include <algorithm>
#include <string_view>

namespace shardlens::findings {

using sampling::SamplerTraits;

namespace {

/// Pairs of compared ranks that are not item for item the same.
struct Pairs {
  std::int64_t all = 0;
  std::int64_t sharing = 0;
  std::int64_t most_shared = 0;
  std::int64_t row = 0;  ///< of the pair that shares most
  std::int64_t column = 0;
};

Pairs pairsOf(const Overlap& overlap) {
  Pairs pairs;
  for (std::int64_t row = 0; row < overlap.size; ++row) {
    for (std::int64_t column = row + 1; column < overlap.size; ++column) {
      const std::int64_t shared = overlap.at(row, column);
      const auto same = [&](std::int64_t rank) { return overlap.same_as[static_cast<std::size_t>(rank)]; };
      ++pairs.all;
      if (shared == 0 || same(row) == same(column)) continue;
      ++pairs.sharing;
      if (shared <= pairs.most_shared) continue;
      pairs.most_shared = shared;
      pairs.row = row;
      pairs.column = column;
    }
  }
  return pairs;
}

bool sharesAnything(const Overlap& overlap) {
  for (std::int64_t row = 0; row < overlap.size; ++row) {
    for (std::int64_t column = row + 1; column < overlap.size; ++column) {
      if (overlap.at(row, column) > 0) return true;
    }
  }
  return false;
}

std::string compared(const Facts& facts) {
  return allOf(facts.worldSize()) + " ranks " + facts.epochsAlike();
}

bool isFound(const std::vector<Finding>& findings, std::string_view code) {
  return std::ranges::any_of(findings, [code](const Finding& finding) { return finding.code == code; });
}

/// What the ledger says where no two of the compared ranks tell it.
Finding readAgain(const Facts& facts, std::int64_t items) {
  Finding finding;
  finding.code = "ranks-share-samples";
  finding.severity = Severity::Error;
  finding.title = "Ranks read the same samples";
  finding.message = grouped(items) + " of " + counted(facts.coverage().handed_out, "item") +
                    (items == 1 ? " repeats" : " repeat") + " what another rank reads " + facts.epochsAlike() + ": " +
                    facts.howOften() + ".";
  finding.why = facts.evaluates() ? "Samples that are read more than once distort the result."
                                  : "Equal samples give equal gradients, so averaging them only wastes work.";
  return finding;
}

std::string whyOf(const Facts& facts) {
  if (facts.claims().divides) {
    return "Each rank takes its share of an order of its own. The shares fit together only when all ranks draw the "
           "same order.";
  }
  return facts.spec().sampler.type + " draws for its own process and knows nothing of the other " +
         counted(facts.worldSize() - 1, "rank") + ": an epoch reads samples several times.";
}

Finding overlappingPairs(const Facts& facts, const Pairs& pairs) {
  const bool by_chance = facts.isOn(&SamplerTraits::replacement) && !facts.claims().divides;
  const Overlap& overlap = facts.report().ranks;
  Finding finding;
  finding.code = "ranks-overlap-partly";
  finding.severity = by_chance ? Severity::Info : Severity::Warning;
  finding.title = by_chance                ? "Ranks may draw the same sample"
                  : facts.claims().divides ? "Ranks overlap: their orders differ"
                                           : "Ranks overlap: each one shuffles alone";
  finding.message = grouped(pairs.sharing) + " of " + counted(pairs.all, "pair") +
                    (pairs.all == 1 ? " shares" : " share") + " samples: ranks " + grouped(pairs.row) + " and " +
                    grouped(pairs.column) + " share " + grouped(pairs.most_shared) + " of " +
                    grouped(overlap.at(pairs.row, pairs.row)) + ".";
  if (overlap.size < facts.worldSize())
    finding.message += " Compared were the first " + counted(overlap.size, "rank") + ".";
  finding.why = whyOf(facts);
  finding.where.ranks = {pairs.row, pairs.column};
  return finding;
}

}  // namespace

void partlyOverlapping(const Facts& facts, std::vector<Finding>& findings) {
  const std::int64_t items = facts.coverage().repeats[RepeatCause::OverlappingRanks];
  if (items == 0) return;
  const bool identical = isFound(findings, "ranks-identical-order") || isFound(findings, "ranks-share-samples");
  const bool own_orders = !facts.claims().divides || facts.claims().needs_equal_seeds;
  const Pairs pairs = pairsOf(facts.report().ranks);
  const bool partly = own_orders && pairs.sharing > 0;
  if (identical && !partly) return;
  Finding finding = partly ? overlappingPairs(facts, pairs) : readAgain(facts, items);
  finding.topic = FindingTopic::Ranks;
  finding.where.epoch = facts.coverage().epoch;
  finding.where.field = facts.claims().divides && own_orders ? "seeds.rule" : "sampler.type";
  findings.push_back(std::move(finding));
}

/// Counted over all ranks: a sample that two ranks share would be a repeat, and each repeat has its cause.
void disjointRanks(const Facts& facts, std::vector<Finding>& findings) {
  const Ledger& coverage = facts.coverage();
  if (facts.worldSize() < 2 || coverage.handed_out == 0) return;
  const bool all_compared = facts.report().ranks.size == facts.worldSize();
  const bool shares = all_compared ? sharesAnything(facts.report().ranks) : coverage.repeats.total() > 0;
  if (shares && coverage.repeats.total() > coverage.padding()) return;
  Finding finding;
  finding.code = "ok-disjoint";
  finding.topic = FindingTopic::Ranks;
  finding.is_proof = true;
  finding.title = shares ? "No two ranks share a sample but padding" : "No two ranks share a sample";
  finding.message = all_compared && coverage.repeats.total() > 0 && !shares
                        ? counted(facts.worldSize() * (facts.worldSize() - 1) / 2, "pair") +
                              " compared: " + allOf(facts.worldSize()) + " ranks in epoch " + grouped(coverage.epoch) +
                              "."
                        : "Counted sample by sample: " + compared(facts) + ".";
  finding.why = "Every rank adds samples of its own to the global batch.";
  findings.push_back(std::move(finding));
}

}  // namespace shardlens::findings
