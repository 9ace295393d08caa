// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// All sentences that are printed while a job runs and when it ends, in one place. Callers decide what happened; `why`
/// is the system's reason without a full stop.
namespace shardlens::words {

/// The program that starts the ranks.
struct Starter {
  std::string name;         ///< "mpirun", "train.sh"
  bool is_command = false;  ///< it is called a command, and not a launcher
};

// --- what keeps a job from starting
Error noRunFolder(const std::string& path, const std::string& why);

// --- how a job ended
/// `signal` is signalName().
std::string launcherKilled(const Starter& launcher, const std::string& signal);
std::string launcherAskedToEnd(const Starter& launcher);
/// Of one that is perhaps its only rank itself.
std::string commandKilled(const Starter& launcher, const std::string& signal);
std::string noRankHeard(const Starter& launcher, std::int64_t ranks);
/// Of jobs whose launcher ShardLens does not see.
std::string ranksEndedUnsaid(const std::vector<std::int64_t>& ranks);
std::string processesEndedUnsaid(std::int64_t processes);
std::string processEnded(std::int64_t pid, int exit_code);
/// A rank and the last error line that it printed.
using RankSaid = std::pair<std::int64_t, std::string>;
/// `said` may be empty.
std::string rankFailed(std::int64_t rank, int exit_code, const std::string& said);
std::string launcherFailed(const Starter& launcher, int exit_code, const std::string& said);
/// The same when it is unknown which rank failed: what `said` has is named as each rank's own. `more` further ranks
/// said something, too; with `agree` all of them said the same.
std::string launcherFailed(const Starter& launcher, int exit_code, const std::vector<RankSaid>& said, std::int64_t more,
                           bool agree);

// --- what happens to a running job
/// This installation cannot observe the loaders of a command.
std::string noProbe();
std::string probeNotNamed();
/// Likewise, its MPI ranks.
std::string noMpiProbe();
std::string mpiProbeNotNamed();
/// Likewise, what its NCCL communicators wait for; the user has named another plugin.
std::string noNcclProbe();
std::string ncclProbeNotNamed();
std::string otherNcclPlugin(const std::string& plugin);
std::string userStopped();
/// `signal` is signalName(): not by the keyboard.
std::string askedToStop(const std::string& signal);
std::string signalPassedOn(const std::string& signal);
std::string terminalClosed();
std::string launcherStopped(const Starter& launcher);
std::string launcherContinues(const Starter& launcher);
std::string processesLeft();

// --- what is not recorded; the first two are among the lines of a rank
std::string ringOfAnotherFormat();
std::string ringCutShort();
std::string tooMuchOutput();
/// Ranks of a second start have come.
std::string ranksStartedAgain();
/// The processes that were started as `size` ranks are in worlds of `told`.
std::string ranksOfOtherWorld(std::int64_t told, std::int64_t size);

}  // namespace shardlens::words
