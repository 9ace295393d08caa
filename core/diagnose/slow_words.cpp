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

/// Of single waits: the others of that rank are not in it.
std::string waitedThen(double lost_s) {
  return filled(worded("verdicts", "all ranks together waited %1 then"), duration(lost_s));
}

std::string chanceText(double chance) {
  return chance < 1e-6 ? worded("verdicts", "less than one run in a million")
                       : filled(worded("verdicts", "one run in %1"), grouped(static_cast<std::int64_t>(1 / chance)));
}

}  // namespace

std::string stepOf(std::uint32_t step, std::uint32_t epoch) {
  return filled(worded("verdicts", "step %1 of epoch %2"), std::to_string(step), std::to_string(epoch));
}

std::string inStep(std::uint32_t step, std::uint32_t epoch) {
  return filled(worded("verdicts", "in %1"), stepOf(step, epoch));
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

std::string afterStart(double seconds) {
  return filled(worded("verdicts", "%1 after the start"), duration(seconds));
}

std::string everyoneWaits(const WaitedFor& waited) {
  const std::string names = listedRanks(waited.ranks);
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
  const std::string behind = duration(late.behind_ms / 1000);
  if (waited.ranks.size() == 1) {
    const std::string who = capitalRanks(waited.ranks);
    return waited.is_now ? filled(worded("verdicts", "%1 comes last in %2 of %3, %4 after the others (median)."), who,
                                  last_in, of, behind)
                         : filled(worded("verdicts", "%1 came last in %2 of %3, %4 after the others (median)."), who,
                                  last_in, of, behind);
  }
  const std::string who = listedRanks(waited.ranks);
  return waited.is_now
             ? filled(worded("verdicts",
                             "One of %1 comes last in %2 of %3, and all of them %4 after the others (median)."),
                      who, last_in, of, behind)
             : filled(
                   worded("verdicts", "One of %1 came last in %2 of %3, and all of them %4 after the others (median)."),
                   who, last_in, of, behind);
}

std::string notCounted(std::int64_t left_out) {
  if (left_out == 0) return {};
  return left_out == 1 ? worded("verdicts", "1 more collective does not tell who is late.")
                       : filled(worded("verdicts", "%1 more collectives do not tell who is late."), grouped(left_out));
}

std::string takesLonger(const Ranks& ranks, const LongerPhase& phase) {
  const auto time = [](double ms, int figures) { return duration(ms / 1000, figures); };
  const int figures = time(phase.own_ms, 2) == time(phase.others_ms, 2) ? 3 : 2;
  const std::string own = time(phase.own_ms, figures);
  const std::string others = time(phase.others_ms, figures);
  if (ranks.size() == 1) {
    return phase.is_load ? filled(worded("verdicts", "It spends %1 loading a batch, the others %2."), own, others)
                         : filled(worded("verdicts", "It spends %1 computing a step, the others %2."), own, others);
  }
  return phase.is_load ? filled(worded("verdicts", "They spend %1 loading a batch, the others %2."), own, others)
                       : filled(worded("verdicts", "They spend %1 computing a step, the others %2."), own, others);
}

std::string oneOfCauses(const Ranks& named) {
  return filled(worded("verdicts", "They are late for different reasons; this is that of %1."), listedRanks(named));
}

std::string nothingTakesLonger(const Ranks& ranks) {
  return ranks.size() == 1
             ? worded("verdicts",
                      "Neither its loading nor its computing takes that much longer: look at what it does in between.")
             : worded("verdicts",
                      "Neither their loading nor their computing takes that much longer: look at what they do in "
                      "between.");
}

std::string takesLongerInAll(const LongerPhase& phase) {
  const std::string own = duration(phase.own_ms / 1000);
  const std::string others = duration(phase.others_ms / 1000);
  return phase.is_load
             ? filled(worded("verdicts", "In all, it spent %1 loading, the others typically %2."), own, others)
             : filled(worded("verdicts", "In all, it spent %1 computing, the others typically %2."), own, others);
}

std::string othersWaitNowAndThen(std::int64_t rank, const std::string& group) {
  return group.empty()
             ? filled(worded("verdicts", "The others wait for %1 now and then"), listedRanks({rank}))
             : filled(worded("verdicts", "The others wait for %1 now and then, in %2"), listedRanks({rank}), group);
}

std::string waitedNowAndThen(const NowAndThen& waited) {
  const std::string in = wordedCount(waited.times, "collective");
  const std::string of = grouped(waited.collectives) + ofRanks(waited.group);
  const std::string first =
      waited.place.empty() ? std::string() : filled(worded("verdicts", " (the first time in %1)"), waited.place);
  return filled(worded("verdicts",
                       "In %1 out of %2, the others waited for %3, typically %4%5. That is %6 of the %7 that ranks "
                       "waited for each other."),
                in, of, listedRanks({waited.rank}), duration(waited.typical_ms / 1000), first, duration(waited.lost_s),
                duration(waited.all_lost_s));
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

std::string lookBetween() {
  return worded("verdicts",
                "Look at what it does after the backward pass: the optimizer, logging, checkpoints, validation.");
}

std::string checkLoading() {
  return worded("verdicts", "Check the storage and the data that it reads, or raise num_workers.");
}

std::string checkSlowSamples() {
  return worded(
      "verdicts",
      "Look for what makes some of its batches slow to read: one loader worker, large samples, a cold cache.");
}

std::string checkComputing() {
  return worded("verdicts", "Check the GPU, the CPU load and the clock rate of its node.");
}

VerdictWords waitForData(const Starved& starved) {
  const double rest = std::max(starved.measured_s - starved.load_s, starved.load_s / 1000);
  const std::string title = starved.ranks == 1 ? worded("verdicts", "The rank waits for its data")
                                               : worded("verdicts", "All ranks wait for their data");
  const std::string sum = starved.ranks == 1
                              ? filled(worded("verdicts", "The rank waited %1 of %2 for batches"),
                                       duration(starved.load_s), duration(starved.measured_s))
                              : filled(worded("verdicts", "The typical rank waited %1 of %2 for batches"),
                                       duration(starved.load_s), duration(starved.measured_s));
  return {title,
          filled(worded("verdicts", "%1. The rest is computing and communicating; other work is not measured."), sum),
          worded("verdicts", "the times between asking a loader for a batch and having it"),
          filled(worded("verdicts",
                        "Raise num_workers while there are cores, or make samples cheaper to read. To keep up with the "
                        "rest, batches would have to come at most %1 times as fast."),
                 number((starved.load_s + rest) / rest, "%.0f"))};
}

VerdictWords waitInMessages(const InMessages& messages) {
  return {worded("verdicts", "Ranks wait for each other; which one is late is unknown"),
          filled(worded("verdicts",
                        "Ranks waited %1 in sends, receives and other operations that do not tell who is late: %2 of "
                        "the time of all ranks. Rank %3 waited longest (%4), rank %5 shortest (%6)."),
                 duration(messages.waited_s), percent(messages.share), std::to_string(messages.most),
                 duration(messages.most_s), std::to_string(messages.least), duration(messages.least_s)),
          inTotal(messages.waited_s),
          filled(worded("verdicts",
                        "Begin with rank %1: the rank that waits least may be the one that the others wait for. "
                        "Compare its lane with theirs."),
                 std::to_string(messages.least))};
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
          wordedCount(turns.collectives, "collective") + ofRanks(group), duration(turns.spread_ms / 1000),
          percent(turns.share), percent(turns.most_last), duration(turns.best_alone_s)),
      inTotal(turns.lost_s),
      worded("verdicts",
             "No rank was found to be slow, but their times vary. Prefetch more (num_workers, prefetch_factor), or "
             "balance the work.")};
}

VerdictWords startedLate(std::int64_t rank, double after_s, double for_s, double lost_s) {
  const std::string time = duration(for_s);
  return {
      filled(worded("verdicts", "The others waited %1 for %2 to start"), time, listedRanks({rank})),
      filled(
          worded("verdicts",
                 "%1 after the start, the others began to wait for %2, which had not begun to load its first batch. It "
                 "came %3 later."),
          duration(after_s), listedRanks({rank}), time),
      waitedThen(lost_s),
      worded("verdicts",
             "Ranks take different times to start. If it is always this one, look at what it does before its first "
             "batch.")};
}

VerdictWords paused(std::int64_t rank, const std::string& place, double after_s, double for_s, bool by_signal,
                    bool went_on, double lost_s) {
  const std::string time = duration(for_s);
  const std::string why = by_signal ? " " + worded("verdicts", "A signal had stopped it.")
                          : went_on ? " " + worded("verdicts", "Then the job continued.")
                                    : std::string();
  return {filled(worded("verdicts", "The others waited %1 for %2"), time, listedRanks({rank})),
          (place.empty() ? filled(worded("verdicts", "%1 after the start, the others began to wait %2 for %3."),
                                  duration(after_s), time, listedRanks({rank}))
                         : filled(worded("verdicts", "In %1, %2 after the start, the others waited %3 for %4."), place,
                                  duration(after_s), time, listedRanks({rank}))) +
              why,
          waitedThen(lost_s), worded("verdicts", "Seek to that moment and look at its lane.")};
}

VerdictWords pausedOften(std::int64_t rank, const std::vector<OnePause>& pauses, double for_s, double lost_s) {
  std::vector<std::string> places(pauses.size());
  std::transform(pauses.begin(), pauses.end(), places.begin(), [](const OnePause& one) {
    return filled(worded("verdicts", "%1 %2"), duration(one.for_s), one.place);
  });
  const std::string times = std::to_string(pauses.size());
  return {
      filled(worded("verdicts", "%1 waits for %2 stand out, %3 in all"), times, listedRanks({rank}), duration(for_s)),
      filled(worded("verdicts", "The waits for %1 that stand out: %2."), listedRanks({rank}), join(places, ", ")),
      waitedThen(lost_s), worded("verdicts", "Seek to these moments and look at its lane.")};
}

VerdictWords wasStopped(std::int64_t rank, double after_s, double for_s, bool is_resumed) {
  return {
      filled(worded("verdicts", "%1 was stopped for %2"), capitalRanks({rank}), duration(for_s)),
      filled(is_resumed ? worded("verdicts", "A signal stopped it %1 after the start, and another one resumed it.")
                        : worded("verdicts", "A signal stopped it %1 after the start; it reported nothing after that."),
             duration(after_s)),
      worded("verdicts", "process state T"),
      {}};
}

VerdictWords lateStart(double for_s) {
  return {filled(worded("verdicts", "No rank reported in the first %1"), duration(for_s)),
          filled(worded("verdicts", "The first record came %1 after the launch."), duration(for_s)),
          worded("verdicts", "the times of the records"),
          worded("verdicts", "Seek to that moment: the lanes show what each rank was doing.")};
}

VerdictWords stoodStill(double after_s, double for_s, bool went_on) {
  return {filled(worded("verdicts", "No rank made progress for %1"), duration(for_s)),
          filled(went_on ? worded("verdicts",
                                  "No rank reported anything from %1 to %2 after the start; then the job continued.")
                         : worded("verdicts", "No rank reported anything from %1 to %2 after the start."),
                 duration(after_s), duration(after_s + for_s)),
          worded("verdicts", "the times of the records"),
          worded("verdicts", "Seek to that moment: the lanes show what each rank was doing.")};
}

}  // namespace shardlens::words
