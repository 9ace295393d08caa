// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verbs/rehearse/rehearsal.h"

#include "app/cli/verb.h"
#include "core/collect/job.h"
#include "core/collect/supervisor.h"
#include "core/launch/job_dir.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace shardlens::cli {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

/// The records of all ranks have come by then.
constexpr milliseconds kStill{500};
constexpr std::chrono::seconds kMostToStart{60};

/// Looks at a job until it is over, stands still, or has had its time.
class Onlooker {
 public:
  explicit Onlooker(milliseconds most) : most_(most) {}

  std::string whyEnd(const RunState& state) {
    if (end_) return {};  // what ranks do when they are ended is not what they did
    last_ = state;
    const auto now = Clock::now();
    const bool all_heard =
        std::ranges::none_of(state.ranks, [](const RankState& one) { return one.status == RankStatus::Unheard; });
    if (!all_heard || state.ranks.empty()) {
      begun_ = moved_ = now;
      return now - made_ > kMostToStart ? "The ranks do not start." : "";
    }
    std::vector<std::int64_t> done;
    for (const RankState& rank : state.ranks) done.push_back(rank.collectives);
    if (std::exchange(done_, done) != done || !state.none_can_go_on) moved_ = now;
    if (now - moved_ >= kStill) {
      end_ = Rehearsal::End::StandsStill;
      return "The job stands still.";
    }
    if (now - begun_ < most_) return {};
    end_ = Rehearsal::End::NotToTheEnd;
    return "The time of the rehearsal is over.";
  }

  [[nodiscard]] const RunState& last() const { return last_; }
  [[nodiscard]] std::optional<Rehearsal::End> end() const { return end_; }

 private:
  milliseconds most_;
  Clock::time_point made_ = Clock::now(), begun_ = made_, moved_ = made_;
  std::vector<std::int64_t> done_;
  RunState last_;
  std::optional<Rehearsal::End> end_;
};

/// The operation that the rank is in: it has left so many.
Result<RankPlace> placeOf(const schedule::Schedule& schedule, const RankState& rank) {
  RankPlace place{rank.rank, std::nullopt, rank.status == RankStatus::Done};
  if (!rank.operation) return place;
  schedule::Cursor cursor;
  std::int64_t looks = std::numeric_limits<std::int64_t>::max();
  for (std::int64_t left = rank.collectives; left >= 0;) {
    auto next = schedule.next(Rank{rank.rank}, cursor, looks);
    if (!next) return next.error();
    if (!*next) return place;
    if (isLocal((*next)->kind)) continue;
    if (left-- == 0) place.in = **next;
  }
  return place;
}

/// Which of our programs performs schedules.
Result<void> checkProgram(const PipelineSpec& spec, const std::string& launcher) {
  const std::string& name = launcher.empty() ? spec.run.launcher : launcher;
  const auto kind = launcherKind(name);
  if (!kind) return kind.error();
  const auto program = ownProgram(**kind, spec.run.program);
  if (!program) return program.error();
  if (*program == "mpi_rank") return {};
  return Error{ErrorCode::Usage,
               "mpi_rank alone performs a schedule, and " + name + " would start " + *program + " here.",
               {{}, 0, 0, "run.program"},
               "run.program: mpi_rank, and --launcher mpirun"};
}

}  // namespace

PipelineSpec withoutDurations(PipelineSpec spec) {
  spec.run.load_ms = spec.run.compute_ms = 0;
  spec.run.delays.clear();
  for (PipelineSpec::Phase& phase : spec.schedule) phase.ms = 0;
  return spec;
}

Result<Rehearsal> rehearse(const Plan& plan, const std::string& launcher, milliseconds most) {
  if (auto can = checkProgram(plan.spec(), launcher); !can) return can.error();
  becomeRecorder();
  const auto folder = JobDir::make();  // of the recording, which nobody keeps
  if (!folder) return folder.error();
  JobRequest request;
  request.launcher = launcher;
  request.run_file = (folder->path() / "rehearsal.slrun").string();
  request.grace = milliseconds(1000);
  auto job = makeJob(plan, request);
  if (!job) return job.error();
  if (!job->launch) return job->launch.error();
  auto writer = RecordingWriter::create(request.run_file);
  if (!writer) return writer.error();
  Onlooker onlooker(most);
  Rehearsal seen;
  const auto hear = [&seen](const LogLine& line) {
    if (auto result = schedule::resultIn(line.text)) seen.results.push_back(*std::move(result));
  };
  Supervisor supervisor(std::move(*job), std::move(*writer),
                        {{}, hear, [&onlooker](const RunState& state) { return onlooker.whyEnd(state); }});
  const RunState state = supervisor.run();
  seen.failure = state.failure;
  seen.end =
      onlooker.end().value_or(state.status == JobStatus::Finished ? Rehearsal::End::Through : Rehearsal::End::Failed);
  if (seen.end == Rehearsal::End::Through) return seen;
  const schedule::Schedule schedule(plan);
  for (const RankState& rank : onlooker.last().ranks) {
    auto place = placeOf(schedule, rank);
    if (!place) return place.error();
    seen.places.push_back(*std::move(place));
  }
  return seen;
}

namespace {

bool isWhere(const schedule::Hang& predicted, const Rehearsal& seen) {
  for (const Rank rank : predicted.waiting) {
    const auto& in = seen.places[static_cast<std::size_t>(rank.value)].in;
    if (!in || in->kind != predicted.operation.kind || in->group != predicted.operation.group) return false;
  }
  return std::ranges::all_of(predicted.absent, [&](const schedule::Absent& absent) {
    const RankPlace& place = seen.places[static_cast<std::size_t>(absent.rank.value)];
    return absent.waits_in ? place.in == absent.waits_in : place.has_finished;
  });
}

}  // namespace

std::optional<bool> agrees(const std::optional<schedule::Hang>& predicted, const Rehearsal& seen) {
  using End = Rehearsal::End;
  if (seen.end == End::NotToTheEnd) return std::nullopt;
  if (!predicted) return seen.end == End::Through;
  if (seen.end == End::StandsStill && isWhere(*predicted, seen)) return true;
  return predicted->cause == schedule::Hang::Cause::Differs ? std::nullopt : std::optional(false);
}

}  // namespace shardlens::cli
