// SPDX-License-Identifier: Apache-2.0
#include "core/collect/node_agent.h"

#include "core/base/process.h"
#include "core/collect/agent_recording.h"
#include "core/collect/awaited_job.h"
#include "core/collect/collect_words.h"
#include "core/collect/job_ending.h"
#include "core/collect/node_source.h"
#include "core/collect/planned_batches.h"
#include "core/collect/recorded_run.h"
#include "core/launch/job_dir.h"
#include "core/launch/launch_command.h"
#include "core/launch/launchers/typed_command.h"
#include "core/record/recorder.h"
#include "core/wire/node_file.h"

#include <optional>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace shardlens {
namespace {

namespace fs = std::filesystem;

RunBegin beginOf(const NodeRequest& request, const fs::path& recording) {
  const std::vector<std::string> command = commandOfStart(request.start);
  RunBegin begin = beginHere();
  begin.name = command.empty() ? "job" : nameOfCommand(command);
  // The same for the agents of all hosts, and another one for each start.
  const fs::path below = recording.parent_path().filename() / recording.filename();
  begin.job_id = awaitedName(request.recording) + "/" + below.string();
  begin.command = commandText(command);
  begin.spec_yaml = awaitedDesign(request.recording);
  begin.reports = false;
  begin.ends_job = false;
  return begin;
}

/// What the loaders of a job draw that has a design.
std::optional<DrawnBatches> drawnOf(const RunBegin& begin, const fs::path& recording) {
  const PlannedBatches planned(begin.spec_yaml);
  if (!planned.plan()) return std::nullopt;
  return DrawnBatches(recording, planned.spec().dataset.size, planned.plan()->epochs(), begin.host);
}

/// What this host saw of the end: only its own processes.
RunEnd endOf(const RunState& state, const StartEnds& ends) {
  const std::string died = firstSentence(state, VerdictKind::Dead);
  if (!died.empty()) return {JobStatus::Failed, kJobFailed, died};
  std::vector<std::int64_t> unsaid;
  for (const RankState& rank : state.ranks) {
    if (rank.status == RankStatus::Ended && !ends.code_of.contains(rank.pid)) unsaid.push_back(rank.rank);
  }
  // Ranks that could not go on, and went without a word, did not come to their end.
  for (const VerdictKind kind : {VerdictKind::Stalled, VerdictKind::Mismatch}) {
    const std::string stuck = firstSentence(state, kind);
    if (!unsaid.empty() && !stuck.empty()) return {JobStatus::Failed, kJobFailed, stuck};
  }
  if (!unsaid.empty()) return {JobStatus::Unknown, kEnvironment, words::ranksEndedUnsaid(unsaid)};
  if (state.world_size > 1) return {JobStatus::Finished, kFine, {}};
  // Processes that are no ranks, such as those that read a loader and do not train, or train beside the one that is.
  for (const auto& [pid, code] : ends.code_of) {
    if (code != 0) return {JobStatus::Failed, kJobFailed, words::processEnded(pid, code)};
  }
  if (ends.unsaid > 0) return {JobStatus::Unknown, kEnvironment, words::processesEndedUnsaid(ends.unsaid)};
  return {JobStatus::Finished, kFine, {}};
}

/// The code of a rank that ended badly after its good-bye, or whose ring did not hear of it.
void tellCodes(RecordedRun& run, const StartEnds& ends) {
  for (const RankState& rank : run.state().ranks) {
    const auto found = ends.code_of.find(rank.pid);
    if (found != ends.code_of.end() && found->second != 0)
      run.event({eventTime(), LauncherSays{rank.rank, found->second, 0}});
  }
}

/// Sends what has come to the disk, without waiting for it, whenever time has passed.
class AgentSink : public EventSink {
 public:
  AgentSink(RecordedRun& run, StrayProbeFiles& strays) : run_(run), strays_(strays) {}

  void event(const Event& event) override {
    run_.event(event);
    if (!std::holds_alternative<Tick>(event.what)) return;
    (void)run_.writer().send();
    strays_.note();
    if (++ticks_ % kTicksBetweenMoves == 0) strays_.bringHome();
  }
  void records(std::int64_t rank, std::span<const sl_record> records) override { run_.records(rank, records); }

 private:
  static constexpr int kTicksBetweenMoves = 20;

  RecordedRun& run_;
  StrayProbeFiles& strays_;
  int ticks_ = 0;
};

/// Whether all of it is on the disk.
Result<void> record(const NodeRequest& request, const fs::path& recording, RecordingWriter writer) {
  const RunBegin begin = beginOf(request, recording);
  RecordedRun run(std::move(writer), {}, drawnOf(begin, recording));
  StrayProbeFiles strays(request.recording, recording, request.start);
  strays.note();
  run.event({eventTime(), begin});
  (void)run.writer().flush();
  NodeSource source(request.start);
  AgentSink sink(run, strays);
  drive(source, sink);
  strays.bringHome();
  tellCodes(run, source.ends());
  run.event({eventTime(), endOf(run.state(), source.ends())});
  return run.writer().flush();
}

/// Whatever it is, no other agent records it meanwhile.
Result<void> recordAlone(const NodeRequest& request) {
  const std::string host = thisRecorder().host;
  const std::uint64_t world = sl_node_look(request.start.c_str()).world;
  const auto recording = takeRecording(request.recording, world, host);
  if (!recording) return recording.error();
  auto writer = RecordingWriter::join(*recording);
  if (!writer) return writer.error();
  takeBackWord(request.recording, host);
  const auto recorded = record(request, *recording, *std::move(writer));
  leaveRecording(*recording, host);
  if (!recorded) sayNotRecorded(request.recording, host, recorded.error().message);
  return {};
}

}  // namespace

Result<void> recordStart(const NodeRequest& request) {
  const int lock = sl_node_agent_lock(request.start.c_str());
  if (lock < 0) return {};
  sl_node_own_for(request.start.parent_path().c_str(), getpid());
  JobDir::removeAbandoned();
  auto recorded = recordAlone(request);
  if (!recorded) {
    sayNotRecorded(request.recording, thisRecorder().host, recorded.error().message);
    giveUpStart(request.start);
  }
  close(lock);
  return recorded;
}

}  // namespace shardlens
