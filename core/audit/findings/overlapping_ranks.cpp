// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"
#include "core/base/text.h"

#include <algorithm>

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
  const std::int64_t size = facts.report().ranks.size;
  const std::string ranks = size < facts.worldSize() ? "the first " + counted(size, "rank") : allOf(size) + " ranks";
  return ranks + " in epoch " + grouped(facts.coverage().epoch);
}

}  // namespace

void partlyOverlapping(const Facts& facts, std::vector<Finding>& findings) {
  if (facts.dealsToReplicas()) return;  // slices of one order share nothing but padding
  const Overlap& overlap = facts.report().ranks;
  const Pairs pairs = pairsOf(overlap);
  if (pairs.sharing == 0) return;
  const bool by_chance = facts.isOn(&SamplerTraits::replacement);
  Finding finding;
  finding.code = "ranks-overlap-partly";
  finding.topic = FindingTopic::Ranks;
  finding.severity = by_chance ? Severity::Info : Severity::Warning;
  finding.title = by_chance ? "Ranks may draw the same sample" : "Ranks overlap: each one shuffles alone";
  finding.message = grouped(pairs.sharing) + " of " + counted(pairs.all, "pair") + " share samples: ranks " +
                    grouped(pairs.row) + " and " + grouped(pairs.column) + " share " + grouped(pairs.most_shared) +
                    " of " + grouped(overlap.at(pairs.row, pairs.row)) + ".";
  finding.why = facts.spec().sampler.type + " draws for its own process and knows nothing of the other " +
                counted(facts.worldSize() - 1, "rank") + ": an epoch reads samples several times.";
  finding.where.ranks = {pairs.row, pairs.column};
  finding.where.epoch = facts.coverage().epoch;
  finding.where.field = "sampler.type";
  findings.push_back(std::move(finding));
}

void disjointRanks(const Facts& facts, std::vector<Finding>& findings) {
  const Overlap& overlap = facts.report().ranks;
  if (overlap.size < 2 || facts.coverage().handed_out == 0) return;
  const bool shares = sharesAnything(overlap);
  const Ledger& coverage = facts.coverage();
  const bool repeats = coverage.repeats.total() > coverage.padding();  // on purpose: more than padding
  if (shares && (repeats || !facts.dealsToThisWorld())) return;
  const std::int64_t pairs = overlap.size * (overlap.size - 1) / 2;
  Finding finding;
  finding.code = "ok-disjoint";
  finding.topic = FindingTopic::Ranks;
  finding.is_proof = true;
  finding.title = shares ? "No two ranks share a sample but padding" : "No two ranks share a sample";
  finding.message = counted(pairs, "pair") + " compared: " + compared(facts) + ".";
  finding.why = "Every rank adds samples of its own to the global batch.";
  findings.push_back(std::move(finding));
}

}  // namespace shardlens::findings
