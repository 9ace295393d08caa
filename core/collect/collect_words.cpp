// SPDX-License-Identifier: Apache-2.0
#include "core/collect/collect_words.h"

#include "core/base/phrase.h"
#include "core/base/text.h"

#include <algorithm>
#include <cstddef>

namespace shardlens::words {
namespace {

std::string endedWith(const std::string& who, int exit_code) {
  return who + " ended with code " + std::to_string(exit_code);
}

/// "Rank 3 ended with code 1: out of memory"; what a program said has its own end.
std::string saying(const std::string& what, const std::string& said) {
  return what + (said.empty() ? "." : ": " + said);
}

/// Within a sentence.
std::string launcherInside(const Starter& launcher) {
  return (launcher.is_command ? "the command " : "the launcher ") + launcher.name;
}

std::string launcherNamed(const Starter& launcher) {
  std::string name = launcherInside(launcher);
  name.front() = 'T';
  return name;
}

}  // namespace

Error noRunFolder(const std::string& path, const std::string& why) {
  return Error::inFile(
      ErrorCode::Environment, path, filled(worded("launch", "The folder of the run cannot be created: %1."), why),
      worded("launch", "name another folder, for example with SHARDLENS_RUNS, or make this one writable"));
}

std::string launcherKilled(const Starter& launcher, const std::string& signal) {
  return launcherNamed(launcher) + " was ended by " + signal + ", and the ranks ended with it.";
}

std::string commandKilled(const Starter& launcher, const std::string& signal) {
  return launcherNamed(launcher) + " was ended by " + signal + ".";
}

std::string launcherAskedToEnd(const Starter& launcher) {
  return "Another process asked " + launcherInside(launcher) + " to end, and it ended the ranks.";
}

std::string noRankHeard(const Starter& launcher, std::int64_t ranks) {
  return endedWith(launcherNamed(launcher), 0) + ", but " +
         (ranks == 1 ? "its rank never reported anything."
                     : "none of its " + grouped(ranks) + " ranks ever reported anything.");
}

std::string ranksEndedUnsaid(const std::vector<std::int64_t>& ranks) {
  constexpr std::size_t kMost = 8;
  std::vector<std::string> named;
  for (std::size_t i = 0; i < std::min(ranks.size(), kMost); ++i) named.push_back(std::to_string(ranks[i]));
  const std::string more = ranks.size() > kMost ? " and " + std::to_string(ranks.size() - kMost) + " more" : "";
  return (ranks.size() == 1 ? "Rank " : "Ranks ") + join(named, ", ") + more +
         " ended without saying how, as after os._exit() or a signal.";
}

std::string processesEndedUnsaid(std::int64_t processes) {
  return counted(processes, "process") + " of the job ended without saying how, as after os._exit() or a signal.";
}

std::string processEnded(std::int64_t pid, int exit_code) {
  return endedWith("A process of the job (pid " + std::to_string(pid) + ")", exit_code) + ".";
}

std::string rankFailed(std::int64_t rank, int exit_code, const std::string& said) {
  return saying(endedWith("Rank " + std::to_string(rank), exit_code), said);
}

std::string launcherFailed(const Starter& launcher, int exit_code, const std::string& said) {
  return saying(endedWith(launcherNamed(launcher), exit_code), said);
}

std::string launcherFailed(const Starter& launcher, int exit_code, const std::vector<RankSaid>& said, std::int64_t more,
                           bool agree) {
  if (agree) return launcherFailed(launcher, exit_code, said.front().second);
  const std::string text = endedWith(launcherNamed(launcher), exit_code);
  if (said.size() == 1 && more == 0)
    return text + ". The last error line of rank " + std::to_string(said[0].first) + ": " + said[0].second;
  std::vector<std::string> lines;
  lines.reserve(said.size());
  for (const auto& [rank, line] : said) lines.push_back("rank " + std::to_string(rank) + ": " + line);
  return text + ". The last error lines: " + join(lines, "; ") +
         (more == 0 ? "" : "; and those of " + counted(more, "more rank"));
}

std::string noProbe() {
  return "This installation has no probe for PyTorch: the command runs, and what its loaders do is not recorded.";
}

std::string probeNotNamed() {
  return "The path of the probe for PyTorch has a colon, which PYTHONPATH cannot name: the command runs, and what its "
         "loaders do is not recorded.";
}

std::string noMpiProbe() {
  return "This installation has no probe for MPI: the command runs, and what its MPI ranks wait for is not recorded.";
}

std::string mpiProbeNotNamed() {
  return "The path of the probe for MPI has a blank or a colon, which LD_PRELOAD cannot name: the command runs, and "
         "what "
         "its MPI ranks wait for is not recorded.";
}

std::string noNcclProbe() {
  return "This installation has no probe for NCCL: the command runs, and what its NCCL operations wait for is not "
         "recorded.";
}

std::string ncclProbeNotNamed() {
  return "The path of the probe for NCCL is longer than the 254 bytes that NCCL reads: the command runs, and what its "
         "NCCL operations wait for is not recorded.";
}

std::string otherNcclPlugin(const std::string& plugin) {
  return "NCCL_PROFILER_PLUGIN names " + plugin +
         " and is left as it is: what the job's NCCL operations wait for is not recorded.";
}

std::string userStopped() {
  return "The user stopped the job.";
}

std::string askedToStop(const std::string& signal) {
  return "ShardLens got " + signal + ", which asks it to end, and stopped the job.";
}

std::string signalPassedOn(const std::string& signal) {
  return "Passed " + signal + " on to the job.";
}

std::string terminalClosed() {
  return "The terminal was closed; the job and its recording continue.";
}

std::string launcherStopped(const Starter& launcher) {
  return launcherNamed(launcher) +
         " was stopped by a signal: until it gets SIGCONT, it prints nothing and does not notice when a rank ends.";
}

std::string launcherContinues(const Starter& launcher) {
  return launcherNamed(launcher) + " continues.";
}

std::string processesLeft() {
  return "Some processes of the job could not be killed: look for them with ps.";
}

std::string ringOfAnotherFormat() {
  return "This rank is not measured: its program was built with another version of ShardLens, and its ring has another "
         "format.";
}

std::string ringCutShort() {
  return "This rank is not measured from here on: its ring was cut short.";
}

std::string tooMuchOutput() {
  return "Further output was not recorded: there is too much of it.";
}

std::string ranksStartedAgain() {
  return "The command started ranks again. Steps and waits are recorded only for the first start, what loaders read "
         "for every start.";
}

std::string ranksOfOtherWorld(std::int64_t told, std::int64_t size) {
  return "The processes are not one world of " + counted(size, "rank") + ": the first reports a world of " +
         counted(told, "rank") + ". Only that world is shown and recorded.";
}

}  // namespace shardlens::words
