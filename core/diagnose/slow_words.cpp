// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/slow_words.h"

#include "core/base/phrase.h"
#include "core/base/text.h"

#include <algorithm>

namespace shardlens::words {
namespace {

constexpr std::size_t kMostGains = 4;  ///< that are listed one by one

std::string percent(double share) {
  return number(100 * share, "%.0f") + " %";
}

std::string ofRanks(const std::string& group) {
  return group.empty() ? group : filled(worded("verdicts", " of %1"), group);
}

std::string inTotal(double lost_s) {
  return filled(worded("verdicts", "in total, the ranks waited %1"), duration(lost_s));
}

std::string chanceText(double chance) {
  return chance < 1e-6 ? worded("verdicts", "less than one run in a million")
                       : filled(worded("verdicts", "one run in %1"), grouped(static_cast<std::int64_t>(1 / chance)));
}

}  // namespace

std::string duration(double seconds) {
  return seconds >= 0.995 ? words::seconds(seconds) : milliseconds(1000 * seconds);
}

std::string stepOf(std::uint32_t step, std::uint32_t epoch) {
  return filled(worded("verdicts", "step %1 of epoch %2"), std::to_string(step), std::to_string(epoch));
}

std::string inEpoch(std::uint32_t epoch) {
  return filled(worded("verdicts", "in epoch %1"), std::to_string(epoch));
}

std::string since(const std::string& place) {
  return filled(worded("verdicts", "since %1"), place);
}

std::string fromTo(const std::string& first, const std::string& last) {
  return filled(worded("verdicts", "from %1 to %2"), first, last);
}

std::string fromStepTo(std::uint32_t first_step, const std::string& last) {
  return fromTo(filled(worded("verdicts", "step %1"), std::to_string(first_step)), last);
}

std::string everyoneWaits(const WaitedFor& waited) {
  const std::string names = ranks(waited.ranks);
  const std::string whom =
      waited.host.empty() ? names : filled(worded("verdicts", "%1, all on %2"), names, waited.host);
  const std::string who = waited.is_majority     ? filled(worded("verdicts", "The rest%1"), ofRanks(waited.group))
                          : waited.group.empty() ? worded("verdicts", "Everyone")
                                                 : filled(worded("verdicts", "All%1"), ofRanks(waited.group));
  const bool is_plural = !waited.is_majority && !waited.group.empty();
  const std::string text = !waited.is_now ? filled(worded("verdicts", "%1 waited for %2"), who, whom)
                           : is_plural    ? filled(worded("verdicts", "%1 wait for %2"), who, whom)
                                          : filled(worded("verdicts", "%1 waits for %2"), who, whom);
  return waited.when.empty() ? text : filled(worded("verdicts", "%1 %2"), text, waited.when);
}

std::string comeLast(const WaitedFor& waited, const Lateness& late) {
  const std::string last_in = grouped(late.last_in);
  const std::string of = wordedCount(late.collectives, "collective") + ofRanks(waited.group);
  const std::string behind = milliseconds(late.behind_ms);
  if (waited.ranks.size() == 1) {
    const std::string who = capitalRanks(waited.ranks);
    return waited.is_now ? filled(worded("verdicts", "%1 comes last in %2 of %3, %4 after the others (median)."), who,
                                  last_in, of, behind)
                         : filled(worded("verdicts", "%1 came last in %2 of %3, %4 after the others (median)."), who,
                                  last_in, of, behind);
  }
  const std::string who = ranks(waited.ranks);
  return waited.is_now
             ? filled(worded("verdicts",
                             "One of %1 comes last in %2 of %3, and all of them %4 after the others (median)."),
                      who, last_in, of, behind)
             : filled(
                   worded("verdicts", "One of %1 came last in %2 of %3, and all of them %4 after the others (median)."),
                   who, last_in, of, behind);
}

std::string takesLonger(const Ranks& ranks, const LongerPhase& phase) {
  const std::string own = milliseconds(phase.own_ms);
  const std::string others = milliseconds(phase.others_ms);
  if (ranks.size() == 1) {
    return phase.is_load ? filled(worded("verdicts", "It spends %1 loading a batch, the others %2."), own, others)
                         : filled(worded("verdicts", "It spends %1 computing a step, the others %2."), own, others);
  }
  return phase.is_load ? filled(worded("verdicts", "They spend %1 loading a batch, the others %2."), own, others)
                       : filled(worded("verdicts", "They spend %1 computing a step, the others %2."), own, others);
}

std::string nothingTakesLonger(const Ranks& ranks) {
  return ranks.size() == 1
             ? worded("verdicts", "Neither its loading nor its computing takes longer: look between them.")
             : worded("verdicts", "Neither their loading nor their computing takes longer: look between them.");
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
      parts.push_back(duration(gain.alone_s[i]) + " (" + words::ranks({ranks[i]}) + ")");
    alone = join(parts, ", ");
  }
  return filled(worded("verdicts", "Fixing all of them would save %1 of %2 (%3); fixing one alone would save %4."), all,
                of, share, alone);
}

std::string waitedInTotal(double lost_s, const Ranks& ranks, double chance) {
  const std::string lost = inTotal(lost_s);
  return ranks.size() == 1
             ? filled(worded("verdicts", "%1 for it; chance alone does this in %2"), lost, chanceText(chance))
             : filled(worded("verdicts", "%1 for them; chance alone does this in %2"), lost, chanceText(chance));
}

std::string checkNode() {
  return worded("verdicts", "Check that node: all of its ranks are late, and no others.");
}

std::string lookForWhatTheyShare() {
  return worded("verdicts", "Look for what only these ranks share: storage, a switch, long samples.");
}

std::string compareLanes() {
  return worded("verdicts", "Compare its lane with another rank's, then check that rank's storage and node.");
}

std::string checkLoading() {
  return worded("verdicts", "Check the storage and the data that it reads, or raise num_workers.");
}

std::string checkComputing() {
  return worded("verdicts", "Check the GPU, the CPU load and the clock rate of its node.");
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
          wordedCount(turns.collectives, "collective") + ofRanks(group), milliseconds(turns.spread_ms),
          percent(turns.share), percent(turns.most_last), duration(turns.best_alone_s)),
      inTotal(turns.lost_s),
      worded("verdicts",
             "No rank is slow, but their times vary. Prefetch more (num_workers, prefetch_factor), or balance the "
             "work.")};
}

VerdictWords paused(std::int64_t rank, const std::string& place, double after_s, double for_s, bool by_signal,
                    double lost_s) {
  const std::string time = duration(for_s);
  const std::string why = by_signal ? worded("verdicts", "A signal had stopped it.")
                                    : worded("verdicts", "It happened once; then the job continued.");
  return {filled(worded("verdicts", "%1 paused for %2"), capitalRanks({rank}), time),
          filled(worded("verdicts", "In %1, %2 after the start, the others waited %3 for %4. %5"), place,
                 duration(after_s), time, ranks({rank}), why),
          inTotal(lost_s), worded("verdicts", "Seek to that moment and look at its lane.")};
}

VerdictWords wasStopped(std::int64_t rank, double after_s, double for_s) {
  return {filled(worded("verdicts", "%1 was stopped for %2"), capitalRanks({rank}), duration(for_s)),
          filled(worded("verdicts", "A signal stopped it %1 after the start, and another one resumed it."),
                 duration(after_s)),
          worded("verdicts", "process state T"),
          {}};
}

VerdictWords lateStart(double for_s) {
  return {filled(worded("verdicts", "No rank reported in the first %1"), duration(for_s)),
          filled(worded("verdicts", "The first record came %1 after the launch."), duration(for_s)),
          worded("verdicts", "the times of the records"),
          worded("verdicts", "Seek to that moment: the lanes show what each rank was in.")};
}

VerdictWords stoodStill(double after_s, double for_s) {
  return {filled(worded("verdicts", "No rank made progress for %1"), duration(for_s)),
          filled(worded("verdicts", "No rank reported anything from %1 to %2 after the start; then the job continued."),
                 duration(after_s), duration(after_s + for_s)),
          worded("verdicts", "the times of the records"),
          worded("verdicts", "Seek to that moment: the lanes show what each rank was in.")};
}

}  // namespace shardlens::words
