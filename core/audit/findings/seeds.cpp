// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"
#include "core/sampling/registry.h"
#include "core/sampling/script_seed.h"
#include "core/sampling/torch/loader_seeds.h"
#include "core/spec/seeded.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace shardlens::findings {

using sampling::SamplerTraits;

namespace {

/// Whether other seeds of the script would give another order, or may have: what recorded batches follow is not known.
bool orderFollowsScript(const Facts& facts) {
  if (facts.claims().is_recorded) return true;
  const sampling::SamplerRule& rule = facts.plan().rule();
  PipelineSpec other = facts.spec();
  other.seeds.base = other.seeds.base == 0 ? 1 : 0;
  return rule.key(facts.spec(), facts.epoch(), Rank{0}) != rule.key(other, facts.epoch(), Rank{0});
}

words::Seeded seededOf(const Facts& facts) {
  const SeedTable& seeds = facts.report().seeds;
  return {seeds.ranks,
          facts.worldSize(),
          seeds.distinct_ranks,
          seeds.workers_unknown ? 0 : facts.spec().loader.num_workers * seeds.ranks,
          seeds.distinct_workers,
          seeds.colliding_workers > 0,
          seeds.first_epoch,
          orderFollowsScript(facts)};
}

bool loaderHasGenerator(const Facts& facts) {
  return sampling::loaderGeneratorSeed(facts.spec(), Rank{0}).has_value();
}

/// The key that gives the loader its generator.
std::string loaderGeneratorField(const Facts& facts) {
  const bool by_sampler = sampling::torchGeneratorUse(facts.spec()) == sampling::TorchGeneratorUse::Loader;
  return by_sampler ? facts.fieldOf(&SamplerTraits::generator) : "loader.generator_seed";
}

Finding toldOfSeeds(std::string code, Severity severity, words::FindingWords words, std::string field) {
  Finding finding = told(std::move(code), FindingTopic::Seeds, severity, std::move(words));
  finding.where.field = std::move(field);
  return finding;
}

/// Ranks of the table's first epoch whose stream another rank has too.
std::vector<std::int64_t> collidingRanks(const Facts& facts) {
  const SeedTable& seeds = facts.report().seeds;
  const auto& rows = seeds.rows;
  std::vector<std::int64_t> ranks;
  for (const SeedRow& row : rows) {
    if (row.epoch > seeds.first_epoch || row.worker >= 0 || row.equal_to < 0) continue;
    ranks.push_back(rows[static_cast<std::size_t>(row.equal_to)].rank);
    ranks.push_back(row.rank);
  }
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  return ranks;
}

/// How many epochs of the plan may run.
std::int64_t epochsToRun(const Facts& facts) {
  return facts.plan().epochs() - facts.report().seeds.first_epoch;
}

/// The first seed that two ranks of an epoch have, or two workers; none where only its low half is the same.
std::optional<std::uint64_t> sharedSeed(const SeedTable& seeds, bool of_workers) {
  for (const SeedRow& row : seeds.rows) {
    if (row.equal_to < 0 || (row.worker >= 0) != of_workers) continue;
    if (seeds.rows[static_cast<std::size_t>(row.equal_to)].seed == row.seed) return row.seed;
  }
  return std::nullopt;
}

bool epochsCollide(const Facts& facts) {
  const Epoch first{facts.report().seeds.first_epoch};
  if (facts.worldSize() < 2 || epochsToRun(facts) < 2 || !sampling::seedsEachEpoch(facts.spec())) return false;
  return sampling::scriptSeed(facts.spec(), first, Rank{1}) ==
         sampling::scriptSeed(facts.spec(), Epoch{first.value + 1}, Rank{0});
}

}  // namespace

void neverSeeded(const Facts& facts, std::vector<Finding>& findings) {
  if (!neverSeeds(facts.spec())) return;
  const auto words = words::neverSeeded(facts.worldSize(), loaderHasGenerator(facts), facts.claims().is_recorded);
  findings.push_back(toldOfSeeds("never-seeded", Severity::Info, words, "seeds.rule"));
}

void collidingRankSeeds(const Facts& facts, std::vector<Finding>& findings) {
  if (facts.report().seeds.colliding_ranks == 0) return;
  const PipelineSpec& spec = facts.spec();
  const bool on_nodes = spec.seeds.rule == "base+local_rank";
  const std::int64_t equal_nodes = spec.world.ranks_per_node.ofEveryNode() ? spec.world.nodes : 0;
  Finding finding = toldOfSeeds(on_nodes ? "seeds-collide-nodes" : "seeds-collide-ranks", Severity::Warning,
                                on_nodes ? words::sameSeedOnNodes(equal_nodes, seededOf(facts))
                                         : words::sameSeedEverywhere(spec.seeds.base, seededOf(facts)),
                                "seeds.rule");
  finding.where.ranks = collidingRanks(facts);
  finding.where.seed = sharedSeed(facts.report().seeds, false);
  if (facts.report().seeds.ranks < facts.worldSize()) finding.where.compared_ranks = facts.report().seeds.ranks;
  findings.push_back(std::move(finding));
}

void collidingWorkerSeeds(const Facts& facts, std::vector<Finding>& findings) {
  const SeedTable& seeds = facts.report().seeds;
  if (seeds.colliding_workers == 0 || seeds.colliding_ranks > 0) return;
  const bool by_generator = loaderHasGenerator(facts);
  Finding finding = toldOfSeeds("seeds-collide-workers", Severity::Warning,
                                by_generator ? words::workersShareGenerator(seededOf(facts))
                                             : words::workersShareByChance(seeds.colliding_workers, seededOf(facts)),
                                by_generator ? loaderGeneratorField(facts) : "seeds.base");
  finding.where.seed = sharedSeed(facts.report().seeds, true);
  finding.where.epoch = seeds.first_epoch;
  findings.push_back(std::move(finding));
}

void collidingEpochSeeds(const Facts& facts, std::vector<Finding>& findings) {
  if (!epochsCollide(facts)) return;
  const std::int64_t starts = facts.worldSize() * epochsToRun(facts);
  const std::int64_t distinct = facts.worldSize() + epochsToRun(facts) - 1;
  findings.push_back(toldOfSeeds("seeds-collide-epochs", Severity::Warning,
                                 words::epochSeedsCollide(distinct, starts, facts.report().seeds.first_epoch),
                                 "seeds.rule"));
}

void distinctSeeds(const Facts& facts, std::vector<Finding>& findings) {
  const SeedTable& seeds = facts.report().seeds;
  const std::int64_t workers = seeds.ranks * facts.spec().loader.num_workers;
  if (!isSeeded(facts.spec()) || seeds.workers_unknown || epochsCollide(facts)) return;
  if (facts.dataParallelSize() < facts.worldSize()) return;  // ranks of one copy of the model ought to have equal ones
  if (seeds.colliding_ranks + seeds.colliding_workers > 0 || seeds.ranks + workers < 2) return;
  Finding finding = toldOfSeeds("ok-seeds", Severity::Info, words::distinctSeeds(seededOf(facts)), "");
  finding.is_proof = true;
  findings.push_back(std::move(finding));
}

}  // namespace shardlens::findings
