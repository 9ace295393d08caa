// SPDX-License-Identifier: Apache-2.0
/// Every sentence of the verdicts but those of slow ranks (slow_words.h), in one place. What is judged, and how, is
/// decided in verdicts.cpp.
#pragma once

#include "core/diagnose/deaths.h"
#include "core/diagnose/evidence.h"
#include "core/diagnose/operation.h"
#include "core/diagnose/run_state.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shardlens::words {

struct VerdictWords {
  std::string title;                ///< a short verdict
  std::string message;              ///< what happened
  std::string evidence;             ///< what it is told from
  std::string next;                 ///< what to do
  std::string next_when_over = {};  ///< in place of it once the job's processes are gone; empty: `next` holds then, too
};

}  // namespace shardlens::words

namespace shardlens {

/// A verdict that says so. Of several ranks, the first one stands for them; -1 and {}: it is about none.
Verdict verdictOf(VerdictKind kind, std::int64_t rank, words::VerdictWords words, double weight = 0);
Verdict verdictOf(VerdictKind kind, const Ranks& ranks, words::VerdictWords words, double weight = 0);

}  // namespace shardlens

namespace shardlens::words {

// --- parts of sentences
std::string number(double value, const char* format = "%.1f");
/// "4.0 s", "18 ms", as durationText().
std::string duration(double seconds, int figures = 2);
/// "step 3 of epoch 0".
std::string where(const RankState& rank);
/// Where a rank that tells its steps was: "in step 3 of epoch 0", "after 4 steps of epoch 0".
std::string amongSteps(const Evidence& evidence, std::int64_t rank);
/// What the rank was in according to its last record, not what became of its process: "in all_reduce #12", "in step 3
/// of epoch 0".
std::string doing(const Evidence& evidence, std::int64_t rank);
/// " 8 ranks share 2 cores, so waits include CPU scheduling."; empty when they do not share them.
std::string crowding(const RunState& state);
/// "all_reduce #12 of group data".
std::string collectiveName(const Evidence& evidence, const Collective& collective);
/// Both of such names, and that their numbers cannot be compared.
std::string countedApart(const std::string& one, const std::string& other);

// --- mismatch
/// `both` are the collectives of two groups of ranks that do not meet.
VerdictWords ranOut(const RankTracker& first, const Ranks& out, const Ranks& waiting, const std::string& operation,
                    const std::string& both);
/// Ranks in one operation while others are in another; `group` may be empty.
struct RanksIn {
  Ranks ranks;
  std::string operation;
};
VerdictWords differentCollectives(const std::string& group, const RanksIn& one, const RanksIn& other,
                                  const std::string& both);
/// The operations are collectiveName(); `absent` never came to `other`, or is empty.
VerdictWords differentOrders(const RanksIn& one, const RanksIn& other, const Ranks& absent,
                             const std::string& left_out);
/// Ranks and how many bytes each of them gave.
struct RanksGave {
  Ranks ranks;
  std::int64_t bytes = 0;
};
/// `sizes` has two or more.
VerdictWords differentSizes(const std::string& collective, const std::vector<RanksGave>& sizes);
/// Ranks that had no batch left when they came to this collective, which is another one to the others.
VerdictWords ranOutToOther(const RankTracker& first, const Ranks& out, const std::string& collective,
                           const std::vector<RanksGave>& sizes);
/// Added to what says that ranks differ.
std::string usuallyNext(const std::string& operation);
std::string usualSize(std::int64_t bytes);
struct FirstOther {
  std::int64_t rank = 0, epoch = 0, step = 0;
};
VerdictWords otherThanPlanned(std::int64_t batches, const Ranks& ranks, const FirstOther& first);
/// Each part is listedRanks() and doing().
VerdictWords circle(const Ranks& ranks, const std::vector<std::string>& parts, bool more, const std::string& time);
/// What to do where ranks have different numbers of batches, and where they do not tell batches.
std::string sameNumber();
std::string sameOrder();
/// `waiting` is waitFor(), or empty.
/// Of a program of MPI, which says its end in MPI_Finalize: Python calls that after an exception, too.
VerdictWords finalizedWhileOthersWait(const Ranks& done, const std::string& waiting, const std::string& time);
VerdictWords doneWhileOthersWait(const Ranks& done, const std::string& waiting, const std::string& time);

// --- stalled
/// " Ranks 0 and 2 wait for it in all_reduce.", said of the culprits; "different operations" without an operation.
std::string waitFor(const Ranks& waiting, const Ranks& culprits, const std::optional<std::string>& operation);
VerdictWords stopped(const RankState& rank, const std::string& doing, const std::string& waiting, double for_s);
/// What shows where the code of a process is: "gdb -p 4812 -batch -ex bt". The window knows it by this form.
std::string debuggerCommand(const std::string& pid);
/// What these stalled ranks, which are alike, have been in. `place` is amongSteps() of the first one; where there are
/// no steps it is empty, and perhaps nothing is known.
std::string stuckFor(const Ranks& culprits, const RankState& first, const std::string& place, const std::string& time);
/// `what` they have been in, and who waits for them.
VerdictWords noProgress(const Ranks& culprits, const RankState& first, const std::string& what,
                        const std::string& time);
/// They are in `function` of PyTorch. `waiting` is a sentence of waitFor().
VerdictWords unseenWait(const Ranks& ranks, const RankState& first, const std::string& function,
                        const std::string& waiting, const std::string& time);
VerdictWords stuckInside(const Operation& operation, const std::string& name, const std::string& time);
VerdictWords neverReported(const std::string& time);

// --- what is not known
/// The processes that were started as `size` ranks are in worlds of `told`.
VerdictWords otherWorld(std::int64_t told, std::int64_t size);
/// The command started ranks more than once, and only those of the first start are shown.
VerdictWords ranksStartedAgain(std::int64_t shown);
/// Ranks of a command, which no probe saw.
/// `may_come`: the job goes on.
VerdictWords ranksNotSeen(const Ranks& ranks, std::int64_t world_size, bool may_come);
/// `lost` says why the recording has no end.
VerdictWords recordingWithoutEnd(const std::string& lost);
VerdictWords recordsNotKept(std::int64_t records);
/// Why records that a rank once wrote are not there.
enum class Missing : std::uint8_t {
  Damaged,  ///< bytes of the recording
  Cut,      ///< the end of the recording
  LeftOut,  ///< numbers of operations say it
};
/// These ranks say less than they once did.
VerdictWords recordsMissing(const Ranks& ranks, Missing how);
VerdictWords groupsUnknown(std::int64_t groups);
VerdictWords clocksUnknown();

// The sentences about ranks that ended before the job did.

/// A process that is gone: "Rank 3 (pid 12) ended with code 1 ...". `doing` is doing(), `others` ended after it.
/// `was_stuck`: the job stood still by then, and somebody may have ended it.
VerdictWords rankDied(const RankState& rank, const Ending& ending, const std::string& doing, const Ranks& others,
                      double into_the_run_s, bool was_stuck);
/// A rank of which only the launcher says that it failed; `failure` is the job's own sentence, or empty.
VerdictWords rankFailed(std::int64_t rank, const Ending& ending, const std::string& failure);
/// They had no batch left before `rank` gave up, which had more; `all_gone`: they had ended by then.
VerdictWords ranOutBefore(const RankTracker& first, const Ranks& out, bool all_gone, const RankState& rank);
/// They ended well before `rank`, which went on and gave up; what they were in by then.
VerdictWords endedBefore(const Ranks& ended, const std::string& doing, std::int64_t rank);
VerdictWords rankGaveUp(std::int64_t rank, int exit_code, const std::string& doing);
/// `failure` is the job's own sentence.
VerdictWords jobFailed(const std::string& failure);
VerdictWords jobNotStarted(const std::string& failure);

// Every sentence of the verdicts that are about traces of other tools.

/// Ranks whose traces say the same.
struct RanksAt {
  Ranks ranks;
  TracedCall call;
};

/// "Ranks 0 and 1 are in all_reduce #41 (started), called at step (train.py:31)."
std::string standIn(const RanksAt& at);
/// "The trace of rank 2 ends with all_reduce #40 (completed), called at step (train.py:30)."
std::string endsWith(const RanksAt& at);
/// "The trace of rank 2 holds no operation."
std::string holdsNothing(const Ranks& ranks);

/// `where` are sentences of the kinds above.
VerdictWords didNotCome(const Ranks& culprits, const std::string& operation, const std::vector<std::string>& where,
                        bool knows_code);
/// These ranks wait, and of the ranks that they wait for no trace is there.
VerdictWords mayNotHaveCome(const Ranks& without, const std::string& operation, const std::vector<std::string>& where);
VerdictWords stuckAtEnd(const std::string& operation, const std::vector<std::string>& where);
VerdictWords circleAtEnd(const Ranks& ranks, const std::vector<std::string>& where);
/// What `source` says of these ranks.
VerdictWords ranksLost(const Ranks& ranks, bool are_dead, const std::string& source, const std::string& process,
                       const std::vector<std::string>& where);
/// " (pid 12 on host a)"; empty when neither is known.
std::string processText(const RankState& rank);
VerdictWords tracesMissing(const Ranks& ranks, std::int64_t world_size);
VerdictWords tracesCut(const Ranks& ranks);
VerdictWords traceClocksUnknown();

}  // namespace shardlens::words

namespace shardlens {

/// The innermost call of the job's own code; where there is none, the innermost call. Null when there are no calls.
const StackFrame* placeIn(const RankStack& stack);
/// What is known of the code of the rank itself, and of the loader worker that it waits for; null when nothing is.
const RankStack* ownStack(const RankState& rank);
const RankStack* owingStack(const RankState& rank);
/// The call of PyTorch in which the rank is and communicates without a record: it may wait for others there. Null when
/// it is in none, or nothing is known.
const StackFrame* unseenCommunication(const RankState& rank);

namespace words {

/// "train.py:41".
std::string lineText(const StackFrame& frame);
/// "in load_image() at train.py:41", "at train.py:88" outside of any function.
std::string placeText(const StackFrame& frame);
/// " Rank 2 is in load_image() at train.py:41.", with the loader worker that it waits for, and what it handles; empty
/// when nothing is known.
std::string whereItIs(const RankState& rank);
/// "Look at train.py:41, where rank 2 is."; empty when nothing is known.
std::string lookThere(const RankState& rank);
/// "In 8 of 9 samples of its code, taken while it reported nothing, rank 2 was in load_image() at train.py:41."
std::string foundAt(std::int64_t rank, const SampledLine& line);
/// "Look at train.py:41, where rank 2 was."
std::string lookAt(std::int64_t rank, const SampledLine& line);

}  // namespace words
}  // namespace shardlens
