// SPDX-License-Identifier: Apache-2.0
// Which processes draw the same random numbers.
#include "core/audit/words/finding_words.h"
#include "core/audit/words/grammar.h"
#include "core/base/text.h"

namespace shardlens::words {
namespace {

const char* const kLessVariety =
    "Random augmentation and noise are then equal across ranks: less variety in every global batch. Weights do not "
    "need equal seeds: DDP sends rank 0's to all.";

/// "the same seed", "5 different seeds".
std::string differing(std::int64_t count, const std::string& noun) {
  return count == 1 ? "the same " + noun : counted(count, "different " + noun);
}

/// "4 ranks", or "The first 1 024 of 2 048 ranks" when the table is cut.
std::string ranksOf(const Seeded& seeded) {
  const std::string all = counted(seeded.of, "rank");
  return seeded.ranks < seeded.of ? "The first " + grouped(seeded.ranks) + " of " + all : all;
}

std::string workersOf(const Seeded& seeded) {
  if (seeded.workers == 0 || !seeded.workers_collide) return {};
  return " Their " + counted(seeded.workers, "worker") + " have " + differing(seeded.distinct_workers, "stream") + ".";
}

}  // namespace

FindingWords neverSeeded(std::int64_t ranks, bool loader_has_generator) {
  return {"The script never seeds",
          ranks == 1 ? "Its process draws different random numbers in each run."
                     : "Each of its " + counted(ranks, "process") +
                           " draws its own random numbers, and different ones in each run.",
          loader_has_generator
              ? "The loader's generator fixes the order of the samples and the seeds of the workers. What the process "
                "itself draws, such as weights and dropout, cannot be repeated."
              : "The order of the samples does not depend on them. Everything else that is drawn, such as augmentation "
                "and dropout, cannot be repeated."};
}

FindingWords sameSeedEverywhere(std::int64_t base, const Seeded& seeded) {
  const std::string who = seeded.ranks < seeded.of ? ranksOf(seeded) : capital(allRanks(seeded.ranks));
  return {"Every rank draws the same random numbers",
          who + " seed torch with " + std::to_string(base) + "." + workersOf(seeded), kLessVariety};
}

FindingWords sameSeedOnNodes(std::int64_t nodes, const Seeded& seeded) {
  return {(nodes == 2 ? std::string("Both") : "All " + grouped(nodes)) + " nodes draw the same random numbers",
          ranksOf(seeded) + " have " + differing(seeded.distinct, "seed") + ": local_rank starts at 0 on every node." +
              workersOf(seeded),
          kLessVariety};
}

FindingWords workersShareByChance(std::int64_t workers, const Seeded& seeded) {
  return {"Workers share a random stream by chance",
          "In epoch 0, " + grouped(workers) + " of " + counted(seeded.workers, "worker") +
              (workers == 1 ? " has" : " have") + " the stream of another one. " + ranksOf(seeded) +
              (seeded.of == 1 ? " was" : " were") + " compared.",
          "A worker's seed is base_seed + its number, and torch's CPU generator keeps only the low 32 bits of it."};
}

FindingWords workersShareGenerator(const Seeded& seeded) {
  return {"Workers of every rank draw the same random numbers",
          counted(seeded.workers, "worker") + " have " + differing(seeded.distinct_workers, "stream") +
              ": every rank gives its loader a generator with the same seed.",
          "The loader draws base_seed from its generator, so the ranks' own seeds do not reach the workers."};
}

FindingWords epochSeedsCollide(std::int64_t distinct, std::int64_t starts) {
  return {"Ranks repeat each other's epochs",
          "Rank 1 in epoch 0 has the seed of rank 0 in epoch 1, and so on: there are only " +
              counted(distinct, "different seed") + " for " + grouped(starts) + " pairs of rank and epoch.",
          "base + rank + epoch gives one sum for many ranks and epochs. Seed once with base + rank: the stream then "
          "continues by itself."};
}

FindingWords distinctSeeds(const Seeded& seeded) {
  const std::string workers = seeded.workers > 0 ? " and " + counted(seeded.workers, "worker") : std::string();
  return {"No random stream is used twice", ranksOf(seeded) + workers + ", all with different seeds in epoch 0.",
          "Compared as torch's CPU generator uses seeds: their low 32 bits."};
}

}  // namespace shardlens::words
