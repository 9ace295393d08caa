// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"

#include <algorithm>
#include <string_view>

namespace shardlens::findings {

using sampling::SamplerTraits;

namespace {

/// Pairs of compared ranks.
struct Pairs {
  std::int64_t all = 0;
  std::int64_t sharing = 0;
  std::int64_t most_shared = 0;  ///< by a pair that is not item for item the same
  std::int64_t row = 0;          ///< of that pair; without one, of the first pair that shares any
  std::int64_t column = 0;
};

bool areTwins(const Overlap& overlap, std::int64_t a, std::int64_t b) {
  return overlap.same_as[static_cast<std::size_t>(a)] == overlap.same_as[static_cast<std::size_t>(b)];
}

/// Of ranks that ought to read samples of their own. Of several pairs that share most, `preferred` goes first, even if
/// its ranks are alike here.
Pairs pairsOf(const Facts& facts, const Overlap& overlap, const Pairs& preferred) {
  Pairs pairs;
  for (std::int64_t row = 0; row < overlap.size; ++row) {
    for (std::int64_t column = row + 1; column < overlap.size; ++column) {
      if (facts.arePeers(row, column)) continue;
      const std::int64_t shared = overlap.at(row, column);
      ++pairs.all;
      pairs.sharing += shared > 0 ? 1 : 0;
      const bool is_most = shared > pairs.most_shared && !areTwins(overlap, row, column);
      if (!is_most && (shared == 0 || pairs.sharing > 1)) continue;
      if (is_most) pairs.most_shared = shared;
      pairs.row = row;
      pairs.column = column;
    }
  }
  const bool is_preferred = preferred.most_shared > 0 && preferred.column < overlap.size &&
                            overlap.at(preferred.row, preferred.column) == pairs.most_shared;
  if (is_preferred) {
    pairs.row = preferred.row;
    pairs.column = preferred.column;
  }
  return pairs;
}

/// Of an audited epoch. One with the batches of the first has its table, also where only padding repeats.
const Overlap& overlapOf(const Facts& facts, std::size_t at) {
  const AuditReport& report = facts.report();
  const auto first_like = [&](std::size_t i) { return report.repeats.firstLike(report.coverage[i].epoch); };
  return first_like(at) == first_like(0) ? report.ranks : facts.epochs()[at].ranks;
}

/// Of the judged epoch. The pair is that of the epoch in which most is read again, where it is as good as another: the
/// finding is told of that epoch, and then holds in this one, too.
Pairs pairsOf(const Facts& facts) {
  const auto& coverage = facts.report().coverage;
  const auto again = [](const Ledger& ledger) { return ledger.repeats[RepeatCause::OverlappingRanks]; };
  const auto worst = static_cast<std::size_t>(std::ranges::max_element(coverage, {}, again) - coverage.begin());
  return pairsOf(facts, facts.ranks(), pairsOf(facts, overlapOf(facts, worst), {}));
}

bool sharesAnything(const Facts& facts, const Overlap& overlap) {
  for (std::int64_t row = 0; row < overlap.size; ++row) {
    for (std::int64_t column = row + 1; column < overlap.size; ++column) {
      if (overlap.at(row, column) > 0 && !facts.arePeers(row, column)) return true;
    }
  }
  return false;
}

bool isFound(const std::vector<Finding>& findings, std::string_view code) {
  return std::ranges::any_of(findings, [code](const Finding& finding) { return finding.code == code; });
}

/// What the ledger says where no two of the compared ranks tell it.
Finding readAgain(const Facts& facts) {
  const words::Repeated repeated = repeatedOf(facts, only(RepeatCause::OverlappingRanks));
  if (!facts.repeatsToBeEven())
    return told("ranks-share-samples", FindingTopic::Ranks, Severity::Error,
                words::ranksReadAgain(facts.evaluates(), repeated));
  const bool counts = facts.isMuch(repeated.items) || facts.evaluates();
  return told("ranks-share-samples", FindingTopic::Ranks, counts ? Severity::Warning : Severity::Info,
              words::ranksReadAgainToBeEven(facts.worldSize(), repeated));
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
  if (overlap.size < facts.worldSize()) finding.where.compared_ranks = overlap.size;
  return finding;
}

}  // namespace

void partlyOverlapping(const Facts& facts, std::vector<Finding>& findings) {
  const std::int64_t items = facts.coverage().repeats[RepeatCause::OverlappingRanks];
  if (items == 0) return;
  const bool identical = isFound(findings, "ranks-identical-order") || isFound(findings, "ranks-share-samples");
  const bool own_orders = !facts.claims().divides || facts.claims().needs_equal_seeds;
  const Pairs pairs = pairsOf(facts);
  const bool partly = own_orders && pairs.most_shared > 0;
  if (identical && !partly) return;
  Finding finding = partly ? overlappingPairs(facts, pairs) : readAgain(facts);
  if (pairs.sharing > 0) finding.where.example = {pairs.row, pairs.column};
  finding.amount = items;
  finding.where.epoch = facts.coverage().epoch;
  finding.where.field = facts.claims().divides && own_orders ? facts.orderSeedField() : "sampler.type";
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
    const Overlap& overlap = overlapOf(facts, i);
    const bool all_compared = overlap.size == ranks;
    const bool shares_here = all_compared ? sharesAnything(facts, overlap) : coverage.repeats.total() > 0;
    if (shares_here && coverage.repeats.total() > coverage.padding()) return;
    hands_out = hands_out || coverage.handed_out > 0;
    shares = shares || shares_here;
    by_pairs = by_pairs || (all_compared && coverage.repeats.total() > 0 && !shares_here);
  }
  const std::int64_t replicas = facts.dataParallelSize();
  if (replicas < 2 || !hands_out || !peersReadAlike(facts)) return;
  Finding finding =
      told("ok-disjoint", FindingTopic::Ranks, Severity::Info,
           replicas < ranks ? words::disjointReplicas(replicas, ranks / replicas, shares, facts.epochsAudited())
                            : words::disjointRanks(ranks, shares, by_pairs && !shares ? ranks * (ranks - 1) / 2 : 0,
                                                   facts.epochsAudited()));
  finding.is_proof = true;
  findings.push_back(std::move(finding));
}

}  // namespace shardlens::findings
