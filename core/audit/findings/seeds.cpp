// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"
#include "core/base/text.h"
#include "core/sampling/registry.h"
#include "core/sampling/script_seed.h"
#include "core/spec/seeded.h"

#include <algorithm>

namespace shardlens::findings {

using sampling::SamplerTraits;

namespace {

/// "4 ranks", or "The first 1 024 of 2 048 ranks" when the table is cut.
std::string ranksOf(const Facts& facts) {
  const std::int64_t ranks = facts.report().seeds.ranks;
  const std::string all = counted(facts.worldSize(), "rank");
  return ranks < facts.worldSize() ? "The first " + grouped(ranks) + " of " + all : all;
}

std::string workersOf(const Facts& facts) {
  const SeedTable& seeds = facts.report().seeds;
  const std::int64_t workers = facts.spec().loader.num_workers * seeds.ranks;
  if (workers == 0 || seeds.colliding_workers == 0) return {};
  return " Their " + counted(workers, "worker") + " have " + counted(seeds.distinct_workers, "different stream") + ".";
}

/// Ranks of epoch 0 whose stream another rank has too.
std::vector<std::int64_t> collidingRanks(const Facts& facts) {
  const auto& rows = facts.report().seeds.rows;
  std::vector<std::int64_t> ranks;
  for (const SeedRow& row : rows) {
    if (row.epoch > 0 || row.worker >= 0 || row.equal_to < 0) continue;
    ranks.push_back(rows[static_cast<std::size_t>(row.equal_to)].rank);
    ranks.push_back(row.rank);
  }
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  if (ranks.size() > kShownIds) ranks.resize(kShownIds);
  return ranks;
}

Finding sameEverywhere(const Facts& facts) {
  Finding finding;
  finding.code = "seeds-collide-ranks";
  finding.topic = FindingTopic::Seeds;
  finding.title = "Every rank draws the same random numbers";
  const std::int64_t ranks = facts.report().seeds.ranks;
  std::string who = ranks < facts.worldSize() ? ranksOf(facts) : allOf(ranks) + " ranks";
  who[0] = static_cast<char>(std::toupper(who[0]));
  finding.message = who + " seed torch with " + std::to_string(facts.spec().seeds.base) + "." + workersOf(facts);
  return finding;
}

Finding sameOnNodes(const Facts& facts) {
  const std::int64_t nodes = facts.spec().world.nodes;
  Finding finding;
  finding.code = "seeds-collide-nodes";
  finding.topic = FindingTopic::Seeds;
  finding.title = (nodes == 2 ? std::string("Both") : "All " + grouped(nodes)) + " nodes draw the same random numbers";
  finding.message = ranksOf(facts) + " have " + counted(facts.report().seeds.distinct_ranks, "different seed") +
                    ": local_rank starts at 0 on every node." + workersOf(facts);
  return finding;
}

Finding workersByChance(const Facts& facts) {
  const SeedTable& seeds = facts.report().seeds;
  Finding finding;
  finding.title = "Workers share a random stream by chance";
  finding.message = counted(seeds.colliding_workers, "worker") + " of " +
                    grouped(seeds.ranks * facts.spec().loader.num_workers) +
                    " have the stream of another one in epoch 0. " + ranksOf(facts) + " were compared.";
  finding.why =
      "A worker's seed is base_seed + its number, and torch's CPU generator keeps only the low 32 bits of it.";
  finding.where.field = "seeds.base";
  return finding;
}

Finding sameLoaderGenerator(const Facts& facts) {
  const SeedTable& seeds = facts.report().seeds;
  Finding finding;
  finding.title = "Workers of every rank draw the same random numbers";
  finding.message = counted(seeds.ranks * facts.spec().loader.num_workers, "worker") + " have " +
                    counted(seeds.distinct_workers, "different stream") +
                    ": every rank gives its loader a generator with the same seed.";
  finding.why = "The loader draws base_seed from its generator, so the ranks' own seeds do not reach the workers.";
  finding.where.field = facts.fieldOf(&SamplerTraits::generator);
  return finding;
}

bool epochsCollide(const Facts& facts) {
  if (facts.worldSize() < 2 || facts.plan().epochs() < 2 || !sampling::seedsEachEpoch(facts.spec())) return false;
  return sampling::scriptSeed(facts.spec(), Epoch{0}, Rank{1}) == sampling::scriptSeed(facts.spec(), Epoch{1}, Rank{0});
}

}  // namespace

void neverSeeded(const Facts& facts, std::vector<Finding>& findings) {
  if (isSeeded(facts.spec())) return;
  const bool by_generator = facts.parameter(&SamplerTraits::generator) == Value(std::string("loader"));
  Finding finding;
  finding.code = "never-seeded";
  finding.topic = FindingTopic::Seeds;
  finding.title = "The script never seeds";
  finding.message = facts.worldSize() == 1 ? "Its process draws other random numbers in each run."
                                           : "Each of its " + counted(facts.worldSize(), "process") +
                                                 " draws random numbers of its own, and other ones in each run.";
  finding.why = by_generator
                    ? "The loader's generator fixes the order of the samples and the seeds of the workers. What the "
                      "process itself draws, such as weights and dropout, cannot be repeated."
                    : "The order of the samples does not depend on them. Everything else that is drawn, such as "
                      "augmentation and dropout, cannot be repeated.";
  finding.where.field = "seeds.rule";
  findings.push_back(std::move(finding));
}

void collidingRankSeeds(const Facts& facts, std::vector<Finding>& findings) {
  if (facts.report().seeds.colliding_ranks == 0) return;
  Finding finding = facts.spec().seeds.rule == "base+local_rank" ? sameOnNodes(facts) : sameEverywhere(facts);
  finding.severity = Severity::Warning;
  finding.why =
      "Random augmentation and noise are then equal across ranks: less variety in every global batch. "
      "Weights do not need equal seeds: DDP sends rank 0's to all.";
  finding.where.ranks = collidingRanks(facts);
  finding.where.field = "seeds.rule";
  findings.push_back(std::move(finding));
}

void collidingWorkerSeeds(const Facts& facts, std::vector<Finding>& findings) {
  const SeedTable& seeds = facts.report().seeds;
  if (seeds.colliding_workers == 0 || seeds.colliding_ranks > 0) return;
  const bool by_generator = facts.parameter(&SamplerTraits::generator) == Value(std::string("loader"));
  Finding finding = by_generator ? sameLoaderGenerator(facts) : workersByChance(facts);
  finding.code = "seeds-collide-workers";
  finding.topic = FindingTopic::Seeds;
  finding.severity = Severity::Warning;
  finding.where.epoch = 0;
  findings.push_back(std::move(finding));
}

void collidingEpochSeeds(const Facts& facts, std::vector<Finding>& findings) {
  if (!epochsCollide(facts)) return;
  const std::int64_t all = facts.worldSize() * facts.plan().epochs();
  const std::int64_t distinct = facts.worldSize() + facts.plan().epochs() - 1;
  Finding finding;
  finding.code = "seeds-collide-epochs";
  finding.topic = FindingTopic::Seeds;
  finding.severity = Severity::Warning;
  finding.title = "Ranks repeat each other's epochs";
  finding.message = "Rank 1 in epoch 0 has the seed of rank 0 in epoch 1, and so on: " + grouped(distinct) +
                    " different seeds for " + grouped(all) + " starts.";
  finding.why =
      "base + rank + epoch gives one sum for many ranks and epochs. Seed once with base + rank: the stream then goes "
      "on by itself.";
  finding.where.field = "seeds.rule";
  findings.push_back(std::move(finding));
}

void distinctSeeds(const Facts& facts, std::vector<Finding>& findings) {
  const SeedTable& seeds = facts.report().seeds;
  const std::int64_t workers = seeds.ranks * facts.spec().loader.num_workers;
  if (!isSeeded(facts.spec()) || epochsCollide(facts)) return;
  if (seeds.colliding_ranks + seeds.colliding_workers > 0 || seeds.ranks + workers < 2) return;
  Finding finding;
  finding.code = "ok-seeds";
  finding.topic = FindingTopic::Seeds;
  finding.is_proof = true;
  finding.title = "No random stream is used twice";
  finding.message = ranksOf(facts) + (workers > 0 ? " and " + counted(workers, "worker") : std::string()) +
                    ", all with different seeds in epoch 0.";
  finding.why = "Compared as torch's CPU generator uses seeds: their low 32 bits.";
  findings.push_back(std::move(finding));
}

}  // namespace shardlens::findings
