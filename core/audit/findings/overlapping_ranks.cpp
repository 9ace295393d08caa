// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"

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

bool isFound(const std::vector<Finding>& findings, std::string_view code) {
  return std::ranges::any_of(findings, [code](const Finding& finding) { return finding.code == code; });
}

/// What the ledger says where no two of the compared ranks tell it.
Finding readAgain(const Facts& facts) {
  return told("ranks-share-samples", FindingTopic::Ranks, Severity::Error,
              words::ranksReadAgain(facts.evaluates(), repeatedOf(facts, only(RepeatCause::OverlappingRanks))));
}

Finding overlappingPairs(const Facts& facts, const Pairs& pairs) {
  const bool divides = facts.claims().divides;
  const bool by_chance = facts.isOn(&SamplerTraits::replacement) && !divides;
  const Overlap& overlap = facts.ranks();
  words::SharingPairs sharing;
  sharing.sharing = pairs.sharing;
  sharing.pairs = pairs.all;
  sharing.row = pairs.row;
  sharing.column = pairs.column;
  sharing.shared = pairs.most_shared;
  sharing.of = overlap.at(pairs.row, pairs.row);
  sharing.compared = overlap.size;
  sharing.ranks = facts.worldSize();
  sharing.by_chance = by_chance;
  sharing.divides = divides;
  sharing.sampler = facts.spec().sampler.type;
  Finding finding = told("ranks-overlap-partly", FindingTopic::Ranks, by_chance ? Severity::Info : Severity::Warning,
                         words::overlappingRanks(sharing));
  finding.where.ranks = {pairs.row, pairs.column};
  return finding;
}

}  // namespace

void partlyOverlapping(const Facts& facts, std::vector<Finding>& findings) {
  const std::int64_t items = facts.coverage().repeats[RepeatCause::OverlappingRanks];
  if (items == 0) return;
  const bool identical = isFound(findings, "ranks-identical-order") || isFound(findings, "ranks-share-samples");
  const bool own_orders = !facts.claims().divides || facts.claims().needs_equal_seeds;
  const Pairs pairs = pairsOf(facts.ranks());
  const bool partly = own_orders && pairs.sharing > 0;
  if (identical && !partly) return;
  Finding finding = partly ? overlappingPairs(facts, pairs) : readAgain(facts);
  finding.amount = items;
  finding.where.epoch = facts.coverage().epoch;
  finding.where.field = facts.claims().divides && own_orders ? "seeds.rule" : "sampler.type";
  findings.push_back(std::move(finding));
}

/// Counted over all ranks: a sample that two ranks share would be a repeat, and each repeat has its cause.
void disjointRanks(const Facts& facts, std::vector<Finding>& findings) {
  const std::int64_t ranks = facts.worldSize();
  bool hands_out = false;
  bool shares = false;    // padding only
  bool by_pairs = false;  // in some epoch the ledger alone does not tell
  for (std::size_t i = 0; i < facts.epochs().size(); ++i) {
    const Ledger& coverage = facts.report().coverage[i];
    const Overlap& overlap = i == 0 ? facts.report().ranks : facts.epochs()[i].ranks;
    const bool all_compared = overlap.size == ranks;
    const bool shares_here = all_compared ? sharesAnything(overlap) : coverage.repeats.total() > 0;
    if (shares_here && coverage.repeats.total() > coverage.padding()) return;
    hands_out = hands_out || coverage.handed_out > 0;
    shares = shares || shares_here;
    by_pairs = by_pairs || (all_compared && coverage.repeats.total() > 0 && !shares_here);
  }
  if (ranks < 2 || !hands_out) return;
  Finding finding = told(
      "ok-disjoint", FindingTopic::Ranks, Severity::Info,
      words::disjointRanks(ranks, shares, by_pairs && !shares ? ranks * (ranks - 1) / 2 : 0, facts.epochsAudited()));
  finding.is_proof = true;
  findings.push_back(std::move(finding));
}

}  // namespace shardlens::findings
