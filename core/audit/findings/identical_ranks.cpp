// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"
#include "core/audit/readers.h"
#include "core/sampling/registry.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

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
  std::sort(twins.begin(), twins.end());
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
  if (cause == Cause::Seeds) return words::seedsAreEqual();
  if (cause == Cause::Sampler)
    return facts.claims().divides ? words::partsAreEqual() : words::doesNotDivide(facts.spec().sampler.type);
  const std::int64_t replicas = facts.replicas(Rank{twins[0]});
  if (replicas < facts.dataParallelSize()) return words::dividesBy(replicas);
  return facts.passesRank() ? words::partsAreEqual() : words::gotInstead(facts.rankArgument());
}

/// Counts what the first global batch holds: items of each data-parallel rank, and the different samples among them.
void countGlobalBatch(const Facts& facts, words::TwinRanks& twins) {
  if (twins.compared < twins.ranks) return;
  std::set<SampleIndex> different;  // ranks that are no twins may share samples, too
  std::set<std::int64_t> counted;
  for (std::int64_t rank = 0; rank < twins.ranks; ++rank) {
    if (!counted.insert(facts.spec().world.dataParallelRankOf(Rank{rank})).second) continue;
    const auto items = facts.plan().rankEpoch(facts.epoch(), Rank{rank}, facts.work());
    if (!items || items->batches() == 0) continue;
    twins.global_batch += items->batch(Step{0}).size();
    if (facts.ranks().same_as[static_cast<std::size_t>(rank)] != rank) continue;
    for (const SampleIndex sample : items->batchSamples(Step{0})) different.insert(sample);
  }
  twins.different_samples = static_cast<std::int64_t>(different.size());
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
  std::sort(finding.where.ranks.begin(), finding.where.ranks.end());
  finding.where.example = {twins[0][0], *std::ranges::find_if(twins[0], [&](std::int64_t rank) {
                             return !facts.arePeers(twins[0][0], rank);
                           })};
  if (overlap.size < facts.worldSize()) finding.where.compared_ranks = overlap.size;
  finding.where.epoch = facts.coverage().epoch;
  finding.where.field = fieldOf(facts, cause);
  findings.push_back(std::move(finding));
}

}  // namespace shardlens::findings
