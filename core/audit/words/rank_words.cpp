// SPDX-License-Identifier: Apache-2.0
// What ranks have in common.
#include "core/audit/words/finding_words.h"
#include "core/base/phrase.h"
#include "core/base/text.h"

#include <algorithm>

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
    return pairs ? filled(worded("findings", "Pairs %1 share"), which)
                 : filled(worded("findings", "Ranks %1 share"), which);
  return pairs ? filled(worded("findings", "Pairs %1 and %2 share"), which, wordedCount(more, "more pair"))
               : filled(worded("findings", "Ranks %1, and those of %2, share"), which, wordedCount(more, "more group"));
}

std::string onlyFirst(std::int64_t compared, std::int64_t ranks) {
  return compared < ranks
             ? filled(worded("findings", " Only the first %1 were compared."), wordedCount(compared, "rank"))
             : std::string();
}

std::string twinTitle(const TwinRanks& twins) {
  if (twins.all) return worded("findings", "Every rank draws the same batches");
  if (twins.nodes == 1 || twins.by_node) return worded("findings", "Ranks draw the same batches");
  const std::string who = twins.nodes == 2 ? worded("findings", "Two nodes") : wordedCount(twins.nodes, "node");
  return twins.by_slices ? filled(worded("findings", "%1 read the same slices"), who)
                         : filled(worded("findings", "%1 draw the same batches"), who);
}

std::string twinWhy(const TwinRanks& twins) {
  if (twins.evaluates) return distorts();
  std::string why =
      worded("findings", "Without dropout or other randomness, equal batches give equal gradients: wasted work.");
  if (twins.global_batch == 0) return why;
  return why + filled(worded("findings", " The global batch is really %1, not %2."), grouped(twins.different_samples),
                      grouped(twins.global_batch));
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

}  // namespace

std::string seedsAreEqual() {
  return worded("findings", "their seeds are equal");
}

std::string partsAreEqual() {
  return worded("findings", "their parts are equal");
}

std::string doesNotDivide(const std::string& sampler) {
  return filled(worded("findings", "%1 does not divide samples among ranks"), sampler);
}

std::string dividesBy(std::int64_t replicas) {
  return filled(worded("findings", "the sampler divides by %1"), grouped(replicas));
}

std::string gotInstead(const std::string& argument) {
  return filled(worded("findings", "the sampler got %1, not rank"), argument);
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

FindingWords ranksReadAgain(bool evaluates, const Repeated& repeated) {
  return {worded("findings", "Ranks read the same samples"), readAgain(repeated),
          evaluates
              ? distorts()
              : worded("findings", "Each of these items takes time on its rank and adds no new sample to the epoch.")};
}

FindingWords ranksReadAgainToBeEven(std::int64_t ranks, const Repeated& repeated) {
  return {worded("findings", "Ranks read the same samples"), readAgain(repeated),
          filled(worded("findings",
                        "That many must repeat for %1 to read equally many items: a sampler that pads does the same."),
                 allRanks(ranks))};
}

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

FindingWords disjointRanks(std::int64_t ranks, bool but_padding, std::int64_t pairs, const std::string& when) {
  return {but_padding ? worded("findings", "No two ranks share a sample, padding aside")
                      : worded("findings", "No two ranks share a sample"),
          pairs > 0
              ? filled(worded("findings", "%1 compared: %2 %3."), wordedCount(pairs, "pair"), allRanks(ranks), when)
              : filled(worded("findings", "Counted sample by sample: %1 %2."), allRanks(ranks), when),
          worded("findings", "Every rank adds samples of its own to the global batch.")};
}

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

FindingWords peersReadApart(const PeersApart& apart) {
  return {
      worded("findings", "Ranks of one copy of the model read different samples"),
      filled(worded("findings",
                    "Ranks %1 and %2 divide one copy of the model (%3) and must read the same samples: in epoch %4, "
                    "step %5, they do not. This happens in %6 of %7."),
             grouped(apart.rank), grouped(apart.other), apart.along, grouped(apart.epoch), grouped(apart.step),
             grouped(apart.copies),
             apart.of == 1 ? worded("findings", "1 copy") : filled(worded("findings", "%1 copies"), grouped(apart.of))),
      worded("findings",
             "They compute parts of one result. That result then mixes different samples, and no error is raised.")};
}

}  // namespace shardlens::words
