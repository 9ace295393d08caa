// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// Everything that people are told while a job runs and when it ends, in one place. What happened is decided elsewhere;
/// `why` is the system's reason without a full stop.
namespace shardlens::words {

// --- what keeps a job from starting
// -----------------------------------------------------------------------------------
/// "mpi_rank", "nccl_rank", "socket_rank".
Error noRankProgram(const std::string& name);
Error tooManyRanks(std::int64_t ranks, std::int64_t cores, std::int64_t most);
Error supervisorNotStarted(const std::string& program, const std::string& why);
Error noRunFolder(const std::string& path, const std::string& why);
std::string endsBeforeItBegan();

// --- how a job ended
// --------------------------------------------------------------------------------------------------
/// `signal` is signalName().
std::string launcherKilled(const std::string& launcher, const std::string& signal);
std::string launcherAskedToEnd(const std::string& launcher);
std::string noRankHeard(const std::string& launcher, std::int64_t ranks);
/// A rank and the last error line that it printed.
using RankSaid = std::pair<std::int64_t, std::string>;
/// `said` may be empty.
std::string rankFailed(std::int64_t rank, int exit_code, const std::string& said);
std::string launcherFailed(const std::string& launcher, int exit_code, const std::string& said);
/// The same when it is unknown which rank failed: what `said` has is named as each rank's own. `more` further ranks
/// said something, too; with `agree` all of them said the same.
std::string launcherFailed(const std::string& launcher, int exit_code, const std::vector<RankSaid>& said,
                           std::int64_t more, bool agree);

// --- why more of a rank may have been read than is known: clauses
// --------------------------------------------------------------------------------------------------
std::string itemsAreNoNumbers(std::int64_t rank);
std::string rankStartedTwice(std::int64_t rank);
std::string probeFileDamaged(std::int64_t rank);
std::string drawnNotRecorded(std::int64_t rank);
std::string rankDidNotEnd(std::int64_t rank);
std::string datasetIsIterable(std::int64_t rank);
/// Processes do not say which rank they are.
std::string ranksNotKnown();
std::string noBatchRecorded();

// --- what a proof left out: a sentence
// --------------------------------------------------------------------------------
std::string extraReads(std::int64_t passes);

// --- what happens to a running job
// ------------------------------------------------------------------------------------
/// This installation cannot observe the loaders of a command.
std::string noProbe();
std::string userStopped();
std::string signalPassedOn(const std::string& signal);
std::string terminalClosed();
std::string launcherStopped(const std::string& launcher);
std::string launcherContinues(const std::string& launcher);
std::string processesLeft();

// --- what is not recorded; the first two are among the lines of a rank
// ----------------------------------------------
std::string ringOfAnotherFormat();
std::string ringCutShort();
std::string tooMuchOutput();
/// What follows a printed line of which this many bytes were left out.
std::string bytesMore(std::int64_t bytes);
std::string recordingNotFollowed(const std::string& why);

}  // namespace shardlens::words
