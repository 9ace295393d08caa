// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"
#include "core/audit/readers.h"
#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/sampling/registry.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace shardlens::words {
namespace {

constexpr std::size_t kGroupsShown = 4;

std::string distorts() {
  return worded("findings", "Samples that are read more than once distort the result.");
}

/// "Ranks 0 and 1 share", "Pairs 0-2, 1-3 share", "Ranks 0 to 3, and those of 2 more groups, share".
std::string sharing(const std::vector<std::vector<std::int64_t>>& groups) {
  const bool pairs = std::ranges::all_of(groups, [](const auto& ranks) { return ranks.size() == 2; });
  if (groups.size() == 1 && pairs) {
    return filled(worded("findings", "Ranks %1 and %2 share"), grouped(groups[0][0]), grouped(groups[0][1]));
  }
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min(groups.size(), pairs ? kGroupsShown : 1); ++i) {
    parts.push_back(pairs ? std::to_string(groups[i][0]) + "-" + std::to_string(groups[i][1]) : listed(groups[i]));
  }
  const auto more = static_cast<std::int64_t>(groups.size() - parts.size());
  const std::string which = join(parts, ", ");
  if (more == 0)
    return filled(pairs ? worded("findings", "Pairs %1 share") : worded("findings", "Ranks %1 share"), which);
  return pairs ? filled(worded("findings", "Pairs %1 and %2 share"), which, wordedCount(more, "more pair"))
               : filled(worded("findings", "Ranks %1, and those of %2, share"), which, wordedCount(more, "more group"));
}

std::string onlyFirst(std::int64_t compared, std::int64_t ranks) {
  return compared < ranks
             ? filled(worded("findings", " Only the first %1 were compared."), wordedCount(compared, "rank"))
             : std::string();
}

/// Ranks with the same batches, in groups.
struct TwinRanks {
  std::vector<std::vector<std::int64_t>> groups;
  std::int64_t fewest = 0, most = 0;  ///< samples of a group
  std::int64_t compared = 0, ranks = 0;
  std::int64_t nodes = 1;
  bool all = false;                    ///< one group of all compared ranks
  bool by_slices = false;              ///< the sampler deals them one slice
  bool by_node = false;                ///< the sampler is told the node
  bool evaluates = false;              ///< no gradients are averaged
  bool may_be_peers = false;           ///< they may divide copies of the model
  std::int64_t global_batch = 0;       ///< items of all ranks in the first optimizer step; 0 where that is not known
  std::int64_t different_samples = 0;  ///< among these
  std::string reason;                  ///< one of the next four
};

std::string twinTitle(const TwinRanks& twins) {
  if (twins.all) return worded("findings", "Every rank draws the same batches");
  if (twins.nodes == 1 || twins.by_node) return worded("findings", "Ranks draw the same batches");
  const std::string who = twins.nodes == 2 ? worded("findings", "Two nodes") : wordedCount(twins.nodes, "node");
  return twins.by_slices ? filled(worded("findings", "%1 read the same slices"), who)
                         : filled(worded("findings", "%1 draw the same batches"), who);
}

std::string twinWhy(const TwinRanks& twins) {
  std::string why =
      twins.evaluates
          ? distorts()
          : worded("findings", "Without dropout or other randomness, equal batches give equal gradients: wasted work.");
  if (twins.global_batch > 0 && !twins.evaluates)
    why += filled(worded("findings", " The global batch is really %1, not %2."), grouped(twins.different_samples),
                  grouped(twins.global_batch));
  if (!twins.may_be_peers) return why;
  return why + worded("findings",
                      " If ranks with equal batches divide one copy of the model by tensor, pipeline or context "
                      "parallelism, equal batches are right: say so in world.groups.");
}

/// "In every epoch, 2 of 15 items repeat what another rank reads: 2 samples are read more than once."
std::string readAgain(const Repeated& repeated) {
  const std::string when = capital(repeated.when);
  const std::string of = wordedCount(repeated.of, "item");
  const std::string again = repeated.items == 1
                                ? filled(worded("findings", "%1, 1 of %2 repeats what another rank reads"), when, of)
                                : filled(worded("findings", "%1, %2 of %3 repeat what another rank reads"), when,
                                         grouped(repeated.items), of);
  return repeated.how_often.empty() ? filled(worded("findings", "%1."), again)
                                    : filled(worded("findings", "%1: %2."), again, repeated.how_often);
}

FindingWords identicalRanks(const TwinRanks& twins) {
  const std::string samples =
      twins.fewest != twins.most
          ? filled(worded("findings", "all %1 to %2"), grouped(twins.fewest), wordedCount(twins.most, "sample"))
      : twins.most == 1 ? worded("findings", "their only sample")
      : twins.most == 2 ? worded("findings", "both samples")
                        : filled(worded("findings", "all %1"), wordedCount(twins.most, "sample"));
  return {twinTitle(twins),
          filled(worded("findings", "%1 %2: %3."), sharing(twins.groups), samples, twins.reason) +
              onlyFirst(twins.compared, twins.ranks),
          twinWhy(twins)};
}

/// Pairs of ranks that share some samples.
struct SharingPairs {
  std::int64_t sharing = 0, pairs = 0;
  std::int64_t row = 0, column = 0;  ///< the ranks that share most
  std::int64_t shared = 0, of = 0;   ///< their samples, of those of `row`
  std::int64_t compared = 0, ranks = 0;
  bool by_chance = false;  ///< drawn with replacement
  bool divides = false;    ///< the sampler divides
  std::string sampler;
};

FindingWords overlappingRanks(const SharingPairs& pairs) {
  const std::string title = pairs.by_chance ? worded("findings", "Ranks may draw the same sample")
                            : pairs.divides ? worded("findings", "Ranks overlap: their orders differ")
                                            : worded("findings", "Ranks overlap: each one shuffles alone");
  const std::string of = wordedCount(pairs.pairs, "pair");
  const std::string how_many = pairs.pairs == 1 ? worded("findings", "The only pair shares samples")
                               : pairs.sharing == 1
                                   ? filled(worded("findings", "1 of %1 shares samples"), of)
                                   : filled(worded("findings", "%1 of %2 share samples"), grouped(pairs.sharing), of);
  const std::string alone = pairs.ranks == 2 ? filled(worded("findings",
                                                             "%1 draws for its own process and does not know about the "
                                                             "other rank, so an epoch reads samples several times."),
                                                      pairs.sampler)
                                             : filled(worded("findings",
                                                             "%1 draws for its own process and does not know about the "
                                                             "other %2, so an epoch reads samples several times."),
                                                      pairs.sampler, wordedCount(pairs.ranks - 1, "rank"));
  return {title,
          filled(worded("findings", "%1: ranks %2 and %3 share %4 of %5."), how_many, grouped(pairs.row),
                 grouped(pairs.column), grouped(pairs.shared), grouped(pairs.of)) +
              onlyFirst(pairs.compared, pairs.ranks),
          pairs.divides
              ? worded("findings",
                       "Each rank takes its share of an order of its own. The shares fit together only when all "
                       "ranks draw the same order.")
              : alone};
}

/// `pairs` compared; 0 where every sample was counted instead.
FindingWords disjointRanks(std::int64_t ranks, bool but_padding, std::int64_t pairs, const std::string& when) {
  return {but_padding ? worded("findings", "No two ranks share a sample, padding aside")
                      : worded("findings", "No two ranks share a sample"),
          pairs > 0
              ? filled(worded("findings", "%1 compared: %2 %3."), wordedCount(pairs, "pair"), allRanks(ranks), when)
              : filled(worded("findings", "Counted sample by sample: %1 %2."), allRanks(ranks), when),
          worded("findings", "Every rank adds samples of its own to the global batch.")};
}

/// Data-parallel ranks, each of which is several ranks that read the same samples.
FindingWords disjointReplicas(std::int64_t replicas, std::int64_t ranks_of_each, bool but_padding,
                              const std::string& when) {
  return {but_padding ? worded("findings", "No two data-parallel ranks share a sample, padding aside")
                      : worded("findings", "No two data-parallel ranks share a sample"),
          filled(worded("findings",
                        "Counted sample by sample: %1 data-parallel ranks %2. The %3 ranks of each read the same "
                        "batches."),
                 grouped(replicas), when, grouped(ranks_of_each)),
          worded("findings", "Every data-parallel rank adds samples of its own to the global batch.")};
}

}  // namespace
}  // namespace shardlens::words

namespace shardlens::findings {

using sampling::SamplerTraits;

namespace {

/// The places of the order that a rank reads; nothing to tell ranks by where each has its own part of a dealt order.
auto placesOf(const Facts& facts, std::int64_t rank) {
  const auto read = facts.plan().rankEpoch(facts.epoch(), Rank{rank}, facts.work());
  const bool strided = read && read->slice().order()->deal() == nullptr;
  return strided ? read->slice().geometry() : decltype(read->slice().geometry()){};
}

/// Ranks with item for item the same batches, made from the same order and not by chance, that ought to read samples of
/// their own; ascending.
using Twins = std::vector<std::int64_t>;

std::vector<Twins> twinsOf(const Facts& facts) {
  const Overlap& overlap = facts.ranks();
  const auto readers = ranksOf(facts.plan(), facts.epoch(), overlap.size);
  std::vector<Twins> twins;
  for (const ReaderIndices& group : groupByOrder(facts.plan(), readers)) {
    if (group.size() == 1) continue;
    // Equal items at other places of one order, a sample drawn twice for one, are chance or padding.
    std::map<std::pair<std::int64_t, decltype(placesOf(facts, 0))>, Twins> alike;
    for (const std::size_t rank : group) {
      const auto number = static_cast<std::int64_t>(rank);
      if (overlap.at(number, number) > 0) alike[{overlap.same_as[rank], placesOf(facts, number)}].push_back(number);
    }
    for (auto& [what, ranks] : alike) {
      const auto is_peer = [&, first = ranks.front()](std::int64_t rank) { return facts.arePeers(first, rank); };
      if (!std::ranges::all_of(ranks, is_peer)) twins.push_back(std::move(ranks));
    }
  }
  std::ranges::sort(twins);
  return twins;
}

/// What makes the ranks equal.
enum class Cause { Slices, Seeds, Sampler };

/// Whether a rank's order follows its torch seed: then ranks that are seeded apart draw apart.
bool followsSeeds(const Facts& facts) {
  if (facts.dealsToReplicas() || facts.spec().seeds.rule == "base+rank") return false;
  const Edit apart{"seeds.rule", std::string("base+rank")};
  auto spec = applyEdits(facts.spec(), {&apart, 1}, sampling::catalogue());
  const auto plan = spec ? Plan::make(*std::move(spec)) : Result<Plan>(spec.error());
  if (!plan) return false;
  return groupByOrder(*plan, ranksOf(*plan, facts.epoch(), 2)).size() == 2;
}

Cause causeOf(const Facts& facts, bool all) {
  if (facts.dealsToReplicas()) return Cause::Slices;
  return !all && followsSeeds(facts) ? Cause::Seeds : Cause::Sampler;
}

std::string fieldOf(const Facts& facts, Cause cause) {
  if (cause == Cause::Seeds) return "seeds.rule";
  if (cause == Cause::Sampler) return "sampler.type";
  return facts.passesRank() ? facts.fieldOf(&SamplerTraits::num_replicas) : facts.fieldOf(&SamplerTraits::rank);
}

std::string reasonOf(const Facts& facts, Cause cause, const Twins& twins) {
  const std::string parts = worded("findings", "their parts are equal");
  if (cause == Cause::Seeds) return worded("findings", "their seeds are equal");
  if (cause == Cause::Sampler)
    return facts.claims().divides
               ? parts
               : filled(worded("findings", "%1 does not divide samples among ranks"), facts.spec().sampler.type);
  const std::int64_t replicas = facts.replicas(Rank{twins[0]});
  if (replicas < facts.dataParallelSize())
    return filled(worded("findings", "the sampler divides by %1"), grouped(replicas));
  if (facts.passesRank()) return parts;
  const bool has_peers = facts.spec().world.groups.ranksOfModel() > 1;
  return filled(worded("findings", "the sampler got %1, not %2"), facts.rankArgument(),
                has_peers ? "data_parallel_rank" : "rank");
}

/// Counts what the first global batch holds: items of each data-parallel rank, and the different samples among them.
void countGlobalBatch(const Facts& facts, words::TwinRanks& twins) {
  const std::int64_t per_step = sampling::batchesPerStep(facts.spec()).value_or(1);
  const bool has_step = per_step == 1 || facts.lockstep().fewest >= per_step;
  if (twins.compared < twins.ranks || !has_step || !peersReadAlike(facts)) return;
  std::set<SampleIndex> different;  // ranks that are no twins may share samples, too
  std::set<std::int64_t> counted;
  for (std::int64_t rank = 0; rank < twins.ranks; ++rank) {
    if (!counted.insert(facts.spec().world.dataParallelRankOf(Rank{rank})).second) continue;
    const auto items = facts.plan().rankEpoch(facts.epoch(), Rank{rank}, facts.work());
    if (!items) continue;
    for (Step step{0}; step.value < std::min(per_step, items->batches()); ++step) {
      twins.global_batch += items->batch(step).size();
      if (facts.ranks().same_as[static_cast<std::size_t>(rank)] != rank) continue;
      for (const SampleIndex sample : items->batchSamples(step)) different.insert(sample);
    }
  }
  twins.different_samples = static_cast<std::int64_t>(different.size());
}

/// Whether the groups of ranks have one shape and are all compared ranks together: as by rank // 2, by rank % 2, or
/// by both.
bool areRegular(const std::vector<Twins>& groups, std::int64_t compared) {
  const Twins& first = groups.front();
  const auto is_alike = [&first](const Twins& ranks) {
    return std::ranges::equal(
        ranks, first, {}, [&](std::int64_t rank) { return rank - ranks.front(); },
        [&](std::int64_t rank) { return rank - first.front(); });
  };
  return std::ranges::all_of(groups, is_alike) && static_cast<std::int64_t>(groups.size() * first.size()) == compared;
}

words::TwinRanks namedTwins(const Facts& facts, const std::vector<Twins>& groups, Cause cause, bool all) {
  const Overlap& overlap = facts.ranks();
  words::TwinRanks twins;
  twins.groups = groups;
  const auto samples = [&](const Twins& ranks) { return overlap.at(ranks[0], ranks[0]); };
  twins.fewest = samples(*std::ranges::min_element(groups, {}, samples));
  twins.most = samples(*std::ranges::max_element(groups, {}, samples));
  twins.compared = overlap.size;
  twins.ranks = facts.worldSize();
  // Nodes that differ do not read the same as a whole; those that share a copy of the model may.
  const bool by_nodes =
      facts.spec().world.ranks_per_node.ofEveryNode() && facts.dataParallelSize() == facts.worldSize();
  twins.nodes = by_nodes ? facts.spec().world.nodes : 1;
  twins.all = all;
  twins.by_slices = cause == Cause::Slices;
  twins.by_node = facts.rankArgument() == "node";
  twins.evaluates = facts.evaluates();
  twins.may_be_peers = facts.spec().world.groups.ranksOfModel() == 1 && areRegular(groups, overlap.size);
  countGlobalBatch(facts, twins);
  twins.reason = reasonOf(facts, cause, groups[0]);
  return twins;
}

}  // namespace

void identicalRanks(const Facts& facts, std::vector<Finding>& findings) {
  if (facts.coverage().repeats[RepeatCause::OverlappingRanks] == 0 || facts.repeatsToBeEven()) return;
  const auto twins = twinsOf(facts);
  if (twins.empty()) return;
  const Overlap& overlap = facts.ranks();
  const bool all = twins.size() == 1 && static_cast<std::int64_t>(twins[0].size()) == overlap.size;
  const Cause cause = causeOf(facts, all);
  Finding finding = told(all ? "ranks-identical-order" : "ranks-share-samples", FindingTopic::Ranks, Severity::Error,
                         words::identicalRanks(namedTwins(facts, twins, cause, all)));
  for (const Twins& ranks : twins) finding.where.ranks.insert(finding.where.ranks.end(), ranks.begin(), ranks.end());
  std::ranges::sort(finding.where.ranks);
  finding.where.example = {twins[0][0], *std::ranges::find_if(twins[0], [&](std::int64_t rank) {
                             return !facts.arePeers(twins[0][0], rank);
                           })};
  if (overlap.size < facts.worldSize()) finding.where.compared_ranks = overlap.size;
  finding.where.epoch = facts.coverage().epoch;
  finding.where.field = fieldOf(facts, cause);
  findings.push_back(std::move(finding));
}

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
    return told(
        "ranks-share-samples", FindingTopic::Ranks, Severity::Error,
        {worded("findings", "Ranks read the same samples"), words::readAgain(repeated),
         facts.evaluates()
             ? words::distorts()
             : worded("findings", "Each of these items takes time on its rank and adds no new sample to the epoch.")});
  const bool counts = facts.isMuch(repeated.items) || facts.evaluates();
  return told(
      "ranks-share-samples", FindingTopic::Ranks, counts ? Severity::Warning : Severity::Info,
      {worded("findings", "Ranks read the same samples"), words::readAgain(repeated),
       filled(worded("findings",
                     "That many must repeat for %1 to read equally many items: a sampler that pads does the same."),
              words::allRanks(facts.worldSize()))});
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
  Finding& finding = findings.emplace_back(
      told("ok-disjoint", FindingTopic::Ranks, Severity::Info,
           replicas < ranks ? words::disjointReplicas(replicas, ranks / replicas, shares, facts.epochsAudited())
                            : words::disjointRanks(ranks, shares, by_pairs && !shares ? ranks * (ranks - 1) / 2 : 0,
                                                   facts.epochsAudited())));
  finding.is_proof = true;
}

}  // namespace shardlens::findings
