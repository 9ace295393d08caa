// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/verdict_words.h"

#include "core/base/phrase.h"
#include "core/base/process.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>

namespace shardlens {

Verdict verdictOf(VerdictKind kind, std::int64_t rank, words::VerdictWords words, double weight) {
  Verdict verdict{
      kind,  rank, std::move(words.title), std::move(words.message), std::move(words.evidence), std::move(words.next),
      weight};
  verdict.next_when_over = std::move(words.next_when_over);
  return verdict;
}

Verdict verdictOf(VerdictKind kind, const Ranks& ranks, words::VerdictWords words, double weight) {
  Verdict verdict = verdictOf(kind, ranks.empty() ? -1 : ranks.front(), std::move(words), weight);
  verdict.ranks = ranks;
  return verdict;
}

}  // namespace shardlens

namespace shardlens::words {
namespace {

std::string ofGroup(const std::string& group) {
  return group.empty() ? group : filled(worded("verdicts", " of %1"), group);
}

std::string noWayOn() {
  return worded("verdicts", " The job cannot continue by itself.");
}

std::string noRecord(const std::string& time) {
  return filled(worded("verdicts", "no record of any rank for %1"), time);
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

std::string duration(double seconds, int figures) {
  return durationText(std::llround(seconds * 1e9), figures);
}

std::string where(const RankState& rank) {
  return filled(worded("verdicts", "step %1 of epoch %2"), std::to_string(rank.step), std::to_string(rank.epoch));
}

std::string amongSteps(const Evidence& evidence, std::int64_t rank) {
  const RankTracker& tracker = evidence.tracker(rank);
  if (tracker.ran_out || (tracker.is_between_steps && !tracker.state.has_gaps))
    return filled(worded("verdicts", "after %1 of epoch %2"), wordedCount(tracker.steps_in_epoch, "step"),
                  std::to_string(tracker.epoch_of_steps));
  const bool has_worked = tracker.load_ms.size() > 0 || tracker.compute_ms.size() > 0;
  return has_worked ? filled(worded("verdicts", "in %1"), where(evidence.rank(rank)))
                    : worded("verdicts", "before its first step");
}

std::string doing(const Evidence& evidence, std::int64_t rank) {
  const RankState& state = evidence.rank(rank);
  if (state.operation) {
    const std::string name = operationText(*state.operation) + " #" + std::to_string(state.operation->seq);
    return filled(worded("verdicts", "in %1"), name + ofGroup(state.group));
  }
  if (evidence.state.hasSteps()) return amongSteps(evidence, rank);
  const bool is_loading = evidence.tracker(rank).isLoading() && !state.has_gaps;
  return is_loading ? worded("verdicts", "while loading")
                    : worded("verdicts", "outside any operation that ShardLens sees");
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

std::string countedApart(const std::string& one, const std::string& other) {
  return filled(worded("verdicts", "%1 and %2 (each operation has its own count, from 0)"), one, other);
}

VerdictWords ranOut(const RankTracker& first, const Ranks& out, const Ranks& waiting, const std::string& operation,
                    const std::string& both) {
  return {filled(worded("verdicts", "%1 ran out of batches"), capitalRanks(out)),
          filled(worded("verdicts", "%1 ran out at step %2 of epoch %3:"), capitalRanks(out),
                 std::to_string(first.steps_in_epoch), std::to_string(first.epoch_of_steps)) +
              waitsFor(listedRanks(waiting), waiting, out, operation) + noWayOn(),
          both, sameNumber()};
}

VerdictWords differentCollectives(const std::string& group, const RanksIn& one, const RanksIn& other,
                                  const std::string& both) {
  const std::string place = group.empty() ? worded("verdicts", "the job") : group;
  const std::string who = listedRanks(one.ranks);
  const std::string others = listedRanks(other.ranks);
  const std::string differs = one.ranks.size() == 1
                                  ? filled(worded("verdicts", "At the same point of %1, %2 is in %3 and %4 in %5."),
                                           place, who, one.operation, others, other.operation)
                                  : filled(worded("verdicts", "At the same point of %1, %2 are in %3 and %4 in %5."),
                                           place, who, one.operation, others, other.operation);
  return {worded("verdicts", "Ranks are in different collectives"), differs + noWayOn(), both, sameNumber()};
}

VerdictWords differentOrders(const RanksIn& one, const RanksIn& other, const Ranks& absent,
                             const std::string& left_out) {
  std::string message = filled(worded("verdicts", "%1 reached %2 first, %3 reached %4."), capitalRanks(one.ranks),
                               one.operation, listedRanks(other.ranks), other.operation);
  if (absent.size() == 1)
    message += filled(worded("verdicts", " %1 has not reached %2."), capitalRanks(absent), left_out);
  if (absent.size() > 1)
    message += filled(worded("verdicts", " %1 have not reached %2."), capitalRanks(absent), left_out);
  return {worded("verdicts", "Ranks call their collectives in different orders"), message,
          countedApart(one.operation, other.operation), sameNumber()};
}

VerdictWords otherThanPlanned(std::int64_t batches, const Ranks& ranks, const FirstOther& first) {
  const std::string place = filled(worded("verdicts", "step %1 of epoch %2 of rank %3"), std::to_string(first.step),
                                   std::to_string(first.epoch), std::to_string(first.rank));
  return {worded("verdicts", "The job does not follow the plan"),
          batches == 1 ? filled(worded("verdicts", "1 batch of %1 does not match the plan; the first is %2."),
                                listedRanks(ranks), place)
                       : filled(worded("verdicts", "%1 batches of %2 do not match the plan; the first is %3."),
                                grouped(batches), listedRanks(ranks), place),
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
          noRecord(time), sameOrder()};
}

std::string sameNumber() {
  return worded("verdicts",
                "Give every rank the same number of batches and of collectives; `shardlens audit` names the ranks that "
                "get fewer batches. A rank that skips a backward pass or makes an extra one has the same effect.");
}

std::string sameOrder() {
  return worded("verdicts", "Make all ranks call the operations of their groups in the same order.");
}

VerdictWords finalizedWhileOthersWait(const Ranks& done, const std::string& waiting, const std::string& time) {
  const std::string name = capitalRanks(done);
  const std::string entered = filled(
      worded("verdicts", "%1 reached MPI_Finalize or the end of the program, perhaps after an exception."), name);
  return {filled(worded("verdicts", "%1 reached the end while others wait"), name), entered + waiting + noWayOn(),
          noRecord(time),
          worded("verdicts",
                 "Look in the output for an exception of that rank. If there is none, make all ranks call the "
                 "operations of their groups in the same order.")};
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
          filled(worded("verdicts", "%1 (pid %2) has been stopped by a signal for %3, %4."), name, pid, duration(for_s),
                 doing) +
              waiting,
          worded("verdicts", "process state T"), filled(worded("verdicts", "kill -CONT %1 resumes it."), pid),
          worded("verdicts", "Find out who stopped it: a debugger, a batch system, or Ctrl+Z in its terminal.")};
}

std::string stuckFor(const Ranks& culprits, const RankState& first, const std::string& place, const std::string& time) {
  const std::string name = capitalRanks(culprits);
  const std::string status = statusText(first);
  const bool one = culprits.size() == 1;
  // Whether they compute, or wait in an operation that nobody records, is not known.
  if (!place.empty() && first.status == RankStatus::Computing)
    return one ? filled(worded("verdicts", "%1 has been %2 for %3, and waits in no operation that ShardLens sees."),
                        name, place, time)
               : filled(worded("verdicts", "%1 have been %2 for %3, and wait in no operation that ShardLens sees."),
                        name, place, time);
  if (!place.empty())
    return one ? filled(worded("verdicts", "%1 has been %2 %3 for %4."), name, status, place, time)
               : filled(worded("verdicts", "%1 have been %2 %3 for %4."), name, status, place, time);
  if (first.status == RankStatus::Loading)
    return one ? filled(worded("verdicts", "%1 has been %2 for %3."), name, status, time)
               : filled(worded("verdicts", "%1 have been %2 for %3."), name, status, time);
  return one ? filled(worded("verdicts", "%1 has been outside any operation that ShardLens sees for %2."), name, time)
             : filled(worded("verdicts", "%1 have been outside any operation that ShardLens sees for %2."), name, time);
}

std::string debuggerCommand(const std::string& pid) {
  return "gdb -p " + pid + " -batch -ex bt";
}

VerdictWords noProgress(const Ranks& culprits, const RankState& first, const std::string& what,
                        const std::string& time) {
  const std::string name = capitalRanks(culprits);
  const std::string there = lookThere(first);
  return {
      culprits.size() == 1 ? filled(worded("verdicts", "%1 makes no progress"), name)
                           : filled(worded("verdicts", "%1 make no progress"), name),
      what + whereItIs(first), noRecord(time),
      there.empty() ? filled(worded("verdicts", "See where it hangs: %1"), debuggerCommand(std::to_string(first.pid)))
                    : there,
      there.empty() ? filled(worded("verdicts", "When it hangs again, see where: %1"), debuggerCommand("PID")) : ""};
}

VerdictWords unseenWait(const Ranks& ranks, const RankState& first, const std::string& function,
                        const std::string& waiting, const std::string& time) {
  const std::string name = capitalRanks(ranks);
  const std::string where =
      ranks.size() == 1
          ? filled(worded("verdicts", "%1 may itself be waiting for others, in %2, where ShardLens does not see it."),
                   name, function + "()")
          : filled(
                worded("verdicts", "%1 may themselves be waiting for others, in %2, where ShardLens does not see it."),
                name, function + "()");
  return {worded("verdicts", "No rank makes progress; which one is late is unknown"),
          where + waiting + whereItIs(first), noRecord(time),
          worded("verdicts",
                 "Compare what the ranks call: they may be in different operations, or have unequal numbers of "
                 "batches.")};
}

VerdictWords stuckInside(const Operation& operation, const std::string& name, const std::string& time) {
  return {filled(worded("verdicts", "No rank makes progress inside %1"), name),
          filled(worded("verdicts", "All ranks have been inside %1 for %2."),
                 name + " #" + std::to_string(operation.seq), time),
          worded("verdicts", "all ranks have entered, none has left"),
          worded("verdicts", "No rank is late: look at the network, the communication library and the devices.")};
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
      filled(worded("verdicts", "See where a rank hangs: %1. MPI_Init waits for every rank and for the network."),
             debuggerCommand("PID"))};
}

VerdictWords differentSizes(const std::string& collective, const std::vector<RanksGave>& sizes) {
  const auto gave = [](const RanksGave& one) {
    return filled(worded("verdicts", "%1: %2"), capitalRanks(one.ranks), wordedCount(one.bytes, "byte"));
  };
  return {filled(worded("verdicts", "Ranks give different sizes to %1"), collective),
          filled(worded("verdicts", "All ranks must give the same size to %1. %2; %3."), collective, gave(sizes[0]),
                 gave(sizes[1])),
          worded("verdicts", "the sizes in the records of this operation"),
          worded("verdicts", "Compare count and datatype of this call on these ranks.")};
}

VerdictWords ranOutToOther(const RankTracker& first, const Ranks& out, const std::string& collective,
                           const std::vector<RanksGave>& sizes) {
  VerdictWords words = differentSizes(collective, sizes);
  const std::string ran_out =
      filled(worded("verdicts", "%1 ran out at step %2 of epoch %3, so %4 is not the same call for all ranks."),
             capitalRanks(out), std::to_string(first.steps_in_epoch), std::to_string(first.epoch_of_steps), collective);
  return {filled(worded("verdicts", "%1 ran out of batches"), capitalRanks(out)), ran_out + " " + words.message,
          words.evidence, sameNumber()};
}

std::string usuallyNext(const std::string& operation) {
  return filled(worded("verdicts", " Each time before, the same operations were followed by %1."), operation);
}

std::string usualSize(std::int64_t bytes) {
  return filled(worded("verdicts", " Each time before, the size after the same operations was %1."),
                wordedCount(bytes, "byte"));
}

VerdictWords ranksStartedAgain(std::int64_t shown) {
  return {worded("verdicts", "Not all ranks of this command are shown"),
          filled(worded("verdicts",
                        "The command started ranks more than once. Only the first start is shown here, with %1."),
                 wordedCount(shown, "rank")),
          {},
          worded("verdicts",
                 "Give each start its own `shardlens run`. `shardlens capture` says what PyTorch's loaders read in "
                 "every start.")};
}

VerdictWords otherWorld(std::int64_t told, std::int64_t size) {
  return {worded("verdicts", "Not all ranks of this command are shown"),
          filled(worded("verdicts",
                        "The processes that were started are not one world of %1: the first reports a world of %2. "
                        "Only that world is shown."),
                 wordedCount(size, "rank"), wordedCount(told, "rank")),
          {},
          worded("verdicts", "Start them with the launcher that makes them one world: mpirun, srun or torchrun.")};
}

VerdictWords ranksNotSeen(const Ranks& ranks, std::int64_t world_size, bool may_come) {
  const std::string one =
      may_come ? worded("verdicts", "%1 of %2 has not reported so far, so it is not known who waits for it.")
               : worded("verdicts", "%1 of %2 has not reported, so it is not known who waits for it.");
  const std::string several =
      may_come ? worded("verdicts", "%1 of %2 have not reported so far, so it is not known who waits for them.")
               : worded("verdicts", "%1 of %2 have not reported, so it is not known who waits for them.");
  return {worded("verdicts", "Not all ranks of this command are seen"),
          filled(ranks.size() == 1 ? one : several, capitalRanks(ranks), wordedCount(world_size, "rank")),
          {},
          worded("verdicts",
                 "Ranks on other hosts and statically linked programs are not seen; a launcher may also fail to pass "
                 "on the environment.")};
}

VerdictWords recordingWithoutEnd(const std::string& lost) {
  return {worded("verdicts", "The recording has no end"),
          filled(worded("verdicts",
                        "%1 The recorder was killed or could not write, or the file was cut; it is not known whether "
                        "or how the job continued."),
                 lost),
          {},
          worded("verdicts", "The records up to that point are shown.")};
}

VerdictWords recordsNotKept(std::int64_t records) {
  return {worded("verdicts", "Records were lost"),
          records == 1 ? worded("verdicts",
                                "1 record was counted but not kept: a ring was full or cut short, the recorder's disk "
                                "was too slow, or threads of a rank got in each other's way.")
                       : filled(worded("verdicts",
                                       "%1 records were counted but not kept: a ring was full or cut short, the "
                                       "recorder's disk was too slow, or threads of a rank got in each other's way."),
                                grouped(records)),
          worded("verdicts", "rank table, column dropped"),
          worded("verdicts", "Waits and matches are incomplete where records are missing.")};
}

VerdictWords recordsMissing(const Ranks& ranks, Missing how) {
  const std::string why = how == Missing::Damaged ? worded("verdicts", "Parts of the recording are damaged.")
                          : how == Missing::Cut
                              ? worded("verdicts", "The recording lacks what ranks did last.")
                              : worded("verdicts", "The numbers of operations have gaps, so records are missing.");
  const std::string evidence =
      how == Missing::Damaged ? worded("verdicts", "damaged bytes in the recording")
      : how == Missing::Cut ? worded("verdicts", "the operations that ranks say they are in are ahead of their records")
                            : worded("verdicts", "gaps in the numbers of operations");
  return {worded("verdicts", "Records are missing"),
          filled(worded("verdicts",
                        "%1 Counts and times of %2 are lower bounds, and shares of time refer to what was recorded."),
                 why, listedRanks(ranks)),
          evidence, worded("verdicts", "`shardlens verify SPEC RUN` says which batches were recorded.")};
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

namespace {

std::string console() {
  return worded("verdicts", "Read its output: the recording keeps it.");
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
                 "Look in the program for code that ends a rank early, such as sys.exit(0) or a return: all ranks must "
                 "reach the same operations.")};
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

namespace {

/// "all_reduce #41 (started), called at step (train.py:31)"
std::string callText(const TracedCall& call) {
  std::string text = call.operation;
  if (call.state == "scheduled") text = filled(worded("verdicts", "%1 (scheduled)"), text);
  if (call.state == "started") text = filled(worded("verdicts", "%1 (started)"), text);
  if (call.state == "completed") text = filled(worded("verdicts", "%1 (completed)"), text);
  return call.code.empty() ? text : filled(worded("verdicts", "%1, called at %2"), text, call.code);
}

std::string newestEntries() {
  return worded("verdicts", "the newest operations in the traces of the ranks");
}

std::string stillRunning() {
  return worded(
      "verdicts",
      " A trace shows one moment: if the job continued after it, take another one and compare their numbers.");
}

}  // namespace

std::string standIn(const RanksAt& at) {
  return at.ranks.size() == 1 ? filled(worded("verdicts", "%1 is in %2."), capitalRanks(at.ranks), callText(at.call))
                              : filled(worded("verdicts", "%1 are in %2."), capitalRanks(at.ranks), callText(at.call));
}

std::string endsWith(const RanksAt& at) {
  return at.ranks.size() == 1
             ? filled(worded("verdicts", "The trace of %1 ends with %2."), listedRanks(at.ranks), callText(at.call))
             : filled(worded("verdicts", "The traces of %1 end with %2."), listedRanks(at.ranks), callText(at.call));
}

std::string holdsNothing(const Ranks& ranks) {
  return ranks.size() == 1 ? filled(worded("verdicts", "The trace of %1 holds no operation."), listedRanks(ranks))
                           : filled(worded("verdicts", "The traces of %1 hold no operation."), listedRanks(ranks));
}

VerdictWords didNotCome(const Ranks& culprits, const std::string& operation, const std::vector<std::string>& where,
                        bool knows_code) {
  const std::string next =
      knows_code
          ? worded("verdicts",
                   "Find out what the rank did after that call: from its own log, or with py-spy dump while it runs.")
          : worded("verdicts",
                   "See where the rank is: py-spy dump while it runs, or its log. Dumps in the form of pickles "
                   "also hold the Python stack of each call.");
  return {culprits.size() == 1
              ? filled(worded("verdicts", "%1 has not reached %2"), capitalRanks(culprits), operation)
              : filled(worded("verdicts", "%1 have not reached %2"), capitalRanks(culprits), operation),
          join(where, " "), newestEntries(), next + stillRunning()};
}

VerdictWords mayNotHaveCome(const Ranks& without, const std::string& operation, const std::vector<std::string>& where) {
  return {filled(worded("verdicts", "Every rank with a trace waits in %1"), operation),
          join(where, " ") +
              (without.size() == 1
                   ? filled(worded("verdicts", " %1 left no trace, so it is not known whether it got there."),
                            capitalRanks(without))
                   : filled(worded("verdicts", " %1 left no trace, so it is not known whether they got there."),
                            capitalRanks(without))),
          newestEntries(),
          filled(worded("verdicts",
                        "Look for the traces of %1 on their hosts, and check whether their processes still run: a rank "
                        "that died writes none."),
                 listedRanks(without))};
}

VerdictWords stuckAtEnd(const std::string& operation, const std::vector<std::string>& where) {
  return {filled(worded("verdicts", "All ranks have reached %1, and it has not completed"), operation),
          join(where, " "), worded("verdicts", "all ranks have called it, and none has completed it"),
          worded("verdicts",
                 "No rank is late: look at the network, the devices, and what the devices do before this operation. If "
                 "only some ranks have started it, look at the devices of the others.") +
              stillRunning()};
}

VerdictWords circleAtEnd(const Ranks& ranks, const std::vector<std::string>& where) {
  return {worded("verdicts", "Ranks wait for each other"),
          filled(worded("verdicts", "%1 wait for each other."), capitalRanks(ranks)) + " " + join(where, " "),
          newestEntries(), sameOrder()};
}

std::string processText(const RankState& rank) {
  if (rank.pid <= 0 || rank.host.empty()) return {};
  return filled(worded("verdicts", " (pid %1 on %2)"), std::to_string(rank.pid), rank.host);
}

VerdictWords ranksLost(const Ranks& ranks, bool are_dead, const std::string& source, const std::string& process,
                       const std::vector<std::string>& where) {
  const std::string name = capitalRanks(ranks);
  const bool one = ranks.size() == 1;
  const std::string title =
      are_dead
          ? filled(one ? worded("verdicts", "%1 is considered dead") : worded("verdicts", "%1 are considered dead"),
                   name)
          : filled(one ? worded("verdicts", "%1 does not answer") : worded("verdicts", "%1 do not answer"), name);
  const std::string message = filled(
      are_dead ? worded("verdicts", "%1 has lost %2%3 for good.") : worded("verdicts", "%1 gets no answer from %2%3."),
      source, listedRanks(ranks), process);
  return {title, join(std::vector<std::string>{message, join(where, " ")}, where.empty() ? "" : " "),
          filled(worded("verdicts", "what %1 says about its processes"), source),
          worded("verdicts",
                 "Check on its host whether the process still runs, and read its last lines; the kernel's log says "
                 "whether it ran out of memory.")};
}

VerdictWords tracesMissing(const Ranks& ranks, std::int64_t world_size) {
  const std::string world = wordedCount(world_size, "rank");
  return {worded("verdicts", "Not all ranks have a trace"),
          ranks.size() == 1 ? filled(worded("verdicts", "%1 of %2 left none, so it is not known who waits for it."),
                                     capitalRanks(ranks), world)
                            : filled(worded("verdicts", "%1 of %2 left none, so it is not known who waits for them."),
                                     capitalRanks(ranks), world),
          {},
          worded("verdicts", "Collect the traces of all hosts into one folder.")};
}

VerdictWords tracesCut(const Ranks& ranks) {
  return {
      worded("verdicts", "Some traces were not read to their end"),
      ranks.size() == 1
          ? filled(worded("verdicts", "What %1 did last is not known, so it is not blamed."), listedRanks(ranks))
          : filled(worded("verdicts", "What %1 did last is not known, so they are not blamed."), listedRanks(ranks)),
      worded("verdicts", "the note says which file, and up to which byte"),
      worded("verdicts", "Copy these files once more, or dump again.")};
}

VerdictWords traceClocksUnknown() {
  return {worded("verdicts", "Clocks cannot be compared"),
          worded("verdicts",
                 "The traces do not say how far apart the clocks of the ranks' hosts are, and no operations of all "
                 "ranks reveal it."),
          worded("verdicts", "clock_error_us is null"),
          worded("verdicts",
                 "Waits between these ranks are not measured. Which operation each rank has reached does not depend on "
                 "clocks.")};
}

}  // namespace shardlens::words

namespace shardlens {

const StackFrame* placeIn(const RankStack& stack) {
  const auto own =
      std::find_if(stack.frames.rbegin(), stack.frames.rend(), [](const StackFrame& frame) { return frame.is_own; });
  if (own != stack.frames.rend()) return &*own;
  return stack.frames.empty() ? nullptr : &stack.frames.back();
}

const RankStack* ownStack(const RankState& rank) {
  const bool is_known = rank.stacks && !rank.stacks->empty() && !rank.stacks->front().worker;
  return is_known ? &rank.stacks->front() : nullptr;
}

const RankStack* owingStack(const RankState& rank) {
  const RankStack* own = ownStack(rank);
  if (own == nullptr || !own->owed_by) return nullptr;
  const auto found = std::find_if(rank.stacks->begin(), rank.stacks->end(), [&](const RankStack& stack) {
    return stack.worker == own->owed_by && (!own->owed_by_pid || stack.pid == *own->owed_by_pid);
  });
  return found == rank.stacks->end() ? nullptr : &*found;
}

const StackFrame* unseenCommunication(const RankState& rank) {
  const RankStack* own = ownStack(rank);
  if (own == nullptr || own->frames.empty()) return nullptr;
  const StackFrame& inner = own->frames.back();
  const bool is_there = inner.file.find("/torch/distributed/") != std::string::npos ||
                        inner.file.ends_with("/torch/nn/parallel/distributed.py");
  return is_there && !inner.is_own ? &inner : nullptr;
}

namespace words {
namespace {

std::string lineOf(const std::string& file, std::int64_t line) {
  return std::filesystem::path(file).filename().string() + ":" + std::to_string(line);
}

std::string workerIsIn(const RankStack& own, const RankStack* worker) {
  const std::string number = std::to_string(*own.owed_by);
  const StackFrame* place = worker == nullptr ? nullptr : placeIn(*worker);
  if (place == nullptr)
    return filled(worded("verdicts", " Its loader worker %1 has the batch that it waits for."), number);
  if (!worker->sample)
    return filled(worded("verdicts", " Its loader worker %1, which has the batch that it waits for, is %2."), number,
                  placeText(*place));
  return filled(worded("verdicts", " Its loader worker %1, which has the batch that it waits for, reads sample %2 %3."),
                number, std::to_string(*worker->sample), placeText(*place));
}

/// " Rank 2 handles an exception (ValueError: no number), raised at train.py:41."; empty when it does not, as far as
/// is known.
std::string handles(const RankState& rank) {
  const RankStack* own = ownStack(rank);
  if (own == nullptr || !own->exception) return {};
  const HandledException& handled = *own->exception;
  const std::string name = filled(worded("verdicts", "Rank %1"), std::to_string(rank.rank));
  return handled.file.empty() ? filled(worded("verdicts", " %1 handles an exception (%2)."), name, handled.text)
                              : filled(worded("verdicts", " %1 handles an exception (%2), raised at %3."), name,
                                       handled.text, lineOf(handled.file, handled.line));
}

}  // namespace

std::string lineText(const StackFrame& frame) {
  return lineOf(frame.file, frame.line);
}

std::string placeText(const StackFrame& frame) {
  if (frame.function.empty() || frame.function.front() == '<')
    return filled(worded("verdicts", "at %1"), lineText(frame));
  return filled(worded("verdicts", "in %1() at %2"), frame.function, lineText(frame));
}

std::string whereItIs(const RankState& rank) {
  const RankStack* own = ownStack(rank);
  const StackFrame* place = own == nullptr ? nullptr : placeIn(*own);
  if (place == nullptr) return {};
  const std::string name = filled(worded("verdicts", "Rank %1"), std::to_string(rank.rank));
  const std::string here = own->sample ? filled(worded("verdicts", " %1 reads sample %2 %3."), name,
                                                std::to_string(*own->sample), placeText(*place))
                                       : filled(worded("verdicts", " %1 is %2."), name, placeText(*place));
  return (own->owed_by ? here + workerIsIn(*own, owingStack(rank)) : here) + handles(rank);
}

std::string lookThere(const RankState& rank) {
  const std::string number = std::to_string(rank.rank);
  if (const RankStack* worker = owingStack(rank); worker != nullptr && placeIn(*worker) != nullptr)
    return filled(worded("verdicts", "Look at %1, where worker %2 of rank %3 is."), lineText(*placeIn(*worker)),
                  std::to_string(*worker->worker), number);
  const RankStack* own = ownStack(rank);
  const StackFrame* place = own == nullptr ? nullptr : placeIn(*own);
  if (place == nullptr) return {};
  return filled(worded("verdicts", "Look at %1, where rank %2 is."), lineText(*place), number);
}

std::string foundAt(std::int64_t rank, const SampledLine& line) {
  return filled(worded("verdicts", "In %1 of %2 samples of its code, taken while it reported nothing, rank %3 was %4."),
                std::to_string(line.there), std::to_string(line.samples), std::to_string(rank), placeText(line.place));
}

std::string lookAt(std::int64_t rank, const SampledLine& line) {
  return filled(worded("verdicts", "Look at %1, where rank %2 was."), lineText(line.place), std::to_string(rank));
}

}  // namespace words
}  // namespace shardlens
