// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/slow_words.h"

#include "core/base/text.h"

#include <algorithm>

namespace shardlens::words {
namespace {

constexpr std::size_t kMostGains = 4;  ///< that are listed one by one

std::string percent(double share) {
  return number(100 * share, "%.0f") + " %";
}

std::string ofRanks(const std::string& group) {
  return group.empty() ? group : " of " + group;
}

std::string inTotal(double lost_s) {
  return "in total, the ranks waited " + duration(lost_s);
}

std::string chanceText(double chance) {
  return chance < 1e-6 ? "less than one run in a million"
                       : "one run in " + grouped(static_cast<std::int64_t>(1 / chance));
}

}  // namespace

std::string duration(double seconds) {
  return seconds >= 0.995 ? words::seconds(seconds) : milliseconds(1000 * seconds);
}

std::string stepOf(std::uint32_t step, std::uint32_t epoch) {
  return "step " + std::to_string(step) + " of epoch " + std::to_string(epoch);
}

std::string inEpoch(std::uint32_t epoch) {
  return "in epoch " + std::to_string(epoch);
}

std::string since(const std::string& place) {
  return "since " + place;
}

std::string fromTo(const std::string& first, const std::string& last) {
  return "from " + first + " to " + last;
}

std::string fromStepTo(std::uint32_t first_step, const std::string& last) {
  return fromTo("step " + std::to_string(first_step), last);
}

std::string everyoneWaits(const WaitedFor& waited) {
  const std::string whom = ranks(waited.ranks) + (waited.host.empty() ? "" : ", all on " + waited.host);
  const std::string who = waited.is_majority     ? "The rest" + ofRanks(waited.group)
                          : waited.group.empty() ? "Everyone"
                                                 : "All" + ofRanks(waited.group);
  const bool is_plural = !waited.is_majority && !waited.group.empty();
  const std::string verb = !waited.is_now ? " waited for " : is_plural ? " wait for " : " waits for ";
  return who + verb + whom + (waited.when.empty() ? "" : " " + waited.when);
}

std::string comeLast(const WaitedFor& waited, const Lateness& late) {
  const bool is_one = waited.ranks.size() == 1;
  return (is_one ? capitalRanks(waited.ranks) : "One of " + ranks(waited.ranks)) +
         (waited.is_now ? " comes" : " came") + " last in " + grouped(late.last_in) + " of " +
         counted(late.collectives, "collective") + ofRanks(waited.group) + ", " + (is_one ? "" : "and all of them ") +
         milliseconds(late.behind_ms) + " after the others (median).";
}

std::string takesLonger(const Ranks& ranks, const LongerPhase& phase) {
  return agreed(ranks, "It spends ", "They spend ") + milliseconds(phase.own_ms) +
         (phase.is_load ? " loading a batch" : " computing a step") + ", the others " + milliseconds(phase.others_ms) +
         ".";
}

std::string nothingTakesLonger(const Ranks& ranks) {
  const std::string its = agreed(ranks, "its", "their");
  return "Neither " + its + " loading nor " + its + " computing takes longer: look between them.";
}

std::string fixingSaves(const Ranks& ranks, const Gain& gain) {
  const std::string saves =
      " would save " + duration(gain.all_s) + " of " + duration(gain.of_s) + " (" + percent(gain.share) + ")";
  if (ranks.size() == 1) return "Fixing it" + saves + ".";
  const std::string text = "Fixing all of them" + saves + "; fixing one alone would save ";
  if (ranks.size() > kMostGains) return text + "at most " + duration(std::ranges::max(gain.alone_s)) + ".";
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < ranks.size(); ++i)
    parts.push_back(duration(gain.alone_s[i]) + " (" + words::ranks({ranks[i]}) + ")");
  return text + join(parts, ", ") + ".";
}

std::string waitedInTotal(double lost_s, const Ranks& ranks, double chance) {
  return inTotal(lost_s) + " for " + agreed(ranks, "it", "them") + "; chance alone does this in " + chanceText(chance);
}

std::string checkNode() {
  return "Check that node: all of its ranks are late, and no others.";
}

std::string lookForWhatTheyShare() {
  return "Look for what only these ranks share: storage, a switch, long samples.";
}

std::string compareLanes() {
  return "Compare its lane with another rank's, then check that rank's storage and node.";
}

std::string checkLoading() {
  return "Check the storage and the data that it reads, or raise num_workers.";
}

std::string checkComputing() {
  return "Check the GPU, the CPU load and the clock rate of its node.";
}

VerdictWords takeTurns(const std::string& group, const Turns& turns) {
  return {"Ranks take turns being late" + (group.empty() ? group : ", in " + group),
          "In " + counted(turns.collectives, "collective") + ofRanks(group) + ", the last rank arrives " +
              milliseconds(turns.spread_ms) + " after the median one on average, which costs " + percent(turns.share) +
              " of the time; no rank is the last in more than " + percent(turns.most_last) +
              " of them, and fixing any single rank would save at most " + duration(turns.best_alone_s) + ".",
          inTotal(turns.lost_s),
          "No rank is slow, but their times vary. Prefetch more (num_workers, prefetch_factor), or balance the work."};
}

VerdictWords paused(std::int64_t rank, const std::string& place, double after_s, double for_s, bool by_signal,
                    double lost_s) {
  return {capitalRanks({rank}) + " paused for " + duration(for_s),
          "In " + place + ", " + duration(after_s) + " after the start, the others waited " + duration(for_s) +
              " for " + ranks({rank}) + ". " +
              (by_signal ? "A signal had stopped it." : "It happened once; then the job continued."),
          inTotal(lost_s), "Seek to that moment and look at its lane."};
}

VerdictWords wasStopped(std::int64_t rank, double after_s, double for_s) {
  return {capitalRanks({rank}) + " was stopped for " + duration(for_s),
          "A signal stopped it " + duration(after_s) + " after the start, and another one resumed it.",
          "process state T",
          {}};
}

VerdictWords lateStart(double for_s) {
  return {"No rank reported in the first " + duration(for_s),
          "The first record came " + duration(for_s) + " after the launch.", "the times of the records",
          "Seek to that moment: the lanes show what each rank was in."};
}

VerdictWords stoodStill(double after_s, double for_s) {
  return {"No rank made progress for " + duration(for_s),
          "No rank reported anything from " + duration(after_s) + " to " + duration(after_s + for_s) +
              " after the start; then the job continued.",
          "the times of the records", "Seek to that moment: the lanes show what each rank was in."};
}

}  // namespace shardlens::words
