// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/evidence.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Every sentence of the verdicts but those of slow ranks (slow_words.h), in one place. What is judged, and how, is
/// decided in verdicts.cpp.
namespace shardlens::words {

struct VerdictWords {
  std::string title;     ///< a short verdict
  std::string message;   ///< what happened
  std::string evidence;  ///< what it is told from
  std::string next;      ///< what to do
};

// --- parts of sentences
// -----------------------------------------------------------------------------------------------
std::string number(double value, const char* format = "%.1f");
std::string milliseconds(double ms);
/// "4.0 s"
std::string seconds(double seconds);
/// "rank 3", "ranks 0 to 3 and 7".
std::string ranks(const Ranks& ranks);
/// "Rank 3", "Ranks 0 to 3 and 7".
std::string capitalRanks(const Ranks& ranks);
/// "step 3 of epoch 0".
std::string where(const RankState& rank);
/// What the rank was in according to its last record, not what became of its process: "in all_reduce #12", "in step 3
/// of epoch 0".
std::string doing(const Evidence& evidence, std::int64_t rank);
/// " 8 ranks share 2 cores, so waits include CPU scheduling."; empty when they do not share them.
std::string crowding(const RunState& state);
/// "all_reduce #12 of group data".
std::string collectiveName(const Evidence& evidence, const Collective& collective);

// --- dead
// -------------------------------------------------------------------------------------------------------------
/// A process that is gone: "Rank 3 (pid 12) ended with code 1 ...". `doing` is doing(), `others` ended after it.
VerdictWords rankDied(const RankState& rank, const Ending& ending, const std::string& doing, const Ranks& others,
                      double into_the_run_s);
/// A rank of which only the launcher says that it failed; `failure` is the job's own sentence, or empty.
VerdictWords rankFailed(std::int64_t rank, const Ending& ending, const std::string& failure);
VerdictWords rankGaveUp(std::int64_t rank, int exit_code, const std::string& doing);
/// `failure` is the job's own sentence.
VerdictWords jobFailed(const std::string& failure);
VerdictWords jobNotStarted(const std::string& failure);

// --- mismatch
// ---------------------------------------------------------------------------------------------------------
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
struct FirstOther {
  std::int64_t rank = 0, epoch = 0, step = 0;
};
VerdictWords otherThanPlanned(std::int64_t batches, const Ranks& ranks, const FirstOther& first);
/// Each part is ranks() and doing().
VerdictWords circle(const Ranks& ranks, const std::vector<std::string>& parts, bool more, const std::string& time);
/// `waiting` is waitFor(), or empty.
VerdictWords doneWhileOthersWait(const Ranks& done, const std::string& waiting, const std::string& time);

// --- stalled
// ----------------------------------------------------------------------------------------------------------
/// " Ranks 0 and 2 wait for it in all_reduce.", said of the culprits; "different operations" without an operation.
std::string waitFor(const Ranks& waiting, const Ranks& culprits, const std::optional<std::string>& operation);
VerdictWords stopped(const RankState& rank, const std::string& doing, const std::string& waiting, double for_s);
VerdictWords noProgress(const Ranks& culprits, const RankState& first, const std::string& waiting,
                        const std::string& time);
VerdictWords stuckInside(const Operation& operation, const std::string& name, const std::string& time);
VerdictWords neverReported(const std::string& time);

// --- what is not known
// ------------------------------------------------------------------------------------------------
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

}  // namespace shardlens::words
