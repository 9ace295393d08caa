// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/verdicts.h"

#include "core/base/phrase.h"
#include "core/base/process.h"
#include "core/base/result.h"
#include "core/base/text.h"
#include "core/diagnose/verdict_words.h"

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <iterator>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace shardlens {
namespace {

/// Ranks in one operation while others are in another; `group` may be empty.
struct RanksIn {
  Ranks ranks;
  std::string operation;
};

/// Ranks and how many bytes each of them gave.
struct RanksGave {
  Ranks ranks;
  std::int64_t bytes = 0;
};

struct FirstOther {
  std::int64_t rank = 0, epoch = 0, step = 0;
};

/// Why records that a rank once wrote are not there.
enum class Missing : std::uint8_t {
  Damaged,  ///< bytes of the recording
  Cut,      ///< the end of the recording
  LeftOut,  ///< numbers of operations say it
};

/// Ranks whose traces say the same.
struct RanksAt {
  Ranks ranks;
  TracedCall call;
};

/// What to do where ranks have different numbers of batches, and where they do not tell batches.
std::string sameNumber() {
  return worded("verdicts",
                "Give every rank the same number of batches and of collectives; `shardlens audit` names the ranks that "
                "get fewer batches. A rank that skips a backward pass or makes an extra one has the same effect.");
}

std::string sameOrder() {
  return worded("verdicts", "Make all ranks call the operations of their groups in the same order.");
}

/// Both of such names, and that their numbers cannot be compared.
std::string countedApart(const std::string& one, const std::string& other) {
  return filled(worded("verdicts", "%1 and %2 (each operation has its own count, from 0)"), one, other);
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

/// `both` are the collectives of two groups of ranks that do not meet.
words::VerdictWords ranOut(const RankTracker& first, const Ranks& out, const Ranks& waiting,
                           const std::string& operation, const std::string& both) {
  return {filled(worded("verdicts", "%1 ran out of batches"), capitalRanks(out)),
          filled(worded("verdicts", "%1 ran out at step %2 of epoch %3:"), capitalRanks(out),
                 std::to_string(first.steps_in_epoch), std::to_string(first.epoch_of_steps)) +
              waitsFor(listedRanks(waiting), waiting, out, operation) + noWayOn(),
          both, sameNumber()};
}

words::VerdictWords differentCollectives(const std::string& group, const RanksIn& one, const RanksIn& other,
                                         const std::string& both) {
  const std::string place = group.empty() ? worded("verdicts", "the job") : group;
  const std::string who = listedRanks(one.ranks);
  const std::string others = listedRanks(other.ranks);
  const std::string differs =
      filled(one.ranks.size() == 1 ? worded("verdicts", "At the same point of %1, %2 is in %3 and %4 in %5.")
                                   : worded("verdicts", "At the same point of %1, %2 are in %3 and %4 in %5."),
             place, who, one.operation, others, other.operation);
  return {worded("verdicts", "Ranks are in different collectives"), differs + noWayOn(), both, sameNumber()};
}

/// The operations are collectiveName(); `absent` never came to `other`, or is empty.
words::VerdictWords differentOrders(const RanksIn& one, const RanksIn& other, const Ranks& absent,
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

/// `sizes` has two or more.
words::VerdictWords differentSizes(const std::string& collective, const std::vector<RanksGave>& sizes) {
  const auto gave = [](const RanksGave& one) {
    return filled(worded("verdicts", "%1: %2"), capitalRanks(one.ranks), wordedCount(one.bytes, "byte"));
  };
  return {filled(worded("verdicts", "Ranks give different sizes to %1"), collective),
          filled(worded("verdicts", "All ranks must give the same size to %1. %2; %3."), collective, gave(sizes[0]),
                 gave(sizes[1])),
          worded("verdicts", "the sizes in the records of this operation"),
          worded("verdicts", "Compare count and datatype of this call on these ranks.")};
}

/// Ranks that had no batch left when they came to this collective, which is another one to the others.
words::VerdictWords ranOutToOther(const RankTracker& first, const Ranks& out, const std::string& collective,
                                  const std::vector<RanksGave>& sizes) {
  words::VerdictWords words = differentSizes(collective, sizes);
  const std::string ran_out =
      filled(worded("verdicts", "%1 ran out at step %2 of epoch %3, so %4 is not the same call for all ranks."),
             capitalRanks(out), std::to_string(first.steps_in_epoch), std::to_string(first.epoch_of_steps), collective);
  return {filled(worded("verdicts", "%1 ran out of batches"), capitalRanks(out)), ran_out + " " + words.message,
          words.evidence, sameNumber()};
}

words::VerdictWords otherThanPlanned(std::int64_t batches, const Ranks& ranks, const FirstOther& first) {
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

/// Each part is listedRanks() and doing().
words::VerdictWords circleWords(const Ranks& ranks, const std::vector<std::string>& parts, bool more,
                                const std::string& time) {
  const std::string who = capitalRanks(ranks);
  const std::string how = join(parts, ", ");
  return {worded("verdicts", "Ranks wait for each other"),
          (more ? filled(worded("verdicts", "%1 wait for each other: %2, and so on."), who, how)
                : filled(worded("verdicts", "%1 wait for each other: %2."), who, how)) +
              noWayOn(),
          noRecord(time), sameOrder()};
}

/// `waiting` is waitFor(), or empty.
/// Of a program of MPI, which says its end in MPI_Finalize: Python calls that after an exception, too.
words::VerdictWords finalizedWhileOthersWait(const Ranks& done, const std::string& waiting, const std::string& time) {
  const std::string name = capitalRanks(done);
  const std::string entered = filled(
      worded("verdicts", "%1 reached MPI_Finalize or the end of the program, perhaps after an exception."), name);
  return {filled(worded("verdicts", "%1 reached the end while others wait"), name), entered + waiting + noWayOn(),
          noRecord(time),
          worded("verdicts",
                 "Look in the output for an exception of that rank. If there is none, make all ranks call the "
                 "operations of their groups in the same order.")};
}

words::VerdictWords doneWhileOthersWait(const Ranks& done, const std::string& waiting, const std::string& time) {
  const std::string are_done = done.size() == 1 ? filled(worded("verdicts", "%1 is done"), capitalRanks(done))
                                                : filled(worded("verdicts", "%1 are done"), capitalRanks(done));
  return {filled(worded("verdicts", "%1 while others wait"), are_done),
          filled(worded("verdicts", "%1."), are_done) + waiting + noWayOn(), noRecord(time), sameNumber()};
}

/// " Ranks 0 and 2 wait for it in all_reduce.", said of the culprits; "different operations" without an operation.
std::string waitFor(const Ranks& waiting, const Ranks& culprits, const std::optional<std::string>& operation) {
  return waitsFor(capitalRanks(waiting), waiting, culprits,
                  operation ? *operation : worded("verdicts", "different operations"));
}

words::VerdictWords stopped(const RankState& rank, const std::string& doing, const std::string& waiting, double for_s) {
  const std::string name = capitalRanks({rank.rank});
  const std::string pid = std::to_string(rank.pid);
  return {filled(worded("verdicts", "%1 is stopped"), name),
          filled(worded("verdicts", "%1 (pid %2) has been stopped by a signal for %3, %4."), name, pid,
                 words::duration(for_s), doing) +
              waiting,
          worded("verdicts", "process state T"), filled(worded("verdicts", "kill -CONT %1 resumes it."), pid),
          worded("verdicts", "Find out who stopped it: a debugger, a batch system, or Ctrl+Z in its terminal.")};
}

/// What these stalled ranks are in: `function` of PyTorch.
std::string stuckInCall(const Ranks& culprits, const std::string& function, const std::string& time) {
  return filled(culprits.size() == 1 ? worded("verdicts", "%1 is in %2() and has reported nothing for %3.")
                                     : worded("verdicts", "%1 are in %2() and have reported nothing for %3."),
                capitalRanks(culprits), function, time);
}

std::string raisedAndStays(const Ranks& ranks) {
  return filled(ranks.size() == 1 ? worded("verdicts", "%1 raised an exception and has not ended")
                                  : worded("verdicts", "%1 raised exceptions and have not ended"),
                capitalRanks(ranks));
}

/// What these stalled ranks, which are alike, have been in. `place` is amongSteps() of the first one; where there are
/// no steps it is empty, and perhaps nothing is known.
std::string stuckFor(const Ranks& culprits, const RankState& first, const std::string& place, const std::string& time) {
  const std::string name = capitalRanks(culprits);
  const std::string status = statusText(first);
  const bool one = culprits.size() == 1;
  // Whether they compute, or wait in an operation that nobody records, is not known.
  if (!place.empty() && first.status == RankStatus::Computing)
    return filled(one ? worded("verdicts", "%1 has been %2 for %3, and waits in no operation that ShardLens sees.")
                      : worded("verdicts", "%1 have been %2 for %3, and wait in no operation that ShardLens sees."),
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

/// `what` they have been in, and who waits for them.
words::VerdictWords noProgress(const Ranks& culprits, const RankState& first, const std::string& what,
                               const std::string& time) {
  const std::string name = capitalRanks(culprits);
  const std::string there = words::lookThere(first);
  return {culprits.size() == 1 ? filled(worded("verdicts", "%1 makes no progress"), name)
                               : filled(worded("verdicts", "%1 make no progress"), name),
          what + words::whereItIs(first), noRecord(time),
          there.empty()
              ? filled(worded("verdicts", "See where it hangs: %1"), words::debuggerCommand(std::to_string(first.pid)))
              : there,
          there.empty()
              ? filled(worded("verdicts", "When it hangs again, see where: %1"), words::debuggerCommand("PID"))
              : ""};
}

/// They are in `function` of PyTorch. `waiting` is a sentence of waitFor().
words::VerdictWords unseenWait(const Ranks& ranks, const RankState& first, const std::string& function,
                               const std::string& waiting, const std::string& time) {
  const std::string name = capitalRanks(ranks);
  const std::string where = filled(
      ranks.size() == 1
          ? worded("verdicts", "%1 may itself be waiting for others, in %2, where ShardLens does not see it.")
          : worded("verdicts", "%1 may themselves be waiting for others, in %2, where ShardLens does not see it."),
      name, function + "()");
  return {worded("verdicts", "No rank makes progress; which one is late is unknown"),
          where + waiting + words::whereItIs(first), noRecord(time),
          worded("verdicts",
                 "Compare what the ranks call: they may be in different operations, or have unequal numbers of "
                 "batches.")};
}

/// Calls are counted: that all are in the same call is known, that none was left out before it is not.
std::string orLeftOut() {
  return worded(
      "verdicts",
      " A rank that left out an earlier call of the same operation and size would look the same: compare what "
      "the ranks call.");
}

words::VerdictWords stuckInside(const Operation& operation, const std::string& name, const std::string& time) {
  return {filled(worded("verdicts", "No rank makes progress inside %1"), name),
          filled(worded("verdicts", "All ranks have been inside %1 for %2."),
                 name + " #" + std::to_string(operation.seq), time),
          worded("verdicts", "all ranks have entered, none has left"),
          worded("verdicts", "Look at the network, the communication library and the devices.") + orLeftOut()};
}

/// `places` are listedRanks() and doing() of the first ones.
words::VerdictWords stuckApart(const Ranks& ranks, const std::vector<std::string>& places, const std::string& time) {
  return {worded("verdicts", "No rank makes progress; which one is late is unknown"),
          filled(places.size() < ranks.size()
                     ? worded("verdicts", "%1 have been waiting for %2, in different operations: %3, and so on.")
                     : worded("verdicts", "%1 have been waiting for %2, in different operations: %3."),
                 capitalRanks(ranks), time, join(places, ", ")),
          noRecord(time),
          worded("verdicts",
                 "Compare what the ranks call: they may be in different operations, or have unequal numbers of "
                 "batches.")};
}

/// Ranks of a command, which no probe saw.
/// `may_come`: the job goes on.
words::VerdictWords ranksNotSeen(const Ranks& ranks, std::int64_t world_size, bool may_come) {
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

/// These ranks say less than they once did.
words::VerdictWords recordsMissing(const Ranks& ranks, Missing how) {
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

words::VerdictWords groupsUnknown(std::int64_t groups) {
  return {
      worded("verdicts", "Some members of groups are unknown"),
      filled(worded("verdicts",
                    "Ranks take part in %1 whose members no record lists, or about whose members records disagree."),
             wordedCount(groups, "group")),
      worded("verdicts", "groups without members"),
      worded("verdicts", "Operations in these groups are shown, but not matched or judged.")};
}

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

/// A process that is gone: "Rank 3 (pid 12) ended with code 1 ...". `doing` is doing(), `others` ended after it.
/// `was_stuck`: the job stood still by then, and somebody may have ended it.
words::VerdictWords rankDied(const RankState& rank, const Ending& ending, const std::string& doing, const Ranks& others,
                             double into_the_run_s, bool was_stuck) {
  const std::string name = capitalRanks({rank.rank});
  const bool was_asked = ending.signal == SIGTERM || ending.signal == SIGINT;
  // Which of them went first is not always known.
  const std::string too =
      others.empty() ? std::string() : filled(worded("verdicts", " %1 ended as well."), capitalRanks(others));
  return {
      filled(worded("verdicts", "%1 died"), name),
      filled(worded("verdicts", "%1 (pid %2) %3."), name, std::to_string(rank.pid), howItEnded(ending, doing)) + too,
      filled(worded("verdicts", "its process disappeared %1 into the run"), words::duration(into_the_run_s)),
      filled(was_stuck || was_asked ? worded("verdicts", "Look at the last lines of %1.")
                                    : worded("verdicts",
                                             "Look at the last lines of %1; the kernel's log says whether it "
                                             "ran out of memory."),
             listedRanks({rank.rank}))};
}

/// A rank of which only the launcher says that it failed; `failure` is the job's own sentence, or empty.
words::VerdictWords rankFailed(std::int64_t rank, const Ending& ending, const std::string& failure) {
  const std::string name = capitalRanks({rank});
  const std::string how =
      ending.signal != 0 ? filled(worded("verdicts", "%1 was ended by %2."), name, signalName(ending.signal))
                         : filled(worded("verdicts", "%1 ended with code %2."), name, std::to_string(ending.exit_code));
  return {filled(worded("verdicts", "%1 failed"), name), failure.empty() ? how : failure,
          worded("verdicts", "the exit of its process"), console()};
}

/// They had no batch left before `rank` gave up, which had more; `all_gone`: they had ended by then.
words::VerdictWords ranOutBefore(const RankTracker& first, const Ranks& out, bool all_gone, const RankState& rank) {
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

/// They ended well before `rank`, which went on and gave up; what they were in by then.
words::VerdictWords endedBefore(const Ranks& ended, const std::string& doing, std::int64_t rank) {
  const std::string who = capitalRanks(ended);
  return {filled(worded("verdicts", "%1 ended before the others"), who),
          filled(worded("verdicts", "%1 ended without an error %2. Others went on, and %3 gave up."), who, doing,
                 listedRanks({rank})),
          worded("verdicts", "the order in which the ranks ended"),
          worded("verdicts",
                 "Look in the program for code that ends a rank early, such as sys.exit(0) or a return: all ranks must "
                 "reach the same operations.")};
}

words::VerdictWords rankGaveUp(std::int64_t rank, int exit_code, const std::string& doing) {
  const std::string name = capitalRanks({rank});
  return {filled(worded("verdicts", "%1 gave up"), name),
          filled(worded("verdicts", "%1 ended itself with code %2 %3."), name, std::to_string(exit_code), doing),
          worded("verdicts", "its last record"), worded("verdicts", "Its last lines say why.")};
}

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

/// `where` are sentences of the kinds above.
words::VerdictWords didNotCome(const Ranks& culprits, const std::string& operation,
                               const std::vector<std::string>& where, bool knows_code) {
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

/// " (pid 12 on host a)"; empty when neither is known.
std::string processText(const RankState& rank) {
  if (rank.pid <= 0 || rank.host.empty()) return {};
  return filled(worded("verdicts", " (pid %1 on %2)"), std::to_string(rank.pid), rank.host);
}

/// What `source` says of these ranks.
words::VerdictWords ranksLost(const Ranks& ranks, bool are_dead, const std::string& source, const std::string& process,
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

words::VerdictWords tracesMissing(const Ranks& ranks, std::int64_t world_size) {
  const std::string world = wordedCount(world_size, "rank");
  return {worded("verdicts", "Not all ranks have a trace"),
          filled(ranks.size() == 1 ? worded("verdicts", "%1 of %2 left none, so it is not known who waits for it.")
                                   : worded("verdicts", "%1 of %2 left none, so it is not known who waits for them."),
                 capitalRanks(ranks), world),
          {},
          worded("verdicts", "Collect the traces of all hosts into one folder.")};
}

/// Collectives of one group that are compared with each other: the first ones that it came to.
constexpr std::size_t kMostInOrder = 32;

using ByGroup = std::map<std::uint32_t, std::vector<const Collective*>>;

/// Of some operations a rank may leave before others come: by these it is seen, too, what a member left out.
bool mayBeLeftOut(const CollectiveTable& collectives, const Collective& collective) {
  const Meeting meeting = meetingOf(collective.key.op);
  return (meeting == Meeting::FromRoot || meeting == Meeting::ToRoot) && collective.members != nullptr &&
         std::ranges::none_of(collective.visits, [&](const Visit& visit) { return collectives.hasLost(visit.rank); });
}

ByGroup stuckOnes(const CollectiveTable& collectives) {
  ByGroup stuck;
  for (const auto& [key, collective] : collectives.open()) {
    if (key.isPair()) continue;
    const bool is_stuck = collective.knowsArrivals() && collective.left == 0;
    if (is_stuck || mayBeLeftOut(collectives, collective)) stuck[key.group].push_back(&collective);
  }
  for (auto& [group, of_group] : stuck) {
    std::ranges::stable_sort(
        of_group, [](const Collective* a, const Collective* b) { return a->first_enter_ns < b->first_enter_ns; });
    of_group.resize(std::min(of_group.size(), kMostInOrder));
  }
  return stuck;
}

/// Each rank's order is by its own clock; where it has come to one alone, that is first.
Mixed compared(const Collective& one, const Collective& other) {
  Mixed mixed{one.key.group, &one, &other, {}, {}};
  for (const Visit& visit : one.visits) {
    const Visit* const there = other.visitOf(visit.rank);
    if (there == nullptr || there->enter_ns == visit.enter_ns) continue;
    const bool is_one = there->enter_ns < 0 || (visit.enter_ns >= 0 && visit.enter_ns < there->enter_ns);
    (is_one ? mixed.only_one : mixed.only_other).push_back(visit.rank);
  }
  return mixed;
}

/// Whether this rank waited there for others.
bool waitsAlone(const Collective& collective, std::int64_t rank) {
  const Visit* const own = collective.visitOf(rank);
  return collective.members != nullptr && own != nullptr && own->isInside() && !collective.missingFor(*own).empty();
}

/// Whether others needed this rank there, and it never came.
bool leavesAlone(const Collective& collective, std::int64_t rank) {
  const Visit* const own = collective.visitOf(rank);
  if (collective.members == nullptr || own == nullptr || own->enter_ns >= 0 || own->is_lost) return false;
  return std::ranges::any_of(collective.visits, [&](const Visit& other) {
    // A message may be sent and never taken. To an operation of a group all come that have not come to their end.
    return collective.key.isPair() ? other.isInside() : other.enter_ns >= 0;
  });
}

/// Records of it are missing, so that less of it is known than it did.
bool hasGaps(const RankTracker& rank) {
  return rank.state.has_gaps || rank.state.dropped > 0;
}

bool areOthersFurther(const RankTracker& own, const std::vector<RankTracker>& trackers) {
  return !own.ran_out && std::ranges::any_of(trackers, [&](const RankTracker& other) {
    return other.state.steps_done > own.state.steps_done;
  });
}

/// Two collectives of one group that its members reached in different orders: `only_one` are the ranks that reached
/// `one` first, or alone, `only_other` the others. All members are in it and none has left it, or it is one that ranks
/// may leave before others come, as a broadcast. Means something only while no rank makes progress: ranks that go on
/// while their operations do may be in many.
std::optional<Mixed> firstReordered(const CollectiveTable& collectives) {
  for (const auto& [group, of_group] : stuckOnes(collectives)) {
    for (std::size_t i = 0; i < of_group.size(); ++i) {
      for (std::size_t j = i + 1; j < of_group.size(); ++j) {
        if (of_group[i]->key.op == of_group[j]->key.op) continue;  // each rank counts them
        Mixed mixed = compared(*of_group[i], *of_group[j]);
        if (!mixed.only_one.empty() && !mixed.only_other.empty()) return mixed;
      }
    }
  }
  return std::nullopt;
}

/// Whether others reached an operation that this rank never reached, or are steps further although this rank had not
/// read its epoch to the end.
bool othersWentOn(std::int64_t rank, const std::vector<RankTracker>& trackers, const CollectiveTable& collectives) {
  const RankTracker& own = trackers[static_cast<std::size_t>(rank)];
  if (hasGaps(own)) return false;
  const bool are_alone =
      std::ranges::any_of(collectives.open(), [rank](const auto& one) { return leavesAlone(one.second, rank); });
  return are_alone || areOthersFurther(own, trackers);
}

/// Whether `waiting` reached an operation that this rank never reached.
bool isMissedBy(std::int64_t waiting, std::int64_t rank, const CollectiveTable& collectives) {
  return std::ranges::any_of(collectives.open(), [&](const auto& one) {
    const Visit* const own = one.second.members == nullptr ? nullptr : one.second.visitOf(rank);
    const Visit* const other = one.second.visitOf(waiting);
    return own != nullptr && other != nullptr && own->enter_ns < 0 && !own->is_lost && other->enter_ns >= 0;
  });
}

/// How long ranks may take until their first record.
constexpr std::int64_t kPatienceNs = 10'000'000'000;

Verdict deadVerdict(const Evidence& evidence, std::int64_t rank) {
  const Ending& ending = evidence.deaths.of(rank);
  Ranks others;
  for (const RankState& other : evidence.state.ranks) {
    if (evidence.deaths.of(other.rank).how == RankEnd::SentAway) others.push_back(other.rank);
  }
  const double into_the_run_s = static_cast<double>(ending.time_ns - evidence.begin_ns) / 1e9;
  return verdictOf(VerdictKind::Dead, rank,
                   rankDied(evidence.rank(rank), ending, words::doing(evidence, rank), others, into_the_run_s,
                            evidence.deaths.hasStoodStill()),
                   1);
}

/// A rank that was never measured, and of which only the launcher says that it failed.
void addUnmeasured(const Evidence& evidence, std::int64_t rank, std::vector<Verdict>& verdicts) {
  const RunState& state = evidence.state;
  if (state.exit_code == kUsage || state.exit_code == kEnvironment) return;  // it refused the job: see addFailure
  // The sentence of the whole job is about the rank that failed first.
  const std::string failure = verdicts.empty() ? state.failure : std::string();
  verdicts.push_back(verdictOf(VerdictKind::Dead, rank, rankFailed(rank, evidence.deaths.of(rank), failure), 1));
}

/// Who ended first comes first: the others may have ended for want of it.
std::vector<const RankState*> inOrderOfEnding(const Evidence& evidence) {
  std::vector<const RankState*> ranks;
  for (const RankState& rank : evidence.state.ranks) {
    if (evidence.deaths.of(rank.rank).how != RankEnd::NotYet) ranks.push_back(&rank);
  }
  std::ranges::stable_sort(ranks, [&](const RankState* a, const RankState* b) {
    return evidence.deaths.of(a->rank).time_ns < evidence.deaths.of(b->rank).time_ns;
  });
  return ranks;
}

/// A rank that gave up had to do without those that had no batch left: they were gone by then, or it came to an
/// operation to which they never did, after as many steps as they had in all.
void addRanOutBefore(const Evidence& evidence, const RankState& rank, std::vector<Verdict>& verdicts) {
  // Of a rank in its first step it is not known whether it had a batch.
  if (evidence.tracker(rank.rank).ran_out || rank.step < 1) return;
  Ranks out;
  bool all_gone = true;
  for (const RankState& other : evidence.state.ranks) {
    const Ending& ending = evidence.deaths.of(other.rank);
    const bool was_gone = ending.how == RankEnd::SaidBye && ending.time_ns <= evidence.deaths.of(rank.rank).time_ns;
    const RankTracker& tracker = evidence.tracker(other.rank);
    const bool has_fewer = other.epoch == rank.epoch && tracker.steps_in_epoch <= rank.step;
    const bool is_whole = !other.has_gaps && other.dropped == 0;
    const bool is_missed =
        is_whole && other.steps_done <= rank.steps_done && isMissedBy(rank.rank, other.rank, evidence.collectives);
    if (!tracker.ran_out || !((was_gone && has_fewer) || is_missed)) continue;
    out.push_back(other.rank);
    all_gone = all_gone && was_gone;
  }
  if (out.empty() || !verdicts.empty()) return;
  verdicts.push_back(
      verdictOf(VerdictKind::Mismatch, out, ranOutBefore(evidence.tracker(out.front()), out, all_gone, rank), 1));
}

/// Or without those that had ended well by then although others went on. They are named together where they were alike.
void addEndedBefore(const Evidence& evidence, const RankState& rank, std::vector<Verdict>& verdicts) {
  if (!verdicts.empty()) return;
  Ranks ended;
  std::string doing;
  for (const RankState& other : evidence.state.ranks) {
    const Ending& ending = evidence.deaths.of(other.rank);
    const bool was_gone = ending.how == RankEnd::SaidBye && ending.time_ns <= evidence.deaths.of(rank.rank).time_ns;
    if (!was_gone || !othersWentOn(other.rank, evidence.trackers, evidence.collectives)) continue;
    if (ended.empty()) doing = words::doing(evidence, other.rank);
    if (words::doing(evidence, other.rank) == doing) ended.push_back(other.rank);
  }
  if (!ended.empty())
    verdicts.push_back(verdictOf(VerdictKind::Mismatch, ended, endedBefore(ended, doing, rank.rank), 1));
}

void addDead(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  for (const RankState* one : inOrderOfEnding(evidence)) {
    const RankState& rank = *one;
    const Ending& ending = evidence.deaths.of(rank.rank);
    if (ending.how == RankEnd::Died && rank.pid == 0) addUnmeasured(evidence, rank.rank, verdicts);
    if (ending.how == RankEnd::Died && rank.pid != 0) verdicts.push_back(deadVerdict(evidence, rank.rank));
    if (ending.how != RankEnd::GaveUp) continue;
    addRanOutBefore(evidence, rank, verdicts);
    addEndedBefore(evidence, rank, verdicts);
    const std::string doing = words::doing(evidence, rank.rank);
    verdicts.push_back(verdictOf(VerdictKind::Dead, rank.rank, rankGaveUp(rank.rank, ending.exit_code, doing), 1));
  }
}

/// Of these ranks, those that had no batch left when they came to the collective.
Ranks ranOut(const Collective& collective, const Ranks& ranks) {
  Ranks out;
  for (const std::int64_t rank : ranks) {
    if (collective.visitOf(rank)->after_steps) out.push_back(rank);
  }
  return out;
}

/// The side of fewer ranks, whatever the members do that have come to neither yet. Null: as many may come.
template <class Side>
const Side* fewer(const Evidence& evidence, const Side& one, const Side& other, std::size_t of_one,
                  std::size_t of_other, std::size_t members) {
  const bool may_come = isUnderWay(evidence.state.status) && !isStandingStill(evidence);
  const std::size_t left = may_come ? members - std::min(members, of_one + of_other) : 0;
  if (of_one > of_other + left) return &other;
  return of_other > of_one + left ? &one : nullptr;
}

std::string bothNames(const Evidence& evidence, const Mixed& mixed) {
  return countedApart(words::collectiveName(evidence, *mixed.one), words::collectiveName(evidence, *mixed.other));
}

/// Different numbers of batches may be why these ranks are in different operations.
bool areApart(const RankState& one, const RankState& other) {
  return one.epoch != other.epoch || one.step != other.step;
}

/// Ranks that came to one of the two first, also those that have left it.
std::size_t cameFirstTo(const Collective& one, const Collective& other) {
  return static_cast<std::size_t>(std::ranges::count_if(one.visits, [&](const Visit& visit) {
    const Visit* const there = other.visitOf(visit.rank);
    const bool is_there = there != nullptr && there->enter_ns >= 0;
    return visit.enter_ns >= 0 && (!is_there || visit.enter_ns < there->enter_ns);
  }));
}

Ranks notAt(const Collective& collective, const Ranks& ranks) {
  Ranks absent;
  std::copy_if(ranks.begin(), ranks.end(), std::back_inserter(absent),
               [&](std::int64_t rank) { return !collective.hasEntered(rank); });
  return absent;
}

words::VerdictWords mixedWords(const Evidence& evidence, const Mixed& mixed) {
  const auto are_inside = [](const Collective& collective, const Ranks& ranks) {
    return std::ranges::all_of(ranks, [&](std::int64_t rank) {
      const Visit* const visit = collective.visitOf(rank);
      return visit != nullptr && visit->isInside();
    });
  };
  if (are_inside(*mixed.one, mixed.only_one) && are_inside(*mixed.other, mixed.only_other)) {
    const RanksIn one{mixed.only_one, operationName(mixed.one->key.op)};
    const RanksIn other{mixed.only_other, operationName(mixed.other->key.op)};
    return differentCollectives(evidence.groups.text(mixed.group), one, other, bothNames(evidence, mixed));
  }
  const RanksIn one{mixed.only_one, words::collectiveName(evidence, *mixed.one)};
  const RanksIn other{mixed.only_other, words::collectiveName(evidence, *mixed.other)};
  const Ranks absent = notAt(*mixed.one, mixed.only_other);
  return absent.empty() ? differentOrders(one, other, notAt(*mixed.other, mixed.only_one), other.operation)
                        : differentOrders(one, other, absent, one.operation);
}

/// Where the code of the first rank on either side is, as far as it is known.
std::string bothPlaces(const Evidence& evidence, const Mixed& mixed) {
  return words::whereItIs(evidence.rank(mixed.only_one.front())) +
         words::whereItIs(evidence.rank(mixed.only_other.front()));
}

/// Fewer ranks than the others are wrong, or of as many those that are not where the group came to before.
Verdict mixedVerdict(const Evidence& evidence, const Mixed& mixed) {
  const Ranks* wrong = fewer(evidence, mixed.only_one, mixed.only_other, cameFirstTo(*mixed.one, *mixed.other),
                             cameFirstTo(*mixed.other, *mixed.one), mixed.one->visits.size());
  const Collective* const usual = wrong == nullptr ? evidence.collectives.usual(mixed) : nullptr;
  if (usual != nullptr) wrong = usual == mixed.one ? &mixed.only_other : &mixed.only_one;
  Verdict verdict =
      verdictOf(VerdictKind::Mismatch, wrong == nullptr ? Ranks{} : *wrong, mixedWords(evidence, mixed), 1);
  if (usual != nullptr)
    verdict.message += filled(worded("verdicts", " Each time before, the same operations were followed by %1."),
                              operationName(usual->key.op));
  verdict.message += bothPlaces(evidence, mixed);
  if (!areApart(evidence.rank(mixed.only_one.front()), evidence.rank(mixed.only_other.front())))
    verdict.next = sameOrder();
  return verdict;
}

void addMixed(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  const auto mixed = evidence.collectives.firstMixed();
  if (!mixed) return;
  const Ranks out_of_one = ranOut(*mixed->one, mixed->only_one);
  const Ranks out_of_other = ranOut(*mixed->other, mixed->only_other);
  if (out_of_one.empty() == out_of_other.empty()) return verdicts.push_back(mixedVerdict(evidence, *mixed));
  const bool is_one = !out_of_one.empty();
  const Ranks& out = is_one ? out_of_one : out_of_other;
  verdicts.push_back(
      verdictOf(VerdictKind::Mismatch, out,
                ranOut(evidence.tracker(out.front()), out, is_one ? mixed->only_other : mixed->only_one,
                       operationName((is_one ? mixed->other : mixed->one)->key.op), bothNames(evidence, *mixed)),
                1));
  verdicts.back().message += bothPlaces(evidence, *mixed);
}

/// All who gave one size, and that size; the fewest first.
std::vector<RanksGave> sizesOf(const Collective& collective) {
  std::map<std::uint64_t, Ranks> by_size;
  for (const Visit& visit : collective.visits) {
    if (visit.enter_ns >= 0 && visit.bytes != 0) by_size[visit.bytes].push_back(visit.rank);
  }
  std::vector<RanksGave> sizes;
  sizes.reserve(by_size.size());
  for (const auto& [bytes, ranks] : by_size) sizes.push_back({ranks, static_cast<std::int64_t>(bytes)});
  std::ranges::stable_sort(sizes, [](const auto& a, const auto& b) { return a.ranks.size() < b.ranks.size(); });
  return sizes;
}

void addUneven(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  const Collective* const uneven = evidence.collectives.uneven();
  if (uneven == nullptr) return;
  const auto sizes = sizesOf(*uneven);
  if (sizes.size() < 2) return;
  const std::string name = words::collectiveName(evidence, *uneven);
  const RanksGave& few = sizes.front();
  const RanksGave& many = sizes.back();
  for (const auto& [some, others] : {std::pair(&few, &many), std::pair(&many, &few)}) {
    // The end of an epoch to some, and a step to the others.
    if (ranOut(*uneven, some->ranks) == some->ranks && ranOut(*uneven, others->ranks).empty())
      return verdicts.push_back(
          verdictOf(VerdictKind::Mismatch, some->ranks,
                    ranOutToOther(evidence.tracker(some->ranks.front()), some->ranks, name, sizes), 1));
  }
  const RanksGave* wrong = fewer(evidence, few, many, few.ranks.size(), many.ranks.size(), uneven->visits.size());
  const auto usual = wrong == nullptr ? static_cast<std::int64_t>(evidence.collectives.usualBytes()) : 0;
  if (usual > 0) wrong = few.bytes == usual ? &many : &few;
  verdicts.push_back(
      verdictOf(VerdictKind::Mismatch, wrong == nullptr ? Ranks{} : wrong->ranks, differentSizes(name, sizes), 1));
  if (usual > 0)
    verdicts.back().message +=
        filled(worded("verdicts", " Each time before, the size after the same operations was %1."),
               wordedCount(usual, "byte"));
}

/// Ranks gave different sizes, and only then did one end: the first is why, the second what came of it.
bool isUnevenFirst(const Evidence& evidence) {
  const Collective* const uneven = evidence.collectives.uneven();
  if (uneven == nullptr) return false;
  std::int64_t entered = -1;
  for (const Visit& visit : uneven->visits) entered = std::max(entered, visit.enter_ns);
  return std::ranges::none_of(evidence.state.ranks, [&](const RankState& rank) {
    const Ending& ending = evidence.deaths.of(rank.rank);
    return ending.how != RankEnd::NotYet && ending.time_ns >= 0 && ending.time_ns < entered;
  });
}

void addDifference(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  const auto& first = evidence.state.first_difference;
  if (!first) return;
  std::int64_t batches = 0;
  Ranks ranks;
  for (const RankState& rank : evidence.state.ranks) {
    batches += rank.mismatched;
    if (rank.mismatched > 0) ranks.push_back(rank.rank);
  }
  verdicts.push_back(verdictOf(VerdictKind::Mismatch, first->rank,
                               otherThanPlanned(batches, ranks, {first->rank, first->epoch, first->step}), 0));
}

/// " Ranks 0 and 2 wait for it in all_reduce.", said of the culprits; empty when no rank waits for them.
std::string waiters(const Evidence& evidence, const Waits& waits, const Ranks& culprits) {
  const Ranks waiting = waitersFor(evidence, waits, culprits);
  if (waiting.empty()) return {};
  const std::string operation = operationText(evidence.rank(waiting.front()));
  const bool alike =
      std::ranges::all_of(waiting, [&](std::int64_t rank) { return operationText(evidence.rank(rank)) == operation; });
  return waitFor(waiting, culprits, alike ? std::optional(operation) : std::nullopt);
}

/// Since this rank is in what it is in.
void setTime(Verdict& verdict, const Evidence& evidence, const RankState& rank) {
  verdict.from_ns = rank.since_ns;
  verdict.to_ns = evidence.state.elapsed_ns;
}

void addStopped(const Evidence& evidence, const Waits& waits, std::vector<Verdict>& verdicts) {
  for (const RankState& rank : evidence.state.ranks) {
    if (rank.status != RankStatus::Stopped) continue;
    const double for_s = static_cast<double>(evidence.state.elapsed_ns - rank.since_ns) / 1e9;
    verdicts.push_back(
        verdictOf(VerdictKind::Stalled, rank.rank,
                  stopped(rank, words::doing(evidence, rank.rank), waiters(evidence, waits, {rank.rank}), for_s), 1));
    setTime(verdicts.back(), evidence, rank);
  }
}

/// What this rank handles and none but these ranks do: of a program that does all of its work in an `except` block,
/// that says nothing.
bool hasRaised(const Evidence& evidence, std::int64_t rank, const Ranks& culprits) {
  const auto handled = [&](std::int64_t one) {
    const RankStack* const stack = ownStack(evidence.rank(one));
    return stack == nullptr ? std::nullopt : stack->exception;
  };
  const auto own = handled(rank);
  return own && std::ranges::none_of(evidence.state.ranks, [&](const RankState& other) {
           return !std::ranges::binary_search(culprits, other.rank) && handled(other.rank) == own;
         });
}

/// Those of the culprits to blame. One in a call of PyTorch that communicates without a record may wait for others,
/// unless it has raised or ends its communication: it will not come to what these wait for. Where nobody is known to
/// wait, it is to blame only when all other culprits are in such a call: those that raised may have timed out.
Ranks toBlame(const Evidence& evidence, const Waits& waits, const Ranks& culprits) {
  Ranks seen;
  Ranks gone;
  for (const std::int64_t rank : culprits) {
    const bool is_gone = teardown(evidence.rank(rank)) != nullptr || hasRaised(evidence, rank, culprits);
    const bool is_unseen = unseenCommunication(evidence.rank(rank)) != nullptr;
    if (is_gone) gone.push_back(rank);
    if (!is_unseen || (is_gone && !waits.culprits.empty())) seen.push_back(rank);
  }
  const auto running =
      std::ranges::count_if(evidence.state.ranks, [&](const RankState& rank) { return !evidence.hasEnded(rank.rank); });
  return seen.empty() && std::ssize(gone) < running ? gone : seen;
}

/// The call of PyTorch in which it ends its communication, or communicates; empty when it is in none.
std::string communicationOf(const RankState& rank) {
  const StackFrame* const end = teardown(rank);
  const StackFrame* const call = end != nullptr ? end : unseenCommunication(rank);
  return call == nullptr ? std::string() : call->function;
}

/// What stalled ranks have been in, those together that were in the same.
std::string stuckText(const Evidence& evidence, const Ranks& culprits, const std::string& time) {
  struct Alike {
    std::string call;
    std::string place;
    Ranks ranks;
  };
  std::vector<Alike> all;
  for (const std::int64_t rank : culprits) {
    const std::string call = communicationOf(evidence.rank(rank));
    const std::string place = evidence.state.hasSteps() ? words::amongSteps(evidence, rank) : std::string();
    const auto found = std::ranges::find_if(all, [&](const Alike& one) {
      return one.call == call && one.place == place &&
             evidence.rank(one.ranks.front()).status == evidence.rank(rank).status;
    });
    found == all.end() ? all.push_back({call, place, {rank}}) : found->ranks.push_back(rank);
  }
  std::vector<std::string> texts;
  for (const Alike& one : all)
    texts.push_back(one.call.empty() ? stuckFor(one.ranks, evidence.rank(one.ranks.front()), one.place, time)
                                     : stuckInCall(one.ranks, one.call, time));
  return join(texts, " ");
}

Verdict stalledVerdict(const Evidence& evidence, const Waits& waits, const Ranks& culprits, const std::string& time) {
  const RankState& first = evidence.rank(culprits.front());
  Verdict verdict = verdictOf(
      VerdictKind::Stalled, culprits.front(),
      noProgress(culprits, first, stuckText(evidence, culprits, time) + waiters(evidence, waits, culprits), time), 1);
  verdict.ranks = culprits;
  if (std::ranges::all_of(culprits, [&](std::int64_t rank) {
        return !communicationOf(evidence.rank(rank)).empty() && hasRaised(evidence, rank, culprits);
      }))
    verdict.title = raisedAndStays(culprits);
  setTime(verdict, evidence, first);
  return verdict;
}

/// Who waits for whom is not known: these ranks may wait for the others.
Verdict unseenVerdict(const Evidence& evidence, const Waits& waits, const Ranks& ranks, const std::string& time) {
  const RankState& first = evidence.rank(ranks.front());
  Verdict verdict = verdictOf(
      VerdictKind::Stalled, -1,
      unseenWait(ranks, first, unseenCommunication(first)->function, waiters(evidence, waits, ranks), time), 1);
  setTime(verdict, evidence, first);
  return verdict;
}

constexpr std::size_t kFirstPlaces = 4;

/// "rank 0 in all_reduce #12", of the first few.
std::vector<std::string> placesOf(const Evidence& evidence, const Ranks& ranks) {
  std::vector<std::string> places;
  for (std::size_t i = 0; i < std::min(ranks.size(), kFirstPlaces); ++i)
    places.push_back(listedRanks({ranks[i]}) + " " + words::doing(evidence, ranks[i]));
  return places;
}

Verdict circleVerdict(const Evidence& evidence, const Ranks& circle, const std::string& time) {
  return verdictOf(VerdictKind::Mismatch, circle.front(),
                   circleWords(circle, placesOf(evidence, circle), circle.size() > kFirstPlaces, time), 1);
}

/// They will never come: they have said good-bye.
Verdict doneVerdict(const Evidence& evidence, const Waits& waits, const std::string& waiting, const std::string& time) {
  return verdictOf(VerdictKind::Mismatch, waits.done.front(),
                   evidence.state.hasSteps() ? doneWhileOthersWait(waits.done, waiting, time)
                                             : finalizedWhileOthersWait(waits.done, waiting, time),
                   1);
}

/// No rank is known to be missed by those that wait.
Verdict stuckVerdict(const Evidence& evidence, const Waits& waits, const std::string& time) {
  const RankState& first = evidence.rank(waits.blocked.front());
  const auto key = [&](std::int64_t rank) { return keyOf(rank, evidence.tracker(rank).operations().front()); };
  if (!std::ranges::all_of(waits.blocked, [&](std::int64_t rank) { return key(rank) == key(first.rank); }))
    return verdictOf(VerdictKind::Stalled, -1, stuckApart(waits.blocked, placesOf(evidence, waits.blocked), time), 1);
  return verdictOf(VerdictKind::Stalled, -1, stuckInside(*first.operation, operationText(first), time), 1);
}

/// A job whose ranks were started and never said a word: none has come as far as its first record.
void addSilent(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  const RunState& state = evidence.state;
  if (!isUnderWay(state.status) || !state.reports || !evidence.lost.empty() ||
      evidence.now_ns - evidence.begin_ns < kPatienceNs)
    return;
  const auto is_unheard = [](const RankState& rank) { return rank.status == RankStatus::Unheard; };
  if (state.ranks.empty() || !std::ranges::all_of(state.ranks, is_unheard)) return;
  const std::string time = words::duration(static_cast<double>(evidence.now_ns - evidence.begin_ns) / 1e9);
  verdicts.push_back(verdictOf(
      VerdictKind::Stalled, -1,
      words::VerdictWords{
          worded("verdicts", "No rank has reported yet"),
          filled(
              worded(
                  "verdicts",
                  "The job was launched %1 ago, and no rank has reported yet: all hang before their first step, or are "
                  "still loading."),
              time),
          noRecord(time),
          filled(worded("verdicts", "See where a rank hangs: %1. MPI_Init waits for every rank and for the network."),
                 words::debuggerCommand("PID"))},
      1));
}

/// Ranks of a command that are perhaps where no probe is.
Ranks unseen(const Evidence& evidence) {
  Ranks ranks;
  for (const RankState& rank : evidence.state.ranks) {
    if (evidence.is_world_learned && !rank.is_measured) ranks.push_back(rank.rank);
  }
  return ranks;
}

/// Ranks of a job that is being ended wait for those that have ended already.
bool isBeingEnded(const Evidence& evidence) {
  return std::ranges::any_of(evidence.state.ranks, [&](const RankState& rank) {
    return evidence.deaths.of(rank.rank).how == RankEnd::SentAway;
  });
}

void addStalled(const Evidence& evidence, const Waits& waits, std::vector<Verdict>& verdicts) {
  if (!verdicts.empty() || !isStandingStill(evidence) || isBeingEnded(evidence)) return;
  const std::string time = words::duration(static_cast<double>(evidence.now_ns - evidence.last_progress_ns) / 1e9);
  const Ranks circle = circleOf(evidence, waits);
  if (!circle.empty()) return verdicts.push_back(circleVerdict(evidence, circle, time));
  // Of ranks that were never seen, it is not known whether they have come; and without steps none that works is stuck.
  const bool some_work = std::ranges::any_of(evidence.state.ranks, [&](const RankState& rank) {
    return !evidence.hasEnded(rank.rank) && !waits.isBlocked(rank.rank);
  });
  const bool is_at_work = some_work && !evidence.state.hasSteps();
  if (evidence.is_world_learned && waits.culprits.empty() && waits.done.empty() &&
      (is_at_work || !unseen(evidence).empty()))
    return;
  Ranks culprits = waits.culprits;
  if (culprits.empty() && !waits.done.empty())
    return verdicts.push_back(doneVerdict(evidence, waits, waiters(evidence, waits, waits.done), time));
  for (const RankState& rank : evidence.state.ranks) {
    if (waits.culprits.empty() && !evidence.hasEnded(rank.rank) && !waits.isBlocked(rank.rank))
      culprits.push_back(rank.rank);
  }
  const Ranks blamed = toBlame(evidence, waits, culprits);
  if (!blamed.empty()) return verdicts.push_back(stalledVerdict(evidence, waits, blamed, time));
  if (!culprits.empty()) return verdicts.push_back(unseenVerdict(evidence, waits, culprits, time));
  if (const auto reordered = firstReordered(evidence.collectives))
    return verdicts.push_back(mixedVerdict(evidence, *reordered));
  if (!waits.blocked.empty()) verdicts.push_back(stuckVerdict(evidence, waits, time));
}

void addFailure(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  const RunState& state = evidence.state;
  if (state.status != JobStatus::Failed || !verdicts.empty() || !evidence.lost.empty()) return;
  // What stood still is told, and is why somebody ended it.
  if (evidence.deaths.hasStoodStill() || evidence.is_stop_told) return;
  const bool heard = std::ranges::any_of(state.ranks, [](const RankState& rank) { return rank.pid > 0; });
  // Code 4 means that the launcher did start something.
  verdicts.push_back(heard || state.exit_code == kJobFailed
                         ? verdictOf(VerdictKind::Dead, -1,
                                     words::VerdictWords{worded("verdicts", "The job failed"), state.failure,
                                                         worded("verdicts", "the exit code"), console()},
                                     1)
                         : verdictOf(VerdictKind::LaunchFailed, -1, words::jobNotStarted(state.failure), 1));
}

/// A number that misses something must not look whole.
void addGaps(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  Ranks ranks;
  for (const RankState& rank : evidence.state.ranks) {
    if (rank.has_gaps && rank.dropped == 0) ranks.push_back(rank.rank);  // addLost() tells what was dropped
  }
  if (ranks.empty()) return;
  const bool is_cut =
      std::ranges::any_of(evidence.trackers, [](const RankTracker& tracker) { return tracker.isSlotAhead(); });
  const Missing how = evidence.state.unread.damaged_places > 0 ? Missing::Damaged
                      : is_cut && !evidence.lost.empty()       ? Missing::Cut
                                                               : Missing::LeftOut;
  verdicts.push_back(verdictOf(VerdictKind::Lost, -1, recordsMissing(ranks, how), 0));
}

void addLost(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  const auto add = [&verdicts](words::VerdictWords words) {
    verdicts.push_back(verdictOf(VerdictKind::Lost, -1, std::move(words), 0));
  };
  if (!evidence.lost.empty()) {
    add({worded("verdicts", "The recording has no end"),
         filled(worded("verdicts",
                       "%1 The recorder was killed or could not write, or the file was cut; it is not known whether "
                       "or how the job continued."),
                evidence.lost),
         {},
         worded("verdicts", "The records up to that point are shown.")});
    verdicts.back().says_title_first = evidence.says_no_end_first;
  }
  if (evidence.state.dropped > 0)
    add({worded("verdicts", "Records were lost"),
         evidence.state.dropped == 1
             ? worded("verdicts",
                      "1 record was counted but not kept: a ring was full or cut short, the recorder's disk "
                      "was too slow, or threads of a rank got in each other's way.")
             : filled(worded("verdicts",
                             "%1 records were counted but not kept: a ring was full or cut short, the "
                             "recorder's disk was too slow, or threads of a rank got in each other's way."),
                      grouped(evidence.state.dropped)),
         worded("verdicts", "rank table, column dropped"),
         worded("verdicts", "Waits and matches are incomplete where records are missing.")});
  const std::int64_t told = evidence.told_world;
  if (evidence.has_other_start && told > 0) {
    add({worded("verdicts", "Not all ranks of this command are shown"),
         filled(worded("verdicts",
                       "The processes that were started are not one world of %1: the first reports a world of %2. "
                       "Only that world is shown."),
                wordedCount(evidence.state.world_size, "rank"), wordedCount(told, "rank")),
         {},
         worded("verdicts", "Start them with the launcher that makes them one world: mpirun, srun or torchrun.")});
  } else if (evidence.has_other_start) {
    add(words::VerdictWords{
        worded("verdicts", "Not all ranks of this command are shown"),
        filled(worded("verdicts",
                      "The command started ranks more than once. Only the first start is shown here, with %1."),
               wordedCount(evidence.state.world_size, "rank")),
        {},
        worded("verdicts",
               "Give each start its own `shardlens run`. `shardlens capture` says what PyTorch's loaders read in "
               "every start.")});
  }
  const Ranks missing = unseen(evidence);
  const bool may_come = isUnderWay(evidence.state.status);
  // Ranks of one job start at different times: on a busy host, by many seconds.
  if (!missing.empty() && (!may_come || evidence.now_ns - evidence.learned_ns >= kPatienceNs))
    add(ranksNotSeen(missing, evidence.state.world_size, may_come));
  if (const std::int64_t unknown = evidence.groups.unknown(); unknown > 0) add(groupsUnknown(unknown));
  if (!evidence.state.clock_error_us && evidence.state.world_size > 0)
    add({worded("verdicts", "Clocks cannot be compared"),
         worded("verdicts", "The offset between the clocks of the hosts is not known."),
         worded("verdicts", "clock_error_us is null"),
         worded("verdicts", "Waits between ranks of different hosts are not measured.")});
}

constexpr std::size_t kMostSentences = 4;

const TraceEnd::OfRank& endOf(const Evidence& evidence, std::int64_t rank) {
  static const TraceEnd::OfRank kNone;
  const auto place = static_cast<std::size_t>(rank);
  return place < evidence.trace->ranks.size() ? evidence.trace->ranks[place] : kNone;
}

/// The ranks whose calls read alike, those of the most ranks first.
template <class CallOf>
std::vector<RanksAt> alike(const Ranks& ranks, const CallOf& call_of) {
  std::map<std::tuple<std::string, std::string, std::string>, RanksAt> by_text;
  for (const std::int64_t rank : ranks) {
    const std::optional<TracedCall>& call = call_of(rank);
    if (!call) continue;
    auto& at = by_text[{call->operation, call->state, call->code}];
    at.call = *call;
    at.ranks.push_back(rank);
  }
  std::vector<RanksAt> out;
  out.reserve(by_text.size());
  for (auto& [text, at] : by_text) out.push_back(std::move(at));
  std::ranges::stable_sort(out, [](const auto& a, const auto& b) { return a.ranks.size() > b.ranks.size(); });
  if (out.size() > kMostSentences) out.resize(kMostSentences);
  return out;
}

/// What these ranks are in.
std::vector<std::string> standing(const Evidence& evidence, const Ranks& ranks) {
  std::vector<std::string> sentences;
  for (const auto& at : alike(
           ranks, [&](std::int64_t rank) -> const auto& { return endOf(evidence, rank).open; }))
    sentences.push_back(at.ranks.size() == 1
                            ? filled(worded("verdicts", "%1 is in %2."), capitalRanks(at.ranks), callText(at.call))
                            : filled(worded("verdicts", "%1 are in %2."), capitalRanks(at.ranks), callText(at.call)));
  return sentences;
}

/// What these ranks called last.
std::vector<std::string> newest(const Evidence& evidence, const Ranks& ranks) {
  std::vector<std::string> sentences;
  for (const auto& at : alike(
           ranks, [&](std::int64_t rank) -> const auto& { return endOf(evidence, rank).newest; }))
    sentences.push_back(filled(at.ranks.size() == 1 ? worded("verdicts", "The trace of %1 ends with %2.")
                                                    : worded("verdicts", "The traces of %1 end with %2."),
                               listedRanks(at.ranks), callText(at.call)));
  Ranks empty;
  for (const std::int64_t rank : ranks) {
    if (!endOf(evidence, rank).newest) empty.push_back(rank);
  }
  if (!empty.empty())
    sentences.push_back(empty.size() == 1
                            ? filled(worded("verdicts", "The trace of %1 holds no operation."), listedRanks(empty))
                            : filled(worded("verdicts", "The traces of %1 hold no operation."), listedRanks(empty)));
  return sentences;
}

/// The operation of this group and number that a rank is in, as its trace names it.
std::string nameOf(const Evidence& evidence, std::int64_t rank) {
  const auto& open = endOf(evidence, rank).open;
  return open ? open->operation : words::doing(evidence, rank);
}

Ranks without(const Evidence& evidence) {
  Ranks ranks;
  for (const RankState& rank : evidence.state.ranks) {
    if (!rank.is_measured) ranks.push_back(rank.rank);
  }
  return ranks;
}

/// Of the ranks without a trace, those that this rank's operation needs.
Ranks neededWithout(const Evidence& evidence, std::int64_t rank) {
  const Operation& operation = evidence.tracker(rank).operations().front();
  const Collective* collective = isJoinable(operation) ? evidence.collectives.find(keyOf(rank, operation)) : nullptr;
  const Visit* visit = collective == nullptr ? nullptr : collective->visitOf(rank);
  if (visit == nullptr) return {};
  Ranks ranks = collective->missingFor(*visit);
  std::erase_if(ranks, [&](std::int64_t one) { return evidence.rank(one).is_measured; });
  return ranks;
}

/// Whether all members have come and none has left.
bool isMet(const Evidence& evidence, std::int64_t rank) {
  const Operation& operation = evidence.tracker(rank).operations().front();
  const Collective* collective = isJoinable(operation) ? evidence.collectives.find(keyOf(rank, operation)) : nullptr;
  return collective != nullptr && collective->left == 0 && collective->knowsArrivals();
}

Verdict notCome(const Evidence& evidence, const Waits& waits) {
  const Ranks waiting = waitersFor(evidence, waits, waits.culprits);
  std::vector<std::string> where = standing(evidence, waiting);
  for (std::string& sentence : newest(evidence, waits.culprits)) where.push_back(std::move(sentence));
  const bool knows_code = std::ranges::any_of(waits.culprits, [&](std::int64_t rank) {
    const auto& last = endOf(evidence, rank).newest;
    return last && !last->code.empty();
  });
  Verdict verdict = verdictOf(VerdictKind::Stalled, waits.culprits,
                              didNotCome(waits.culprits, nameOf(evidence, waiting.front()), where, knows_code), 1);
  verdict.from_ns = evidence.rank(waiting.front()).since_ns;
  verdict.to_ns = evidence.state.elapsed_ns;
  if (!evidence.trace->tells_times) verdict.confidence = 0;  // of a job that runs, some ranks are ahead at any moment
  return verdict;
}

/// Ranks that gave no answer when the others did.
void addRanksLost(const Evidence& evidence, const Waits& waits, TraceEnd::Lost how, std::vector<Verdict>& verdicts) {
  Ranks ranks;
  for (const RankState& rank : evidence.state.ranks) {
    if (endOf(evidence, rank.rank).lost == how) ranks.push_back(rank.rank);
  }
  if (ranks.empty()) return;
  const bool are_dead = how == TraceEnd::Lost::Dead;
  const std::string process = ranks.size() == 1 ? processText(evidence.rank(ranks.front())) : std::string();
  verdicts.push_back(
      verdictOf(are_dead ? VerdictKind::Dead : VerdictKind::Stalled, ranks,
                ranksLost(ranks, are_dead, evidence.trace->source, process, standing(evidence, waits.blocked)), 1));
}

/// Where the ranks stand at the end of a trace that another tool wrote: which ranks have not reached the operation that
/// the others are in. Nothing when some other verdict explains it, or when all ranks are through.
void addTraceStalled(const Evidence& evidence, const Waits& waits, std::vector<Verdict>& verdicts) {
  addRanksLost(evidence, waits, TraceEnd::Lost::Dead, verdicts);
  addRanksLost(evidence, waits, TraceEnd::Lost::Silent, verdicts);
  if (!verdicts.empty() || waits.blocked.empty()) return;
  if (const Ranks circle = circleOf(evidence, waits); !circle.empty()) {
    verdicts.push_back(
        verdictOf(VerdictKind::Mismatch, circle,
                  words::VerdictWords{worded("verdicts", "Ranks wait for each other"),
                                      filled(worded("verdicts", "%1 wait for each other."), capitalRanks(circle)) +
                                          " " + join(standing(evidence, circle), " "),
                                      newestEntries(), sameOrder()},
                  1));
    verdicts.back().says_places = true;
    return;
  }
  if (!waits.culprits.empty()) return verdicts.push_back(notCome(evidence, waits));
  for (const std::int64_t rank : waits.blocked) {
    const Ranks needed = neededWithout(evidence, rank);
    if (needed.empty()) continue;
    verdicts.push_back(verdictOf(
        VerdictKind::Stalled, needed,
        words::VerdictWords{
            filled(worded("verdicts", "Every rank with a trace waits in %1"), nameOf(evidence, rank)),
            join(standing(evidence, waits.blocked), " ") +
                filled(needed.size() == 1
                           ? worded("verdicts", " %1 left no trace, so it is not known whether it got there.")
                           : worded("verdicts", " %1 left no trace, so it is not known whether they got there."),
                       capitalRanks(needed)),
            newestEntries(),
            filled(
                worded("verdicts",
                       "Look for the traces of %1 on their hosts, and check whether their processes still run: a rank "
                       "that died writes none."),
                listedRanks(needed))},
        1));
    verdicts.back().confidence = 0;  // it is where to look, not who is to blame
    return;
  }
  if (evidence.collectives.uneven() != nullptr) return;  // that is why
  for (const std::int64_t rank : waits.blocked) {
    if (!isMet(evidence, rank)) continue;
    verdicts.push_back(verdictOf(
        VerdictKind::Stalled, Ranks{},
        words::VerdictWords{
            filled(worded("verdicts", "All ranks have reached %1, and it has not completed"), nameOf(evidence, rank)),
            join(standing(evidence, waits.blocked), " "),
            worded("verdicts", "all ranks have called it, and none has completed it"),
            worded(
                "verdicts",
                "Look at the network, the devices, and what the devices do before this operation. If only some ranks "
                "have started it, look at the devices of the others.") +
                orLeftOut() + stillRunning()},
        1));
    return;
  }
}

/// Adds where the ranks of a mismatch were in the program, as their traces say.
void addPlaces(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  if (!evidence.is_at_end) return;
  for (Verdict& verdict : verdicts) {
    if (verdict.kind != VerdictKind::Mismatch || verdict.says_places) continue;
    Ranks all;
    for (const RankState& rank : evidence.state.ranks) all.push_back(rank.rank);
    for (const std::string& sentence : standing(evidence, all)) verdict.message += " " + sentence;
    verdict.says_places = true;
  }
}

/// What the traces do not hold.
void addTraceLost(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  const auto add = [&verdicts](const Ranks& ranks, words::VerdictWords words) {
    verdicts.push_back(verdictOf(VerdictKind::Lost, Ranks{}, std::move(words), 0));
    verdicts.back().ranks = ranks;
  };
  Ranks cut;
  for (const RankState& rank : evidence.state.ranks) {
    if (endOf(evidence, rank.rank).is_cut) cut.push_back(rank.rank);
  }
  if (!cut.empty())
    add(cut, {worded("verdicts", "Some traces were not read to their end"),
              filled(cut.size() == 1 ? worded("verdicts", "What %1 did last is not known, so it is not blamed.")
                                     : worded("verdicts", "What %1 did last is not known, so they are not blamed."),
                     listedRanks(cut)),
              worded("verdicts", "the note says which file, and up to which byte"),
              worded("verdicts", "Copy these files once more, or dump again.")});
  const Ranks missing = without(evidence);
  const bool are_told =
      std::ranges::all_of(missing, [&](std::int64_t rank) { return endOf(evidence, rank).lost != TraceEnd::Lost::No; });
  if (!are_told && evidence.is_at_end) add(missing, tracesMissing(missing, evidence.state.world_size));
  if (const std::int64_t unknown = evidence.groups.unknown(); unknown > 0) add({}, groupsUnknown(unknown));
  if (evidence.trace->tells_times && !evidence.state.clock_error_us && evidence.state.world_size > 0)
    add({},
        {worded("verdicts", "Clocks cannot be compared"),
         worded("verdicts",
                "The traces do not say how far apart the clocks of the ranks' hosts are, and no operations of all "
                "ranks reveal it."),
         worded("verdicts", "clock_error_us is null"),
         worded("verdicts",
                "Waits between these ranks are not measured. Which operation each rank has reached does not depend on "
                "clocks.")});
}

}  // namespace

bool wasCutShort(std::int64_t rank, const std::vector<RankTracker>& trackers, const CollectiveTable& collectives) {
  const RankTracker& own = trackers[static_cast<std::size_t>(rank)];
  if (hasGaps(own)) return false;
  if (own.isLoading()) return true;
  const bool is_alone =
      std::ranges::any_of(collectives.open(), [rank](const auto& one) { return waitsAlone(one.second, rank); });
  return is_alone || othersWentOn(rank, trackers, collectives);
}

bool isDeadlocked(const Evidence& evidence, const Waits& waits) {
  if (evidence.collectives.firstMixed()) return true;
  if (!isStandingStill(evidence)) return false;
  if (waits.culprits.empty() && (!waits.done.empty() || firstReordered(evidence.collectives))) return true;
  return !circleOf(evidence, waits).empty();
}

std::vector<Verdict> verdictsOf(const Evidence& evidence, const Waits& waits) {
  std::vector<Verdict> verdicts;
  const bool is_uneven_first = isUnevenFirst(evidence);
  if (is_uneven_first) addUneven(evidence, verdicts);
  addDead(evidence, verdicts);
  addMixed(evidence, verdicts);
  addStopped(evidence, waits, verdicts);
  addSilent(evidence, verdicts);
  evidence.is_at_end ? addTraceStalled(evidence, waits, verdicts) : addStalled(evidence, waits, verdicts);
  addFailure(evidence, verdicts);
  if (!is_uneven_first) addUneven(evidence, verdicts);
  addDifference(evidence, verdicts);
  if (evidence.trace != nullptr) {
    addPlaces(evidence, verdicts);
    addTraceLost(evidence, verdicts);
  } else {
    addLost(evidence, verdicts);
    addSlow(evidence, verdicts);
    addPauses(evidence, verdicts);
    addTimeSpent(evidence, verdicts);
    addGaps(evidence, verdicts);
  }
  for (Verdict& verdict : verdicts) {
    if (verdict.ranks.empty() && verdict.rank >= 0) verdict.ranks = {verdict.rank};
  }
  return verdicts;
}

}  // namespace shardlens
