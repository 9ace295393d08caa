// SPDX-License-Identifier: Apache-2.0
#include "core/collect/collect_words.h"

#include "core/base/phrase.h"
#include "core/base/text.h"

namespace shardlens::words {
namespace {

std::string endedWith(const std::string& who, int exit_code) {
  return who + " ended with code " + std::to_string(exit_code);
}

/// "Rank 3 ended with code 1: out of memory"; what a program said has its own end.
std::string saying(const std::string& what, const std::string& said) {
  return what + (said.empty() ? "." : ": " + said);
}

std::string launcherNamed(const std::string& launcher) {
  return (launcher.starts_with("command ") ? "The " : "The launcher ") + launcher;
}

}  // namespace

Error noRankProgram(const std::string& name) {
  return Error{
      ErrorCode::Environment,
      filled(worded("launch",
                    "This installation has no %1: the program is neither next to shardlens nor in lib/shardlens."),
             name),
      Place{{}, 0, 0, "run.program"},
      name == "nccl_rank"  ? worded("launch", "build where CUDA and NCCL are found, or use run.program: mpi_rank")
      : name == "mpi_rank" ? worded("launch", "build with SHARDLENS_MPI=ON, or use run.program: socket_rank")
                           : worded("launch", "install it again")};
}

Error tooManyRanks(std::int64_t ranks, std::int64_t cores, std::int64_t most) {
  return Error{ErrorCode::Usage,
               filled(worded("launch", "%1 would all be started on this host; with its %2, the limit is %3."),
                      wordedCount(ranks, "rank"), wordedCount(cores, "core"), grouped(most)),
               Place{{}, 0, 0, "world"},
               worded("launch", "run a smaller world; plan, audit and lens handle the whole one")};
}

Error supervisorNotStarted(const std::string& program, const std::string& why) {
  return Error{ErrorCode::Environment,
               filled(worded("launch", "The program that supervises the job cannot be started: %1."), why),
               Place{program, 0, 0, {}},
               worded("launch", "install all of ShardLens: the studio needs the program shardlens next to it")};
}

Error noRunFolder(const std::string& path, const std::string& why) {
  return Error{ErrorCode::Io, filled(worded("launch", "The folder of the run cannot be created: %1."), why),
               Place{path, 0, 0, {}},
               worded("launch", "free some space there, or set SHARDLENS_RUNS to another folder")};
}

std::string endsBeforeItBegan() {
  return worded("record", "The recording ends before the job began.");
}

std::string launcherKilled(const std::string& launcher, const std::string& signal) {
  return launcherNamed(launcher) + " was ended by " + signal + ", and the ranks ended with it.";
}

std::string launcherAskedToEnd(const std::string& launcher) {
  return "Another process asked the launcher " + launcher + " to end, and it ended the ranks.";
}

std::string noRankHeard(const std::string& launcher, std::int64_t ranks) {
  return endedWith(launcherNamed(launcher), 0) + ", but " +
         (ranks == 1 ? "its rank never reported anything."
                     : "none of its " + grouped(ranks) + " ranks ever reported anything.");
}

std::string rankFailed(std::int64_t rank, int exit_code, const std::string& said) {
  return saying(endedWith("Rank " + std::to_string(rank), exit_code), said);
}

std::string launcherFailed(const std::string& launcher, int exit_code, const std::string& said) {
  return saying(endedWith(launcherNamed(launcher), exit_code), said);
}

std::string launcherFailed(const std::string& launcher, int exit_code, const std::vector<RankSaid>& said,
                           std::int64_t more, bool agree) {
  if (agree) return launcherFailed(launcher, exit_code, said.front().second);
  const std::string text = endedWith(launcherNamed(launcher), exit_code);
  if (said.size() == 1 && more == 0) {
    return text + ". The last error line of rank " + std::to_string(said[0].first) + ": " + said[0].second;
  }
  std::vector<std::string> lines;
  lines.reserve(said.size());
  for (const auto& [rank, line] : said) lines.push_back("rank " + std::to_string(rank) + ": " + line);
  return text + ". The last error lines: " + join(lines, "; ") +
         (more == 0 ? "" : "; and those of " + counted(more, "more rank"));
}

std::string itemsAreNoNumbers(std::int64_t rank) {
  return "the sampler of rank " + std::to_string(rank) + " yields no whole numbers";
}

std::string rankStartedTwice(std::int64_t rank) {
  return "rank " + std::to_string(rank) + " was started more than once, and only its last process is compared";
}

std::string probeFileDamaged(std::int64_t rank) {
  return "what the probe of rank " + std::to_string(rank) + " wrote is damaged";
}

std::string drawnNotRecorded(std::int64_t rank) {
  return "rank " + std::to_string(rank) + " drew batches that are not recorded";
}

std::string rankDidNotEnd(std::int64_t rank) {
  return "rank " + std::to_string(rank) +
         " did not say that it ended: it was killed, it is still running, or it ended without Python's exit handlers";
}

std::string datasetIsIterable(std::int64_t rank) {
  return "the dataset of rank " + std::to_string(rank) + " is iterable, so its loader has no indices";
}

std::string ranksNotKnown() {
  return "several processes read this loader, and neither torch.distributed nor a launcher says which rank each of "
         "them is";
}

std::string noBatchRecorded() {
  return "the recording holds no batch of this loader";
}

std::string extraReads(std::int64_t passes) {
  return "Not compared: " + (passes == 1 ? "1 further pass" : grouped(passes) + " further passes") +
         " over epochs that the job reads, such as a look at the first batch or an evaluation.";
}

std::string noProbe() {
  return "This installation has no probe for PyTorch: the command runs, and what its loaders do is not recorded.";
}

std::string userStopped() {
  return "The user stopped the job.";
}

std::string signalPassedOn(const std::string& signal) {
  return "Passed " + signal + " on to the job.";
}

std::string terminalClosed() {
  return "The terminal was closed; the job and its recording continue.";
}

std::string launcherStopped(const std::string& launcher) {
  return launcherNamed(launcher) +
         " was stopped by a signal: until it gets SIGCONT, it prints nothing and does not notice when a rank ends.";
}

std::string launcherContinues(const std::string& launcher) {
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

std::string bytesMore(std::int64_t bytes) {
  return " ... (" + counted(bytes, "more byte") + ")";
}

std::string recordingNotFollowed(const std::string& why) {
  return filled(worded("record", "The recording cannot be followed: %1"), why);
}

}  // namespace shardlens::words
