// SPDX-License-Identifier: Apache-2.0
// Ranks that divide one copy of the model, by tensor, context or pipeline parallelism.
#include "core/audit/findings/rules.h"
#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/sampling/sampler_rule.h"
#include "core/sampling/script_seed.h"
#include "core/spec/pipeline_spec.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::findings {

using sampling::SamplerTraits;

namespace {

/// The first rank of each copy of the model, as the ranks are met from 0 on.
class FirstPeers {
 public:
  explicit FirstPeers(const PipelineSpec::World& world) : world_(world) {}

  /// That of this rank's copy; the rank itself where it is the first.
  Rank of(Rank rank) { return first_.try_emplace(world_.dataParallelRankOf(rank), rank).first->second; }

 private:
  const PipelineSpec::World& world_;
  std::map<std::int64_t, Rank> first_;
};

bool readAlike(const RankEpoch& a, const RankEpoch& b) {
  return a.slice().order() == b.slice().order() && a.slice().geometry() == b.slice().geometry();
}

/// The first step in which the ranks have different batches; nothing where they have none, or one cannot be drawn.
std::optional<Step> stepApart(const Facts& facts, Epoch epoch, Rank first, Rank other) {
  const auto a = facts.plan().rankEpoch(epoch, first, facts.work());
  const auto b = facts.plan().rankEpoch(epoch, other, facts.work());
  if (!a || !b || readAlike(*a, *b)) return std::nullopt;
  const std::int64_t both = std::min(a->batches(), b->batches());
  for (Step step{0}; step.value < both && !facts.work().stopped(); ++step) {
    if (a->batchFingerprint(step) != b->batchFingerprint(step)) return step;
  }
  return a->batches() == b->batches() ? std::nullopt : std::optional(Step{both});
}

/// "tensor", "tensor, pipeline": how ranks are parallel that stand at different places.
std::string parallelismOf(const PipelineSpec::World& world, Rank a, Rank b) {
  const RankCoordinates one = world.groups.coordinatesOf(a, world.size());
  const RankCoordinates other = world.groups.coordinatesOf(b, world.size());
  std::vector<std::string> names;
  for (const Parallelism along : kParallelisms)
    if (one[along] != other[along]) names.emplace_back(nameOf(along));
  return join(names, ", ");
}

/// What ranks of one copy of the model do not read alike in the first audited epoch that has such.
struct Apart {
  std::int64_t epoch = 0, step = 0;  ///< the first such
  std::int64_t rank = 0, other = 0;
  std::string along = {};                ///< "tensor": how these two are parallel
  std::int64_t copies = 0, of = 0;       ///< copies of the model with such ranks in that epoch, of all
  std::vector<std::int64_t> ranks = {};  ///< all such
};

std::optional<Apart> apartIn(const Facts& facts, Epoch epoch) {
  const PipelineSpec::World& world = facts.spec().world;
  FirstPeers first_peers(world);
  std::optional<Apart> found;
  std::set<std::int64_t> ranks;
  std::set<std::int64_t> copies;
  for (Rank rank{0}; rank.value < facts.worldSize() && !facts.work().stopped(); ++rank) {
    const Rank first = first_peers.of(rank);
    const auto step = first == rank ? std::nullopt : stepApart(facts, epoch, first, rank);
    if (!step) continue;
    if (!found) {
      found = Apart{epoch.value, step->value, first.value, rank.value, parallelismOf(world, first, rank)};
    }
    ranks.insert({first.value, rank.value});
    copies.insert(world.dataParallelRankOf(rank));
  }
  if (!found) return found;
  found->copies = static_cast<std::int64_t>(copies.size());
  found->of = facts.dataParallelSize();
  found->ranks.assign(ranks.begin(), ranks.end());
  return found;
}

std::optional<Apart> firstApart(const Facts& facts) {
  if (facts.spec().world.groups.ranksOfModel() == 1) return std::nullopt;
  for (const AuditedEpoch& one : facts.epochs()) {
    if (auto found = apartIn(facts, one.shape.epoch)) return found;
  }
  return std::nullopt;
}

/// What gives them different batches.
std::string fieldThatParts(const Facts& facts, const Apart& apart) {
  const sampling::SamplerRule& rule = facts.plan().rule();
  const Epoch epoch{apart.epoch};
  if (rule.key(facts.spec(), epoch, Rank{apart.rank}) != rule.key(facts.spec(), epoch, Rank{apart.other}))
    return facts.orderSeedField();
  return facts.fieldOf(&SamplerTraits::rank);
}

}  // namespace

bool peersReadAlike(const Facts& facts) {
  return !firstApart(facts);
}

void peersReadApart(const Facts& facts, std::vector<Finding>& findings) {
  auto apart = firstApart(facts);
  if (!apart) return;
  Finding& finding = findings.emplace_back(told(
      "peers-read-apart", FindingTopic::Ranks, Severity::Error,
      {worded("findings", "Ranks of one copy of the model read different samples"),
       filled(
           worded("findings",
                  "Ranks %1 and %2 divide one copy of the model (%3) and must read the same samples: in epoch %4, "
                  "step %5, they do not. This happens in %6 of %7."),
           grouped(apart->rank), grouped(apart->other), apart->along, grouped(apart->epoch), grouped(apart->step),
           grouped(apart->copies),
           apart->of == 1 ? worded("findings", "1 copy") : filled(worded("findings", "%1 copies"), grouped(apart->of))),
       worded("findings",
              "They compute parts of one result. That result then mixes different samples, and no error is raised.")}));
  finding.is_of_peers = true;
  finding.where.ranks = std::move(apart->ranks);
  finding.where.example = {apart->rank, apart->other};
  finding.where.epoch = apart->epoch;
  finding.where.step = apart->step;
  finding.where.field = fieldThatParts(facts, *apart);
}

void peersSeededApart(const Facts& facts, std::vector<Finding>& findings) {
  const PipelineSpec& spec = facts.spec();
  if (spec.world.groups.ranksOfModel() == 1 || !isSeeded(spec)) return;
  const Epoch epoch{facts.report().seeds.first_epoch};
  FirstPeers first_peers(spec.world);
  for (Rank rank{0}; rank.value < facts.worldSize(); ++rank) {
    const Rank first = first_peers.of(rank);
    const std::uint64_t seed = sampling::scriptSeed(spec, epoch, first);
    const std::uint64_t other = sampling::scriptSeed(spec, epoch, rank);
    if (seed == other) continue;
    Finding finding = told(
        "peers-seeded-apart", FindingTopic::Seeds, Severity::Warning,
        {worded("findings", "Ranks of one copy of the model draw different random numbers"),
         filled(worded("findings", "Ranks %1 and %2 seed torch with %3 and %4."), grouped(first.value),
                grouped(rank.value), std::to_string(static_cast<std::int64_t>(seed)),
                std::to_string(static_cast<std::int64_t>(other))),
         worded("findings",
                "Random augmentation of a sample then differs between ranks that must compute on the same input.")});
    finding.where.ranks = finding.where.example = {first.value, rank.value};
    finding.where.field = "seeds.rule";
    return findings.push_back(std::move(finding));
  }
}

}  // namespace shardlens::findings
