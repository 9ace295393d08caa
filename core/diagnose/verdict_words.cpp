// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/verdict_words.h"

#include "core/base/phrase.h"
#include "core/base/process.h"
#include "core/base/text.h"

#include <array>
#include <cstdio>

namespace shardlens::words {
namespace {

std::string ofGroup(const std::string& group) {
  return group.empty() ? group : filled(worded("verdicts", " of %1"), group);
}

std::string console() {
  return worded("verdicts", "The console has everything that was printed.");
}

std::string noWayOn() {
  return worded("verdicts", " The job cannot continue by itself.");
}

std::string sameNumber() {
  return worded("verdicts",
                "Give every rank the same number of batches: `shardlens audit` names who gets fewer, and why.");
}

std::string noRecord(const std::string& time) {
  return filled(worded("verdicts", "no record of any rank for %1"), time);
}

std::string howItEnded(const Ending& ending, const std::string& doing) {
  const std::string code = std::to_string(ending.exit_code);
  if (ending.signal != 0) {
    const std::string signal = signalName(ending.signal);
    return ending.after_bye
               ? filled(worded("verdicts", "was ended by %1 %2, after it had reported its end"), signal, doing)
               : filled(worded("verdicts", "was ended by %1 %2"), signal, doing);
  }
  if (ending.after_bye) {
    return ending.exit_code != 0
               ? filled(worded("verdicts", "ended with code %1 %2, after it had reported its end"), code, doing)
               : filled(worded("verdicts", "ended %1, after it had reported its end"), doing);
  }
  return ending.exit_code != 0
             ? filled(worded("verdicts", "ended with code %1 %2 without reporting its end"), code, doing)
             : filled(worded("verdicts", "ended %1 without reporting its end"), doing);
}

/// " ranks 0 and 2 wait for it in all_reduce."
std::string waitsFor(const std::string& who, const Ranks& waiting, const Ranks& culprits,
                     const std::string& operation) {
  if (culprits.size() == 1) {
    return waiting.size() == 1 ? filled(worded("verdicts", " %1 waits for it in %2."), who, operation)
                               : filled(worded("verdicts", " %1 wait for it in %2."), who, operation);
  }
  return waiting.size() == 1 ? filled(worded("verdicts", " %1 waits for them in %2."), who, operation)
                             : filled(worded("verdicts", " %1 wait for them in %2."), who, operation);
}

}  // namespace

std::string number(double value, const char* format) {
  std::array<char, 64> text{};
  (void)std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

std::string milliseconds(double ms) {
  return ms >= 1000 ? number(ms / 1000) + " s" : number(ms) + " ms";
}

std::string seconds(double seconds) {
  return number(seconds) + " s";
}

std::string ranks(const Ranks& ranks) {
  return ranks.size() == 1 ? filled(worded("verdicts", "rank %1"), listed(ranks))
                           : filled(worded("verdicts", "ranks %1"), listed(ranks));
}

std::string capitalRanks(const Ranks& ranks) {
  return ranks.size() == 1 ? filled(worded("verdicts", "Rank %1"), listed(ranks))
                           : filled(worded("verdicts", "Ranks %1"), listed(ranks));
}

std::string where(const RankState& rank) {
  return filled(worded("verdicts", "step %1 of epoch %2"), std::to_string(rank.step), std::to_string(rank.epoch));
}

std::string doing(const Evidence& evidence, std::int64_t rank) {
  const RankState& state = evidence.rank(rank);
  if (state.operation) {
    const std::string name = operationText(*state.operation) + " #" + std::to_string(state.operation->seq);
    return filled(worded("verdicts", "in %1"), name + ofGroup(state.group));
  }
  const RankTracker& tracker = evidence.tracker(rank);
  const bool has_worked = tracker.load_ms.size() > 0 || tracker.compute_ms.size() > 0;
  return has_worked ? filled(worded("verdicts", "in %1"), where(state)) : worded("verdicts", "before its first step");
}

std::string crowding(const RunState& state) {
  if (!state.oversubscribed()) return {};
  return filled(worded("verdicts", " %1 share %2, so waits include CPU scheduling."),
                wordedCount(state.world_size, "rank"), wordedCount(state.cores, "core"));
}

std::string collectiveName(const Evidence& evidence, const Collective& collective) {
  return std::string(operationName(collective.key.op)) + " #" + std::to_string(collective.key.seq) +
         ofGroup(evidence.groups.text(collective.key.group));
}

VerdictWords rankDied(const RankState& rank, const Ending& ending, const std::string& doing, const Ranks& others,
                      double into_the_run_s) {
  const std::string name = capitalRanks({rank.rank});
  const std::string too = others.empty() ? std::string()
                          : others.size() == 1
                              ? filled(worded("verdicts", " %1 was then stopped as well."), capitalRanks(others))
                              : filled(worded("verdicts", " %1 were then stopped as well."), capitalRanks(others));
  return {
      filled(worded("verdicts", "%1 died"), name),
      filled(worded("verdicts", "%1 (pid %2) %3."), name, std::to_string(rank.pid), howItEnded(ending, doing)) + too,
      filled(worded("verdicts", "its process disappeared %1 into the run"), seconds(into_the_run_s)),
      filled(worded("verdicts", "Look at the last lines of %1; the kernel's log says whether it ran out of memory."),
             ranks({rank.rank}))};
}

VerdictWords rankFailed(std::int64_t rank, const Ending& ending, const std::string& failure) {
  const std::string name = capitalRanks({rank});
  const std::string how =
      ending.signal != 0 ? filled(worded("verdicts", "%1 was ended by %2."), name, signalName(ending.signal))
                         : filled(worded("verdicts", "%1 ended with code %2."), name, std::to_string(ending.exit_code));
  return {filled(worded("verdicts", "%1 failed"), name), failure.empty() ? how : failure,
          worded("verdicts", "the exit of its process"), console()};
}

VerdictWords rankGaveUp(std::int64_t rank, int exit_code, const std::string& doing) {
  const std::string name = capitalRanks({rank});
  return {filled(worded("verdicts", "%1 gave up"), name),
          filled(worded("verdicts", "%1 ended itself with code %2 %3."), name, std::to_string(exit_code), doing),
          worded("verdicts", "its last record"), worded("verdicts", "Its last lines say why.")};
}

VerdictWords jobFailed(const std::string& failure) {
  return {worded("verdicts", "The job failed"), failure, worded("verdicts", "the launcher's exit code"), console()};
}

VerdictWords jobNotStarted(const std::string& failure) {
  return {worded("verdicts", "The job did not start"), failure, {}, {}};
}

VerdictWords ranOut(const RankTracker& first, const Ranks& out, const Ranks& waiting, const std::string& operation,
                    const std::string& both) {
  return {filled(worded("verdicts", "%1 ran out of batches"), capitalRanks(out)),
          filled(worded("verdicts", "%1 ran out at step %2 of epoch %3:"), capitalRanks(out),
                 std::to_string(first.steps_in_epoch), std::to_string(first.state.epoch)) +
              waitsFor(ranks(waiting), waiting, out, operation) + noWayOn(),
          both, sameNumber()};
}

VerdictWords differentCollectives(const std::string& group, const RanksIn& one, const RanksIn& other,
                                  const std::string& both) {
  const std::string place = group.empty() ? worded("verdicts", "the job") : group;
  const std::string who = ranks(one.ranks);
  const std::string others = ranks(other.ranks);
  const std::string differs = one.ranks.size() == 1
                                  ? filled(worded("verdicts", "At the same point of %1, %2 is in %3 and %4 in %5."),
                                           place, who, one.operation, others, other.operation)
                                  : filled(worded("verdicts", "At the same point of %1, %2 are in %3 and %4 in %5."),
                                           place, who, one.operation, others, other.operation);
  return {worded("verdicts", "Ranks are in different collectives"), differs + noWayOn(), both, sameNumber()};
}

VerdictWords otherThanPlanned(std::int64_t batches, const Ranks& ranks, const FirstOther& first) {
  const std::string place = filled(worded("verdicts", "step %1 of epoch %2 of rank %3"), std::to_string(first.step),
                                   std::to_string(first.epoch), std::to_string(first.rank));
  return {worded("verdicts", "The job does not follow the plan"),
          batches == 1 ? filled(worded("verdicts", "1 batch of %1 does not match the plan; the first is %2."),
                                words::ranks(ranks), place)
                       : filled(worded("verdicts", "%1 batches of %2 do not match the plan; the first is %3."),
                                grouped(batches), words::ranks(ranks), place),
          worded("verdicts", "fingerprints of the batches' sample ids"),
          worded("verdicts", "`shardlens verify SPEC RUNFILE` lists what differs.")};
}

VerdictWords circle(const Ranks& ranks, const std::vector<std::string>& parts, bool more, const std::string& time) {
  const std::string who = capitalRanks(ranks);
  const std::string how = join(parts, ", ");
  return {worded("verdicts", "Ranks wait for each other"),
          (more ? filled(worded("verdicts", "%1 wait for each other: %2, and so on."), who, how)
                : filled(worded("verdicts", "%1 wait for each other: %2."), who, how)) +
              noWayOn(),
          noRecord(time), worded("verdicts", "Make all ranks call the operations of their groups in the same order.")};
}

VerdictWords doneWhileOthersWait(const Ranks& done, const std::string& waiting, const std::string& time) {
  const std::string are_done = done.size() == 1 ? filled(worded("verdicts", "%1 is done"), capitalRanks(done))
                                                : filled(worded("verdicts", "%1 are done"), capitalRanks(done));
  return {filled(worded("verdicts", "%1 while others wait"), are_done),
          filled(worded("verdicts", "%1."), are_done) + waiting + noWayOn(), noRecord(time), sameNumber()};
}

std::string waitFor(const Ranks& waiting, const Ranks& culprits, const std::optional<std::string>& operation) {
  return waitsFor(capitalRanks(waiting), waiting, culprits,
                  operation ? *operation : worded("verdicts", "different operations"));
}

VerdictWords stopped(const RankState& rank, const std::string& doing, const std::string& waiting, double for_s) {
  const std::string name = capitalRanks({rank.rank});
  const std::string pid = std::to_string(rank.pid);
  return {filled(worded("verdicts", "%1 is stopped"), name),
          filled(worded("verdicts", "%1 (pid %2) has been stopped by a signal for %3, %4."), name, pid, seconds(for_s),
                 doing) +
              waiting,
          worded("verdicts", "process state T"), filled(worded("verdicts", "kill -CONT %1 resumes it."), pid)};
}

VerdictWords noProgress(const Ranks& culprits, const RankState& first, const std::string& waiting,
                        const std::string& time) {
  const std::string name = capitalRanks(culprits);
  const bool one = culprits.size() == 1;
  const std::string status = statusText(first);
  return {one ? filled(worded("verdicts", "%1 makes no progress"), name)
              : filled(worded("verdicts", "%1 make no progress"), name),
          (one ? filled(worded("verdicts", "%1 has been %2 in %3 for %4."), name, status, where(first), time)
               : filled(worded("verdicts", "%1 have been %2 in %3 for %4."), name, status, where(first), time)) +
              waiting,
          noRecord(time),
          filled(worded("verdicts", "See where it hangs: gdb -p %1 -batch -ex bt"), std::to_string(first.pid))};
}

VerdictWords stuckInside(const Operation& operation, const std::string& name, const std::string& time) {
  return {filled(worded("verdicts", "No rank makes progress inside %1"), name),
          filled(worded("verdicts", "All ranks have been inside %1 for %2."),
                 name + " #" + std::to_string(operation.seq), time),
          worded("verdicts", "all ranks have entered, none has left"),
          worded("verdicts", "The network or the MPI library is stuck; no rank is late.")};
}

VerdictWords neverReported(const std::string& time) {
  return {
      worded("verdicts", "No rank has reported yet"),
      filled(
          worded("verdicts",
                 "The job was launched %1 ago, and no rank has reported yet: all hang before their first step, or are "
                 "still loading."),
          time),
      noRecord(time),
      worded("verdicts",
             "See where a rank hangs: gdb -p PID -batch -ex bt. MPI_Init waits for every rank and for the network.")};
}

VerdictWords recordingWithoutEnd(const std::string& lost) {
  return {worded("verdicts", "The recording has no end"),
          filled(worded("verdicts",
                        "%1 The recorder was killed or could not write, or the file was cut; whether and how the job "
                        "continued is not known."),
                 lost),
          {},
          worded("verdicts", "What was recorded until then is shown.")};
}

VerdictWords recordsNotKept(std::int64_t records) {
  return {
      worded("verdicts", "Records were lost"),
      records == 1
          ? worded("verdicts",
                   "1 record was counted, not kept: the rings were full, or the recorder's disk was too slow.")
          : filled(
                worded("verdicts",
                       "%1 records were counted, not kept: the rings were full, or the recorder's disk was too slow."),
                grouped(records)),
      worded("verdicts", "rank table, column dropped"),
      worded("verdicts", "Waits and matches are incomplete where records are missing.")};
}

VerdictWords recordsMissing(const Ranks& ranks, Missing how) {
  const std::string why = how == Missing::Damaged ? worded("verdicts", "Parts of the recording are damaged.")
                          : how == Missing::Cut
                              ? worded("verdicts", "What ranks did last is not in the recording.")
                              : worded("verdicts", "Numbers of operations are left out, so records are missing.");
  const std::string evidence = how == Missing::Damaged ? worded("verdicts", "damaged bytes in the recording")
                               : how == Missing::Cut
                                   ? worded("verdicts", "what ranks say they are in is ahead of their records")
                                   : worded("verdicts", "numbers of operations that were left out");
  return {worded("verdicts", "Records are missing"),
          filled(worded("verdicts",
                        "%1 Counts and times of %2 are at least what is shown, and shares of time are of what was "
                        "recorded."),
                 why, words::ranks(ranks)),
          evidence, worded("verdicts", "`shardlens verify SPEC RUN` tells which batches were recorded.")};
}

VerdictWords groupsUnknown(std::int64_t groups) {
  return {
      worded("verdicts", "Some members of groups are unknown"),
      filled(worded("verdicts",
                    "Ranks take part in %1 whose members no record lists, or about whose members records disagree."),
             wordedCount(groups, "group")),
      worded("verdicts", "groups without members"),
      worded("verdicts", "Operations in these groups are shown, but not matched or judged.")};
}

VerdictWords clocksUnknown() {
  return {worded("verdicts", "Clocks cannot be compared"),
          worded("verdicts", "The offset between the clocks of the hosts is not known."),
          worded("verdicts", "clock_error_us is null"),
          worded("verdicts", "Waits between ranks of different hosts are not measured.")};
}

}  // namespace shardlens::words
