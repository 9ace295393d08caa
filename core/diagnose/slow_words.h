// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/verdict_words.h"

#include <cstdint>
#include <string>
#include <vector>

/// The sentences about slow ranks and about pauses, in one place. What is found is decided in slow_verdicts.cpp and
/// slow_ranks.cpp. `group` is the name of a group of ranks; empty means all of them.
namespace shardlens::words {

// --- parts of sentences
/// "step 3 of epoch 0"
std::string stepOf(std::uint32_t step, std::uint32_t epoch);
std::string inStep(std::uint32_t step, std::uint32_t epoch);
std::string inEpoch(std::uint32_t epoch);
/// Both are stepOf(): "since step 220 of epoch 0", "from step 99 of epoch 0 to step 3 of epoch 1".
std::string since(const std::string& place);
std::string fromTo(const std::string& first, const std::string& last);
std::string fromStepTo(std::uint32_t first_step, const std::string& last);
/// "3.2 s after the start": a place of since() and fromTo() in a job without steps.
std::string afterStart(double seconds);

// --- slow ranks
/// Ranks that the others wait for.
struct WaitedFor {
  Ranks ranks;
  std::string group;
  std::string host;          ///< that all of them, and no others, are on; or empty
  std::string when;          ///< one of the parts above; empty for the whole run
  bool is_now = false;       ///< they are still waited for
  bool is_majority = false;  ///< they are more than the others
};
std::string everyoneWaits(const WaitedFor& waited);

/// How late they come.
struct Lateness {
  std::int64_t last_in = 0, collectives = 0;
  double behind_ms = 0;
};
std::string comeLast(const WaitedFor& waited, const Lateness& late);
/// Of collectives that are in none of the numbers, whatever the reason; empty for none.
std::string notCounted(std::int64_t left_out);

/// What they do longer than the others.
struct LongerPhase {
  bool is_load = false;
  double own_ms = 0, others_ms = 0;
};
std::string takesLonger(const Ranks& ranks, const LongerPhase& phase);
std::string nothingTakesLonger(const Ranks& ranks);

/// Of ranks that are late together, each for its own reason, those that the next sentence is about.
std::string oneOfCauses(const Ranks& named);

/// The same, summed up over the whole run, of one rank.
std::string takesLongerInAll(const LongerPhase& phase);

/// The others waited for one rank in some of the collectives.
struct NowAndThen {
  std::int64_t rank = 0;
  std::string group;
  std::string place;  ///< stepOf() the first time; empty where there are no steps
  std::int64_t times = 0, collectives = 0;
  double typical_ms = 0, lost_s = 0, all_lost_s = 0;
};
std::string othersWaitNowAndThen(std::int64_t rank, const std::string& group);
std::string waitedNowAndThen(const NowAndThen& waited);

/// What fixing gains.
struct Gain {
  double all_s = 0, of_s = 0, share = 0;
  std::vector<double> alone_s;  ///< of each rank
};
std::string fixingSaves(const Ranks& ranks, const Gain& gain);
/// `chance` is the probability that no rank is slow.
std::string waitedInTotal(double lost_s, const Ranks& ranks, double chance);

/// What to do.
std::string checkNode();
std::string lookForWhatTheyShare();
std::string compareLanes();
std::string lookBetween();
std::string checkLoading();
std::string checkComputing();
std::string checkSlowSamples();

// --- lateness that wanders, and pauses
/// All ranks wait for batches; medians over the ranks, validation included.
struct Starved {
  std::int64_t ranks = 0;
  double load_s = 0, measured_s = 0;
};
VerdictWords waitForData(const Starved& starved);

/// Ranks wait in sends, receives and other operations of which it is not told who is late.
struct InMessages {
  double waited_s = 0, share = 0;
  std::int64_t most = 0;
  double most_s = 0;
  std::int64_t least = 0;
  double least_s = 0;
};
VerdictWords waitInMessages(const InMessages& messages);

struct Turns {
  std::int64_t collectives = 0;
  double spread_ms = 0, share = 0, most_last = 0, best_alone_s = 0, lost_s = 0;
};
VerdictWords takeTurns(const std::string& group, const Turns& turns);
/// The others waited for a rank that had not begun its first step.
VerdictWords startedLate(std::int64_t rank, double after_s, double for_s, double lost_s);
/// `place` is stepOf(), or empty where there are no steps.
VerdictWords paused(std::int64_t rank, const std::string& place, double after_s, double for_s, bool by_signal,
                    bool went_on, double lost_s);
/// One of several pauses: `place` is inStep(), or afterStart() where there are no steps.
struct OnePause {
  std::string place;
  double for_s = 0;
};
VerdictWords pausedOften(std::int64_t rank, const std::vector<OnePause>& pauses, double for_s, double lost_s);
VerdictWords wasStopped(std::int64_t rank, double after_s, double for_s, bool is_resumed);
VerdictWords lateStart(double for_s);
VerdictWords stoodStill(double after_s, double for_s, bool went_on);

}  // namespace shardlens::words
