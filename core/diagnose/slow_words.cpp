// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/slow_words.h"

#include "core/base/phrase.h"
#include "core/base/text.h"

#include <algorithm>

namespace shardlens::words {
namespace {

constexpr std::size_t kMostGains = 4;  ///< that are listed one by one

}  // namespace

std::string percent(double share) {
  return number(100 * share, "%.0f") + " %";
}

std::string inTotal(double lost_s) {
  return filled(worded("verdicts", "in total, the ranks waited %1"), duration(lost_s));
}

std::string stepOf(std::uint32_t step, std::uint32_t epoch) {
  return filled(worded("verdicts", "step %1 of epoch %2"), std::to_string(step), std::to_string(epoch));
}

std::string inStep(std::uint32_t step, std::uint32_t epoch) {
  return filled(worded("verdicts", "in %1"), stepOf(step, epoch));
}

std::string inEpoch(std::uint32_t epoch) {
  return filled(worded("verdicts", "in epoch %1"), std::to_string(epoch));
}

std::string fromTo(const std::string& first, const std::string& last) {
  return filled(worded("verdicts", "from %1 to %2"), first, last);
}

std::string everyoneWaits(const WaitedFor& waited) {
  const std::string names = listedRanks(waited.ranks);
  const std::string whom =
      waited.host.empty() ? names : filled(worded("verdicts", "%1, all on %2"), names, waited.host);
  const std::string who = waited.is_majority     ? filled(worded("verdicts", "The rest%1"), ofGroup(waited.group))
                          : waited.group.empty() ? worded("verdicts", "Everyone")
                                                 : filled(worded("verdicts", "All%1"), ofGroup(waited.group));
  const bool is_plural = !waited.is_majority && !waited.group.empty();
  const std::string text = !waited.is_now ? filled(worded("verdicts", "%1 waited for %2"), who, whom)
                           : is_plural    ? filled(worded("verdicts", "%1 wait for %2"), who, whom)
                                          : filled(worded("verdicts", "%1 waits for %2"), who, whom);
  return waited.when.empty() ? text : filled(worded("verdicts", "%1 %2"), text, waited.when);
}

std::string fixingSaves(const Ranks& ranks, const Gain& gain) {
  const std::string all = duration(gain.all_s);
  const std::string of = duration(gain.of_s);
  const std::string share = percent(gain.share);
  if (ranks.size() == 1) return filled(worded("verdicts", "Fixing it would save %1 of %2 (%3)."), all, of, share);
  std::string alone;
  if (ranks.size() > kMostGains) {
    alone = filled(worded("verdicts", "at most %1"), duration(std::ranges::max(gain.alone_s)));
  } else {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < ranks.size(); ++i)
      parts.push_back(duration(gain.alone_s[i]) + " (" + listedRanks({ranks[i]}) + ")");
    alone = join(parts, ", ");
  }
  return filled(worded("verdicts", "Fixing all of them would save %1 of %2 (%3); fixing one alone would save %4."), all,
                of, share, alone);
}

VerdictWords takeTurns(const std::string& group, const Turns& turns) {
  return {
      group.empty() ? worded("verdicts", "Ranks take turns being late")
                    : filled(worded("verdicts", "Ranks take turns being late, in %1"), group),
      filled(
          worded(
              "verdicts",
              "In %1, the last rank arrives %2 after the median one on average, which costs %3 of the time; no rank is "
              "the last in more than %4 of them, and fixing any single rank would save at most %5."),
          wordedCount(turns.collectives, "collective") + ofGroup(group), duration(turns.spread_ms / 1000),
          percent(turns.share), percent(turns.most_last), duration(turns.best_alone_s)),
      inTotal(turns.lost_s),
      worded("verdicts",
             "No rank was found to be slow, but their times vary. Prefetch more (num_workers, prefetch_factor), or "
             "balance the work.")};
}

}  // namespace shardlens::words
