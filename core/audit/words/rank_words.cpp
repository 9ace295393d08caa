// SPDX-License-Identifier: Apache-2.0
// What ranks have in common.
#include "core/audit/words/finding_words.h"
#include "core/audit/words/grammar.h"
#include "core/base/text.h"

#include <algorithm>

namespace shardlens::words {
namespace {

constexpr std::size_t kGroupsShown = 4;
const char* const kDistorts = "Samples that are read more than once distort the result.";

/// "Ranks 0 and 1 share", "Pairs 0-2, 1-3 share", "Ranks 0-3, and those of 2 more groups, share".
std::string sharing(const std::vector<std::vector<std::int64_t>>& groups) {
  const bool pairs = std::ranges::all_of(groups, [](const auto& ranks) { return ranks.size() == 2; });
  if (groups.size() == 1 && pairs) return "Ranks " + grouped(groups[0][0]) + " and " + grouped(groups[0][1]) + " share";
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min(groups.size(), pairs ? kGroupsShown : 1); ++i) {
    parts.push_back(pairs ? std::to_string(groups[i][0]) + "-" + std::to_string(groups[i][1]) : ranges(groups[i]));
  }
  const auto more = static_cast<std::int64_t>(groups.size() - parts.size());
  const std::string out = (pairs ? "Pairs " : "Ranks ") + join(parts, ", ");
  if (more == 0) return out + " share";
  return out + (pairs ? " and " + counted(more, "more pair") : ", and those of " + counted(more, "more group") + ",") +
         " share";
}

std::string onlyFirst(std::int64_t compared, std::int64_t ranks) {
  return compared < ranks ? " Only the first " + counted(compared, "rank") + " were compared." : std::string();
}

std::string twinTitle(const TwinRanks& twins) {
  if (twins.all) return "Every rank draws the same batches";
  if (twins.nodes == 1 || twins.by_node) return "Ranks draw the same batches";
  const std::string who = twins.nodes == 2 ? "Two nodes" : counted(twins.nodes, "node");
  return who + (twins.by_slices ? " read the same slices" : " draw the same batches");
}

std::string twinWhy(const TwinRanks& twins) {
  if (twins.evaluates) return kDistorts;
  std::string why = "Equal batches give equal gradients, so averaging them only wastes work.";
  if (twins.global_batch == 0) return why;
  return why + " The global batch is really " + grouped(twins.different_items) + ", not " +
         grouped(twins.global_batch) + ".";
}

}  // namespace

std::string seedsAreEqual() {
  return "their seeds are equal";
}

std::string partsAreEqual() {
  return "their parts are equal";
}

std::string doesNotDivide(const std::string& sampler) {
  return sampler + " does not divide samples among ranks";
}

std::string dividesBy(std::int64_t replicas) {
  return "the sampler divides by " + grouped(replicas);
}

std::string gotInstead(const std::string& argument) {
  return "the sampler got " + argument + ", not rank";
}

FindingWords identicalRanks(const TwinRanks& twins) {
  const std::string samples = twins.fewest != twins.most
                                  ? "all " + grouped(twins.fewest) + " to " + counted(twins.most, "sample")
                              : twins.most == 1 ? "their only sample"
                              : twins.most == 2 ? "both samples"
                                                : "all " + counted(twins.most, "sample");
  return {twinTitle(twins),
          sharing(twins.groups) + " " + samples + ": " + twins.reason + "." + onlyFirst(twins.compared, twins.ranks),
          twinWhy(twins)};
}

FindingWords ranksReadAgain(bool evaluates, const Repeated& repeated) {
  return {"Ranks read the same samples",
          capital(repeated.when) + ", " + grouped(repeated.items) + " of " + counted(repeated.of, "item") +
              (repeated.items == 1 ? " repeats" : " repeat") + " what another rank reads: " + repeated.how_often + ".",
          evaluates ? kDistorts : "Equal samples give equal gradients, so averaging them only wastes work."};
}

FindingWords overlappingRanks(const SharingPairs& pairs) {
  const std::string others = pairs.ranks == 2 ? "other rank" : "other " + counted(pairs.ranks - 1, "rank");
  const std::string title = pairs.by_chance ? "Ranks may draw the same sample"
                            : pairs.divides ? "Ranks overlap: their orders differ"
                                            : "Ranks overlap: each one shuffles alone";
  return {title,
          (pairs.pairs == 1 ? std::string("The only pair shares samples")
                            : grouped(pairs.sharing) + " of " + counted(pairs.pairs, "pair") +
                                  (pairs.sharing == 1 ? " shares" : " share") + " samples") +
              ": ranks " + grouped(pairs.row) + " and " + grouped(pairs.column) + " share " + grouped(pairs.shared) +
              " of " + grouped(pairs.of) + "." + onlyFirst(pairs.compared, pairs.ranks),
          pairs.divides ? "Each rank takes its share of an order of its own. The shares fit together only when all "
                          "ranks draw the same order."
                        : pairs.sampler + " draws for its own process and knows nothing of the " + others +
                              ": an epoch reads samples several times."};
}

FindingWords disjointRanks(std::int64_t ranks, bool but_padding, std::int64_t pairs, const std::string& when) {
  return {but_padding ? "No two ranks share a sample but padding" : "No two ranks share a sample",
          pairs > 0 ? counted(pairs, "pair") + " compared: " + allRanks(ranks) + " " + when + "."
                    : "Counted sample by sample: " + allRanks(ranks) + " " + when + ".",
          "Every rank adds samples of its own to the global batch."};
}

}  // namespace shardlens::words
