// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/diagnose/verdict_words.h"

#include <csignal>

namespace shardlens::words {
namespace {

std::string console() {
  return worded("verdicts", "Read what it printed: the recording keeps it.");
}

/// What a rank that says nothing at its end did after its last word is not known.
std::string howItEnded(const Ending& ending, const std::string& doing) {
  const std::string code = std::to_string(ending.exit_code);
  if (ending.signal != 0) {
    const std::string signal = signalName(ending.signal);
    return ending.after_bye
               ? filled(worded("verdicts", "was ended by %1 %2, after it had reported its end"), signal, doing)
               : filled(worded("verdicts", "was ended by %1; it was last seen %2"), signal, doing);
  }
  if (ending.after_bye) {
    return ending.exit_code != 0
               ? filled(worded("verdicts", "ended with code %1 %2, after it had reported its end"), code, doing)
               : filled(worded("verdicts", "ended %1, after it had reported its end"), doing);
  }
  return ending.exit_code != 0
             ? filled(worded("verdicts", "ended with code %1 without reporting its end; it was last seen %2"), code,
                      doing)
             : filled(worded("verdicts", "ended without reporting its end; it was last seen %1"), doing);
}

}  // namespace

VerdictWords rankDied(const RankState& rank, const Ending& ending, const std::string& doing, const Ranks& others,
                      double into_the_run_s, bool was_stuck) {
  const std::string name = capitalRanks({rank.rank});
  const bool was_asked = ending.signal == SIGTERM || ending.signal == SIGINT;
  // Which of them went first is not always known.
  const std::string too =
      others.empty() ? std::string() : filled(worded("verdicts", " %1 ended as well."), capitalRanks(others));
  return {
      filled(worded("verdicts", "%1 died"), name),
      filled(worded("verdicts", "%1 (pid %2) %3."), name, std::to_string(rank.pid), howItEnded(ending, doing)) + too,
      filled(worded("verdicts", "its process disappeared %1 into the run"), duration(into_the_run_s)),
      filled(was_stuck || was_asked ? worded("verdicts", "Look at the last lines of %1.")
                                    : worded("verdicts",
                                             "Look at the last lines of %1; the kernel's log says whether it "
                                             "ran out of memory."),
             listedRanks({rank.rank}))};
}

VerdictWords rankFailed(std::int64_t rank, const Ending& ending, const std::string& failure) {
  const std::string name = capitalRanks({rank});
  const std::string how =
      ending.signal != 0 ? filled(worded("verdicts", "%1 was ended by %2."), name, signalName(ending.signal))
                         : filled(worded("verdicts", "%1 ended with code %2."), name, std::to_string(ending.exit_code));
  return {filled(worded("verdicts", "%1 failed"), name), failure.empty() ? how : failure,
          worded("verdicts", "the exit of its process"), console()};
}

VerdictWords ranOutBefore(const RankTracker& first, const Ranks& out, bool all_gone, const RankState& rank) {
  const std::string who = capitalRanks(out);
  const std::string steps = wordedCount(first.steps_in_epoch, "step");
  const std::string epoch = std::to_string(first.epoch_of_steps);
  return {filled(worded("verdicts", "%1 ran out of batches"), who),
          filled(all_gone ? worded("verdicts",
                                   "%1 had no batch left after %2 of epoch %3, and ended. %4 had more, and gave up.")
                          : worded("verdicts", "%1 had no batch left after %2 of epoch %3. %4 had more, and gave up."),
                 who, steps, epoch, capitalRanks({rank.rank})),
          all_gone ? worded("verdicts", "the order in which the ranks ended")
                   : worded("verdicts", "the steps that the ranks did"),
          sameNumber()};
}

VerdictWords endedBefore(const Ranks& ended, const std::string& doing, std::int64_t rank) {
  const std::string who = capitalRanks(ended);
  return {filled(worded("verdicts", "%1 ended before the others"), who),
          filled(worded("verdicts", "%1 ended without an error %2. Others went on, and %3 gave up."), who, doing,
                 listedRanks({rank})),
          worded("verdicts", "the order in which the ranks ended"),
          worded("verdicts",
                 "Look in the program for what ends a rank early, such as sys.exit(0) or a return: all ranks must come "
                 "to the same operations.")};
}

VerdictWords rankGaveUp(std::int64_t rank, int exit_code, const std::string& doing) {
  const std::string name = capitalRanks({rank});
  return {filled(worded("verdicts", "%1 gave up"), name),
          filled(worded("verdicts", "%1 ended itself with code %2 %3."), name, std::to_string(exit_code), doing),
          worded("verdicts", "its last record"), worded("verdicts", "Its last lines say why.")};
}

VerdictWords jobFailed(const std::string& failure) {
  return {worded("verdicts", "The job failed"), failure, worded("verdicts", "the exit code"), console()};
}

VerdictWords jobNotStarted(const std::string& failure) {
  return {worded("verdicts", "The job did not start"), failure, {}, {}};
}

}  // namespace shardlens::words
