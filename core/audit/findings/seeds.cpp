// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"
#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/sampling/registry.h"
#include "core/sampling/script_seed.h"
#include "core/sampling/torch/loader_seeds.h"
#include "core/spec/pipeline_spec.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace shardlens::words {
namespace {

/// Who was compared.
struct Seeded {
  std::int64_t ranks = 0;     ///< in the table
  std::int64_t of = 0;        ///< the world size
  std::int64_t distinct = 0;  ///< seeds of the ranks
  std::int64_t workers = 0;
  std::int64_t distinct_workers = 0;
  bool workers_collide = false;
  std::int64_t epoch = 0;     ///< in which the workers have these seeds
  bool order_follows = true;  ///< the order of the samples depends on these seeds, as far as is known
};

std::string lessVariety(const Seeded& seeded) {
  std::string text =
      worded("findings",
             "Random augmentation and noise are then equal across ranks: less variety in every global batch. DDP does "
             "not need equal seeds for equal weights: it sends rank 0's weights to all ranks.");
  if (!seeded.order_follows) text += worded("findings", " The order of the samples does not depend on these seeds.");
  return text;
}

std::string differentSeeds(std::int64_t count) {
  return count == 1 ? worded("findings", "the same seed") : wordedCount(count, "different seed");
}

std::string differentStreams(std::int64_t count) {
  return count == 1 ? worded("findings", "the same stream") : wordedCount(count, "different stream");
}

/// "4 ranks", or "The first 1 024 of 2 048 ranks" when the table is cut.
std::string ranksOf(const Seeded& seeded) {
  const std::string all = wordedCount(seeded.of, "rank");
  return seeded.ranks < seeded.of ? filled(worded("findings", "The first %1 of %2"), grouped(seeded.ranks), all) : all;
}

std::string workersOf(const Seeded& seeded) {
  if (seeded.workers == 0 || !seeded.workers_collide) return {};
  return filled(worded("findings", " Their %1 have %2."), wordedCount(seeded.workers, "worker"),
                differentStreams(seeded.distinct_workers));
}

/// `is_recorded`: the batches are the recorded ones, so it is not known what determines their order.
FindingWords neverSeeded(std::int64_t ranks, bool loader_has_generator, bool is_recorded) {
  return {
      neverSeeds(),
      ranks == 1
          ? worded("findings", "Its process draws different random numbers from it in each run.")
          : filled(worded("findings", "Each of its %1 draws its own random numbers from it, which differ in each run."),
                   wordedCount(ranks, "process")),
      is_recorded ? worded("findings",
                           "The order of the samples may depend on them. What the process itself draws, such as "
                           "weights and dropout, cannot be reproduced.")
      : loader_has_generator
          ? worded("findings",
                   "The order of the samples does not depend on them, and the loader's generator fixes the seeds of "
                   "the workers. What the process itself draws, such as weights and dropout, cannot be reproduced.")
          : worded("findings",
                   "The order of the samples does not depend on them. Everything else that is drawn from it, such as "
                   "augmentation and dropout, cannot be reproduced.")};
}

FindingWords sameSeedEverywhere(std::int64_t base, const Seeded& seeded) {
  const std::string who = seeded.ranks < seeded.of ? ranksOf(seeded) : capital(allRanks(seeded.ranks));
  return {worded("findings", "Every rank draws the same random numbers"),
          filled(worded("findings", "%1 seed torch with %2."), who, std::to_string(base)) + workersOf(seeded),
          lessVariety(seeded)};
}

/// By local_rank; `nodes` of as many ranks each, 0 where nodes differ.
FindingWords sameSeedOnNodes(std::int64_t nodes, const Seeded& seeded) {
  return {nodes == 0   ? worded("findings", "Ranks of different nodes draw the same random numbers")
          : nodes == 2 ? worded("findings", "Both nodes draw the same random numbers")
                       : filled(worded("findings", "All %1 nodes draw the same random numbers"), grouped(nodes)),
          filled(worded("findings", "%1 have %2: local_rank starts at 0 on every node."), ranksOf(seeded),
                 differentSeeds(seeded.distinct)) +
              workersOf(seeded),
          lessVariety(seeded)};
}

FindingWords workersShareByChance(std::int64_t workers, const Seeded& seeded) {
  const std::string of = wordedCount(seeded.workers, "worker");
  const std::string shared =
      workers == 1 ? filled(worded("findings", "In epoch %1, 1 of %2 has the same stream as another one."),
                            grouped(seeded.epoch), of)
                   : filled(worded("findings", "In epoch %1, %2 of %3 have the same stream as another one."),
                            grouped(seeded.epoch), grouped(workers), of);
  const std::string compared = seeded.of == 1 ? filled(worded("findings", " %1 was compared."), ranksOf(seeded))
                                              : filled(worded("findings", " %1 were compared."), ranksOf(seeded));
  return {
      worded("findings", "Workers share a random stream by chance"), shared + compared,
      worded("findings",
             "A worker's seed is base_seed + its number, and torch's CPU generator keeps only the low 32 bits of it.")};
}

FindingWords workersShareGenerator(const Seeded& seeded) {
  return {worded("findings", "Workers of every rank draw the same random numbers"),
          filled(worded("findings", "%1 have %2: every rank gives its loader a generator with the same seed."),
                 wordedCount(seeded.workers, "worker"), differentStreams(seeded.distinct_workers)),
          worded("findings",
                 "The loader draws base_seed from its generator, so the ranks' own seeds do not reach the workers.")};
}

/// In epoch `first` and the one after it.
FindingWords epochSeedsCollide(std::int64_t distinct, std::int64_t starts, std::int64_t first) {
  return {
      worded("findings", "Ranks repeat each other's epochs"),
      filled(
          worded("findings",
                 "Rank 1 in epoch %1 has the seed of rank 0 in epoch %2, and so on: there are only %3 for %4 pairs of "
                 "rank and epoch."),
          grouped(first), grouped(first + 1), wordedCount(distinct, "different seed"), grouped(starts)),
      worded("findings",
             "base + rank + epoch gives the same sum for many pairs of rank and epoch. Seed once with base + rank: the "
             "stream then continues by itself.")};
}

FindingWords distinctSeeds(const Seeded& seeded) {
  const std::string epoch = grouped(seeded.epoch);
  return {filled(worded("findings", "No seed is used twice in epoch %1"), epoch),
          seeded.workers > 0
              ? filled(worded("findings", "%1 and %2, all with different seeds in epoch %3."), ranksOf(seeded),
                       wordedCount(seeded.workers, "worker"), epoch)
              : filled(worded("findings", "%1, all with different seeds in epoch %2."), ranksOf(seeded), epoch),
          worded("findings", "Compared as torch's CPU generator uses seeds: their low 32 bits.")};
}

}  // namespace
}  // namespace shardlens::words

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
  std::ranges::sort(ranks);
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
