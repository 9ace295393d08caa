// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/verdict_words.h"

#include "core/base/process.h"
#include "core/base/text.h"

#include <array>
#include <cstdio>

namespace shardlens::words {
namespace {

std::string listed(const Ranks& ranks, const char* one, const char* more) {
  return (ranks.size() == 1 ? one : more) + shardlens::ranges(ranks);
}

std::string ofGroup(const std::string& group) {
  return group.empty() ? group : " of " + group;
}

const char* const kConsole = "The console has everything that was printed.";
const char* const kNoWayOn = " The job cannot continue by itself.";
const char* const kSameNumber =
    "Give every rank the same number of batches: `shardlens audit` names who gets fewer, and why.";

std::string noRecord(const std::string& time) {
  return "no record of any rank for " + time;
}

std::string howItEnded(const Ending& ending) {
  const std::string when = ending.after_bye ? " after it had reported its end" : "";
  if (ending.signal != 0) return "was ended by " + signalName(ending.signal) + when;
  const std::string with = ending.exit_code != 0 ? " with code " + std::to_string(ending.exit_code) : std::string();
  return "ended" + with + (when.empty() ? " without reporting its end" : when);
}

/// " ranks 0, 2 wait for it in all_reduce."
std::string waitsFor(const std::string& who, const Ranks& waiting, const Ranks& culprits,
                     const std::string& operation) {
  return " " + who + (waiting.size() == 1 ? " waits" : " wait") + " for " + (culprits.size() == 1 ? "it" : "them") +
         " in " + operation + ".";
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
  return listed(ranks, "rank ", "ranks ");
}

std::string capitalRanks(const Ranks& ranks) {
  return listed(ranks, "Rank ", "Ranks ");
}

std::string agreed(const Ranks& ranks, const char* one, const char* more) {
  return ranks.size() == 1 ? one : more;
}

std::string where(const RankState& rank) {
  return "step " + std::to_string(rank.step) + " of epoch " + std::to_string(rank.epoch);
}

std::string doing(const Evidence& evidence, std::int64_t rank) {
  const RankState& state = evidence.rank(rank);
  if (state.operation) {
    return "in " + operationText(*state.operation) + " #" + std::to_string(state.operation->seq) + ofGroup(state.group);
  }
  const RankTracker& tracker = evidence.tracker(rank);
  const bool has_worked = tracker.load_ms.size() > 0 || tracker.compute_ms.size() > 0;
  return has_worked ? "in " + where(state) : "before its first step";
}

std::string crowding(const RunState& state) {
  if (!state.oversubscribed()) return {};
  return " " + counted(state.world_size, "rank") + " share " + counted(state.cores, "core") +
         ", so waits include CPU scheduling.";
}

std::string collectiveName(const Evidence& evidence, const Collective& collective) {
  return std::string(operationName(collective.key.op)) + " #" + std::to_string(collective.key.seq) +
         ofGroup(evidence.groups.text(collective.key.group));
}

VerdictWords rankDied(const RankState& rank, const Ending& ending, const std::string& doing, const Ranks& others,
                      double seconds_ago) {
  const std::string name = capitalRanks({rank.rank});
  const std::string too = others.empty()
                              ? std::string()
                              : " " + capitalRanks(others) + agreed(others, " was", " were") + " then ended, too.";
  return {name + " died",
          name + " (pid " + std::to_string(rank.pid) + ") " + howItEnded(ending) + " " + doing + "." + too,
          "the process was gone " + seconds(seconds_ago) + " before this moment",
          "Look at the last lines of " + ranks({rank.rank}) + "; the kernel's log says whether it ran out of memory."};
}

VerdictWords rankFailed(std::int64_t rank, const Ending& ending, const std::string& failure) {
  const std::string name = capitalRanks({rank});
  const std::string how = ending.signal != 0 ? " was ended by " + signalName(ending.signal)
                                             : " ended with code " + std::to_string(ending.exit_code);
  return {name + " failed", failure.empty() ? name + how + "." : failure, "the exit of its process", kConsole};
}

VerdictWords rankGaveUp(std::int64_t rank, int exit_code, const std::string& doing) {
  const std::string name = capitalRanks({rank});
  return {name + " gave up", name + " ended itself with code " + std::to_string(exit_code) + " " + doing + ".",
          "its last record", "Its last lines say why."};
}

VerdictWords jobFailed(const std::string& failure) {
  return {"The job failed", failure, "the launcher's exit code", kConsole};
}

VerdictWords jobNotStarted(const std::string& failure) {
  return {"The job did not start", failure, {}, {}};
}

VerdictWords ranOut(const RankTracker& first, const Ranks& out, const Ranks& waiting, const std::string& operation,
                    const std::string& both) {
  return {capitalRanks(out) + " ran out of batches",
          capitalRanks(out) + " ran out at step " + std::to_string(first.steps_in_epoch) + " of epoch " +
              std::to_string(first.state.epoch) + ":" + waitsFor(ranks(waiting), waiting, out, operation) + kNoWayOn,
          both, kSameNumber};
}

VerdictWords differentCollectives(const std::string& group, const RanksIn& one, const RanksIn& other,
                                  const std::string& both) {
  return {"Ranks are in different collectives",
          "At the same point of " + (group.empty() ? "the job" : group) + ", " + ranks(one.ranks) +
              agreed(one.ranks, " is", " are") + " in " + one.operation + " and " + ranks(other.ranks) + " in " +
              other.operation + "." + kNoWayOn,
          both, kSameNumber};
}

VerdictWords otherThanPlanned(std::int64_t batches, const Ranks& ranks, const FirstOther& first) {
  return {"The job does not follow the plan",
          grouped(batches) + (batches == 1 ? " batch" : " batches") + " of " + words::ranks(ranks) +
              (batches == 1 ? " does not match the plan" : " do not match the plan") + "; the first is step " +
              std::to_string(first.step) + " of epoch " + std::to_string(first.epoch) + " of rank " +
              std::to_string(first.rank) + ".",
          "fingerprints of the batches' sample ids", "`shardlens verify SPEC RUNFILE` lists what differs."};
}

VerdictWords circle(const Ranks& ranks, const std::vector<std::string>& parts, bool more, const std::string& time) {
  return {"Ranks wait for each other",
          capitalRanks(ranks) + " wait for each other: " + join(parts, ", ") + (more ? ", and so on." : ".") + kNoWayOn,
          noRecord(time), "Make all ranks call the operations of their groups in the same order."};
}

VerdictWords doneWhileOthersWait(const Ranks& done, const std::string& waiting, const std::string& time) {
  const std::string are_done = capitalRanks(done) + agreed(done, " is", " are") + " done";
  return {are_done + " while others wait", are_done + "." + waiting + kNoWayOn, noRecord(time), kSameNumber};
}

std::string waitFor(const Ranks& waiting, const Ranks& culprits, const std::optional<std::string>& operation) {
  return waitsFor(capitalRanks(waiting), waiting, culprits, operation.value_or("different operations"));
}

VerdictWords stopped(const RankState& rank, const std::string& doing, const std::string& waiting, double for_s) {
  const std::string name = capitalRanks({rank.rank});
  return {name + " is stopped",
          name + " (pid " + std::to_string(rank.pid) + ") has been stopped by a signal for " + seconds(for_s) + ", " +
              doing + "." + waiting,
          "process state T", "kill -CONT " + std::to_string(rank.pid) + " resumes it."};
}

VerdictWords noProgress(const Ranks& culprits, const RankState& first, const std::string& waiting,
                        const std::string& time) {
  const std::string name = capitalRanks(culprits);
  return {name + agreed(culprits, " makes", " make") + " no progress",
          name + agreed(culprits, " has", " have") + " been " + statusText(first) + " in " + where(first) + " for " +
              time + "." + waiting,
          noRecord(time), "See where it hangs: gdb -p " + std::to_string(first.pid) + " -batch -ex bt"};
}

VerdictWords stuckInside(const Operation& operation, const std::string& name, const std::string& time) {
  return {"No rank makes progress inside " + name,
          "All ranks have been inside " + name + " #" + std::to_string(operation.seq) + " for " + time + ".",
          "all ranks have entered, none has left", "The network or the MPI library is stuck; no rank is late."};
}

VerdictWords neverReported(const std::string& time) {
  return {"No rank has reported yet",
          "The job was launched " + time +
              " ago, and no rank has reported yet: all hang before their first step, or are still loading.",
          noRecord(time),
          "See where a rank hangs: gdb -p PID -batch -ex bt. MPI_Init waits for every rank and for the network."};
}

VerdictWords recordingWithoutEnd(const std::string& lost) {
  return {"The recording has no end",
          lost + " The recorder was killed or could not write; what happened after is unknown.",
          {},
          "What was recorded until then is shown."};
}

VerdictWords recordsNotKept(std::int64_t records) {
  return {"Records were lost",
          counted(records, "record") + (records == 1 ? " was" : " were") +
              " counted, not kept: the rings were full, or the recorder's disk was too slow.",
          "rank table, column dropped", "Waits and matches are incomplete where records are missing."};
}

VerdictWords groupsUnknown(std::int64_t groups) {
  return {"Some members of groups are unknown",
          "Ranks take part in " + counted(groups, "group") +
              " whose members no record lists, or about whose members records disagree.",
          "groups without members", "Operations in these groups are shown, but not matched or judged."};
}

VerdictWords clocksUnknown() {
  return {"Clocks cannot be compared", "The offset between the clocks of the hosts is not known.",
          "clock_error_us is null", "Waits between ranks of different hosts are not measured."};
}

}  // namespace shardlens::words
