// SPDX-License-Identifier: Apache-2.0
// Which processes draw the same random numbers.
#include "core/audit/words/finding_words.h"
#include "core/base/phrase.h"
#include "core/base/text.h"

namespace shardlens::words {
namespace {

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

}  // namespace

std::string neverSeeds() {
  return worded("findings", "The script never seeds torch's global generator");
}

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

FindingWords peersSeededApart(std::int64_t rank, std::uint64_t seed, std::int64_t other, std::uint64_t other_seed) {
  return {
      worded("findings", "Ranks of one copy of the model draw different random numbers"),
      filled(worded("findings", "Ranks %1 and %2 seed torch with %3 and %4."), grouped(rank), grouped(other),
             std::to_string(static_cast<std::int64_t>(seed)), std::to_string(static_cast<std::int64_t>(other_seed))),
      worded("findings",
             "Random augmentation of a sample then differs between ranks that must compute on the same input.")};
}

}  // namespace shardlens::words
