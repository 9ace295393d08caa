// SPDX-License-Identifier: Apache-2.0
#include "core/collect/collect_words.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/collect/index_text.h"

#include <algorithm>
#include <cstddef>

namespace shardlens::words {
namespace {

/// The first ones, and how many more there are.
std::string samplesText(const std::vector<SampleIndex>& samples) {
  constexpr std::size_t kMost = 16;
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < std::min(samples.size(), kMost); ++i) ids.push_back(std::to_string(samples[i]));
  const std::string text = join(ids, ", ");
  return samples.size() > kMost ? text + " and " + grouped(static_cast<std::int64_t>(samples.size() - kMost)) + " more"
                                : text;
}

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

Error noAgent() {
  return Error{ErrorCode::Environment,
               "This installation has no shardlens-agent, which records jobs that others start: it is neither next to "
               "shardlens nor in lib/shardlens.",
               {},
               "install it again"};
}

Error folderInUse(const std::string& path) {
  return Error{
      ErrorCode::Usage, "something already exists at this path.", {path, 0, 0, {}}, "name a new or an empty folder"};
}

Error nothingToWatch(const std::string& path) {
  if (!path.empty()) {
    return Error{ErrorCode::Usage,
                 "there is no recording, and no folder that `shardlens env` made for one.",
                 {path, 0, 0, {}},
                 {}};
  }
  return Error{ErrorCode::Usage,
               "no recording is in progress, and none is expected.",
               {},
               "put eval \"$(shardlens env)\" into the script of the job, or name a recording: shardlens watch DIR"};
}

std::string jobNotRecorded(const std::string& host, const std::string& why) {
  return "A job began on " + host + " and could not be recorded. " + (why.empty() ? "" : why + " ") +
         "Before the next one, fix that and evaluate `shardlens env` again.";
}

std::string noRankReported(const std::string& recording) {
  return "No rank has reported yet. If the job has begun, look whether it was started in the shell or script that "
         "evaluated `shardlens env`, whether SHARDLENS_PROBE is set in its ranks on every node, whether these use "
         "PyTorch's loaders or process groups, MPI or NCCL, and whether they can write to /dev/shm and to " +
         recording + ".\n";
}

std::string noRoomToRecord(const std::string& recording) {
  return "No rank has reported yet, and the file system of " + recording +
         " is full: a job that begins now cannot be recorded.\n";
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
  return Error{ErrorCode::Environment, filled(worded("launch", "The folder of the run cannot be created: %1."), why),
               Place{path, 0, 0, {}},
               worded("launch", "name another folder, for example with SHARDLENS_RUNS, or make this one writable")};
}

std::string endsBeforeItBegan() {
  return worded("record", "The recording ends before the job began.");
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
  return filled(worded("proof", "the sampler of rank %1 yields no whole numbers"), std::to_string(rank));
}

std::string startedTwice() {
  return worded("proof", "the ranks of this loader were started more than once, and only one start is compared");
}

std::string probeFileDamaged(std::int64_t rank) {
  return filled(worded("proof", "what the probe of rank %1 wrote is damaged"), std::to_string(rank));
}

std::string drawnNotRecorded(std::int64_t rank) {
  return filled(worded("proof", "rank %1 drew batches that are not recorded"), std::to_string(rank));
}

std::string rankDidNotEnd(std::int64_t rank) {
  return filled(worded("proof",
                       "rank %1 did not say that it ended: it was killed, it is still running, or it ended without "
                       "Python's exit handlers"),
                std::to_string(rank));
}

std::string datasetIsIterable(std::int64_t rank) {
  return filled(worded("proof", "the dataset of rank %1 is iterable, so its loader has no indices"),
                std::to_string(rank));
}

std::string ranksNotKnown() {
  return worded("proof",
                "several processes read this loader, and neither torch.distributed nor a launcher says which rank each "
                "of them is");
}

std::string rankZeroReadsForAll() {
  return worded("proof", "rank 0 reads this loader for all ranks, and the parts that it sent are not recorded");
}

std::string noBatchRecorded() {
  return worded("proof", "the recording holds no batch of this loader");
}

std::string extraReads(std::int64_t passes) {
  return passes == 1
             ? worded("proof",
                      "Not compared: 1 further pass over epochs that the job reads, such as a look at the first "
                      "batch or an evaluation.")
             : filled(worded("proof",
                             "Not compared: %1 further passes over epochs that the job reads, such as a look "
                             "at the first batch or an evaluation."),
                      grouped(passes));
}

Error noBatchInText(const std::string& name, const IndexText& text) {
  const std::string what =
      text.cut > 0 ? "every list of samples is cut with \"...\" or has no end: print them whole and on one line, as "
                     "with tensor.tolist()."
                   : "this is no recording, and no line of it lists a batch.";
  return {ErrorCode::BadInput,
          what,
          {name, 0, 0, {}},
          "one line for each batch, such as \"rank 0 epoch 1 step 3: 12 7 9\", or \"0 3 12 7 9\" for rank, step and "
          "samples"};
}

std::string textListsNoMore() {
  return "the text does not list them";
}

std::string countsFromOne(bool ranks, bool epochs, bool steps) {
  std::vector<std::string> names;
  if (ranks) names.emplace_back("ranks");
  if (epochs) names.emplace_back("epochs");
  if (steps) names.emplace_back("steps");
  return "The text is assumed to count " + join(names, " and ") +
         " from 1, which is closer to the plan; here they are counted from 0.";
}

std::string stepsCountOn(bool is_plan) {
  return std::string("The steps of the text are assumed to count on from epoch to epoch: ") +
         (is_plan ? "only then is it the plan." : "it is then closer to the plan.");
}

std::string samplesAtDifference(const std::vector<SampleIndex>& listed, const std::vector<SampleIndex>& planned) {
  return "The text has " + samplesText(listed) + " there, the plan " + samplesText(planned) + ".";
}

std::vector<std::string> notesOnText(const IndexText& text) {
  std::vector<std::string> notes;
  if (text.left_out > 0) {
    notes.push_back(counted(text.left_out, "line") + (text.left_out == 1 ? " lists" : " list") +
                    " no batch, or not clearly one, and " + (text.left_out == 1 ? "was" : "were") +
                    " left out; the first is line " + std::to_string(text.first_left_out) + ".");
  }
  if (text.cut > 0) {
    notes.push_back(
        counted(text.cut, "list") + (text.cut == 1 ? " was" : " were") +
        " left out: \"...\" is in them, or their end is missing. Print lists whole and on one line, as with "
        "tensor.tolist().");
  }
  if (text.again > 0) {
    notes.push_back(counted(text.again, "batch") + (text.again == 1 ? " is" : " are") +
                    " listed again, with the same samples; each counts once.");
  }
  if (!text.names_epochs) {
    notes.emplace_back(
        "In a line without an epoch, a step that is not above the last one of its rank begins the next epoch.");
  }
  return notes;
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

std::string bytesMore(std::int64_t bytes) {
  return " ... (" + counted(bytes, "more byte") + ")";
}

std::string recordingNotFollowed(const std::string& why) {
  return filled(worded("record", "The recording cannot be followed: %1"), why);
}

}  // namespace shardlens::words
