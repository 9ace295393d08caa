// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"
#include "core/audit/readers.h"
#include "core/base/text.h"
#include "core/sampling/registry.h"

#include <algorithm>
#include <map>
#include <utility>

namespace shardlens::findings {

using sampling::SamplerTraits;

namespace {

constexpr std::size_t kGroupsShown = 4;

/// The places of the order that a rank reads; nothing to tell ranks by where each has its own part of a dealt order.
auto placesOf(const Facts& facts, std::int64_t rank) {
  const auto read = facts.plan().rankEpoch(facts.firstEpoch(), Rank{rank}, facts.work());
  const bool strided = read && read->slice().order()->deal() == nullptr;
  return strided ? read->slice().geometry() : decltype(read->slice().geometry()){};
}

/// Ranks with item for item the same batches, made from the same order and not by chance; ascending.
using Twins = std::vector<std::int64_t>;

std::vector<Twins> twinsOf(const Facts& facts) {
  const Overlap& overlap = facts.report().ranks;
  const auto readers = ranksOf(facts.plan(), facts.firstEpoch(), overlap.size);
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
      if (ranks.size() > 1) twins.push_back(std::move(ranks));
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
  return groupByOrder(*plan, ranksOf(*plan, facts.firstEpoch(), 2)).size() == 2;
}

Cause causeOf(const Facts& facts, bool all) {
  if (facts.dealsToReplicas()) return Cause::Slices;
  return !all && followsSeeds(facts) ? Cause::Seeds : Cause::Sampler;
}

std::string fieldOf(const Facts& facts, Cause cause) {
  if (cause == Cause::Seeds) return "seeds.rule";
  if (cause == Cause::Sampler) return "sampler.type";
  return facts.rankArgument() == "rank" ? facts.fieldOf(&SamplerTraits::num_replicas)
                                        : facts.fieldOf(&SamplerTraits::rank);
}

std::string listed(const std::vector<Twins>& twins) {
  const bool pairs = std::all_of(twins.begin(), twins.end(), [](const Twins& ranks) { return ranks.size() == 2; });
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min(twins.size(), pairs ? kGroupsShown : 1); ++i) {
    parts.push_back(pairs ? std::to_string(twins[i][0]) + "-" + std::to_string(twins[i][1]) : ranges(twins[i]));
  }
  const auto more = static_cast<std::int64_t>(twins.size() - parts.size());
  if (twins.size() == 1 && pairs) return "Ranks " + grouped(twins[0][0]) + " and " + grouped(twins[0][1]);
  std::string out = (pairs ? "Pairs " : "Ranks ") + join(parts, ", ");
  if (more > 0) out += " and " + counted(more, pairs ? "more pair" : "more group");
  return out;
}

std::string samplesOf(const Facts& facts, const std::vector<Twins>& twins) {
  const Overlap& overlap = facts.report().ranks;
  std::int64_t fewest = overlap.at(twins[0][0], twins[0][0]);
  std::int64_t most = fewest;
  for (const Twins& ranks : twins) {
    fewest = std::min(fewest, overlap.at(ranks[0], ranks[0]));
    most = std::max(most, overlap.at(ranks[0], ranks[0]));
  }
  return "all " + (fewest == most ? counted(most, "sample") : grouped(fewest) + " to " + counted(most, "sample"));
}

std::string reasonOf(const Facts& facts, Cause cause) {
  if (cause == Cause::Seeds) return "their seeds are equal";
  if (cause == Cause::Sampler && !facts.claims().divides)
    return facts.spec().sampler.type +
           " does not divide "
           "samples among ranks";
  if (cause == Cause::Sampler) return "their parts are equal";
  if (facts.replicas() < facts.worldSize()) return "the sampler divides by " + grouped(facts.replicas());
  if (facts.rankArgument() == "rank") return "their parts are equal";
  return "the sampler got " + facts.rankArgument() + ", not rank";
}

std::string titleOf(const Facts& facts, Cause cause, bool all) {
  if (all) return "Every rank draws the same batches";
  const std::int64_t nodes = facts.spec().world.nodes;
  if (nodes == 1 || facts.rankArgument() == "node") return "Ranks draw the same batches";
  const std::string who = nodes == 2 ? "Two nodes" : counted(nodes, "node");
  return who + (cause == Cause::Slices ? " read the same slices" : " draw the same batches");
}

std::string whyOf(const Facts& facts, const std::vector<Twins>& twins) {
  if (facts.evaluates()) return "Samples that are read more than once distort the result.";
  std::string why = "Equal batches give equal gradients, so averaging them only wastes work.";
  const Overlap& overlap = facts.report().ranks;
  if (overlap.size < facts.worldSize()) return why;
  std::int64_t different = facts.worldSize();
  for (const Twins& ranks : twins) different -= static_cast<std::int64_t>(ranks.size()) - 1;
  const std::int64_t batch = facts.spec().loader.batch_size;
  return why + " The global batch is really " + grouped(different * batch) + ", not " +
         grouped(facts.worldSize() * batch) + ".";
}

}  // namespace

void identicalRanks(const Facts& facts, std::vector<Finding>& findings) {
  if (facts.coverage().repeats[RepeatCause::OverlappingRanks] == 0) return;
  const auto twins = twinsOf(facts);
  if (twins.empty()) return;
  const Overlap& overlap = facts.report().ranks;
  const bool all = twins.size() == 1 && static_cast<std::int64_t>(twins[0].size()) == overlap.size;
  const Cause cause = causeOf(facts, all);
  Finding finding;
  finding.code = all ? "ranks-identical-order" : "ranks-share-samples";
  finding.topic = FindingTopic::Ranks;
  finding.severity = Severity::Error;
  finding.title = titleOf(facts, cause, all);
  finding.message = listed(twins) + " share " + samplesOf(facts, twins) + ": " + reasonOf(facts, cause) + ".";
  if (overlap.size < facts.worldSize())
    finding.message += " Compared were the first " + counted(overlap.size, "rank") + ".";
  finding.why = whyOf(facts, twins);
  for (const Twins& ranks : twins) finding.where.ranks.insert(finding.where.ranks.end(), ranks.begin(), ranks.end());
  std::sort(finding.where.ranks.begin(), finding.where.ranks.end());
  if (finding.where.ranks.size() > kShownIds) finding.where.ranks.resize(kShownIds);
  finding.where.epoch = facts.coverage().epoch;
  finding.where.field = fieldOf(facts, cause);
  findings.push_back(std::move(finding));
}

}  // namespace shardlens::findings
