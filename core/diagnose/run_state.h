// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/operation.h"
#include "core/record/event.h"
#include "core/timeline/timeline.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace shardlens {

/// The last lines of a run, oldest first. A copy shares the lines.
class RecentLines {
 public:
  RecentLines() = default;
  RecentLines(std::initializer_list<LogLine> lines) {
    for (const LogLine& line : lines) push(line);
  }

  void push(LogLine line) { lines_.push_back(std::make_shared<const LogLine>(std::move(line))); }
  void popFront() { lines_.pop_front(); }

  [[nodiscard]] std::size_t size() const { return lines_.size(); }
  [[nodiscard]] const LogLine& operator[](std::size_t index) const { return *lines_[index]; }
  /// Whether both have the very same line there, not merely an equal one.
  [[nodiscard]] bool shares(std::size_t index, const RecentLines& other, std::size_t other_index) const {
    return lines_[index] == other.lines_[other_index];
  }

 private:
  std::deque<std::shared_ptr<const LogLine>> lines_;
};

/// A long text that never changes; a copy shares it.
class SharedText {
 public:
  SharedText() = default;
  SharedText(std::string text) : text_(std::make_shared<const std::string>(std::move(text))) {}  // NOLINT
  SharedText(const char* text) : SharedText(std::string(text)) {}                                // NOLINT

  [[nodiscard]] const std::string& text() const {
    static const std::string kNone;
    return text_ == nullptr ? kNone : *text_;
  }
  bool operator==(const SharedText& other) const { return text_ == other.text_ || text() == other.text(); }

 private:
  std::shared_ptr<const std::string> text_;
};

enum class RankStatus {
  Unheard,  ///< no record yet
  Loading,
  Computing,
  InCollective,  ///< waiting for others, or transferring: see waits_for
  Between,       ///< running its own code, in no phase we know
  Stopped,       ///< the process is stopped (SIGSTOP)
  Done,          ///< said that it has finished
  Ended,         ///< ended itself with an error, or by the launcher or Stop, or how is not known
  Dead,          ///< the process is gone before it had come to its end, and was not told to stop
};

/// Everything known about one rank at one moment.
struct RankState {
  std::int64_t rank = 0;
  std::string host;
  std::int64_t pid = 0;
  RankStatus status = RankStatus::Unheard;
  std::optional<Operation> operation;  ///< that has been open longest, since the job's first record; nothing: in none
  std::string group;                   ///< of the operation: "group data"; empty for the world
  std::int64_t open_operations = 0;
  std::int64_t since_ns = 0;  ///< when the status began, since the job's first record
  std::int64_t epoch = 0;
  std::int64_t step = 0;        ///< the step it is in
  std::int64_t steps_done = 0;  ///< over all epochs
  std::int64_t samples = 0;     ///< consumed over all epochs
  double samples_per_s = 0;     ///< over the last seconds
  std::int64_t collectives = 0;
  std::int64_t load_ns = 0;  ///< totals, with what it is in at this moment
  std::int64_t compute_ns = 0;
  std::int64_t wait_ns = 0;      ///< in collectives before the last rank arrived
  std::int64_t transfer_ns = 0;  ///< in collectives after that
  std::int64_t matched = 0;      ///< batches that are the planned ones
  std::int64_t mismatched = 0;
  std::int64_t dropped = 0;  ///< records lost because the ring was full, or the recorder's disk too slow
  /// Records are missing, its own or those of a rank it waited for: all counts and times are at least what they say.
  bool has_gaps = false;
  bool is_measured = false;  ///< it reported something; otherwise its numbers say nothing
  /// Where its code has been since it last reported something, then where those of its loader workers are, by number,
  /// that read a batch for a while. Null while nothing is known.
  std::shared_ptr<const std::vector<RankStack>> stacks = {};
};

/// How late a rank arrives in collectives, after the first rank, over a window of the last 200 of each of its groups
/// before which a rank did any work (the barrier straight after an all-reduce shows nothing).
struct Arrival {
  std::int64_t rank = 0;
  std::int64_t collectives = 0;  ///< in the window
  std::int64_t last_in = 0;      ///< how many of them it entered last
  double median_ms = 0, p05_ms = 0, p95_ms = 0;
};

/// A line of the job's own code at which most samples of a late rank found it.
struct SampledLine {
  StackFrame place;          ///< without what stands there
  std::int64_t there = 0;    ///< samples that found the rank at it
  std::int64_t samples = 0;  ///< of so many

  bool operator==(const SampledLine&) const = default;
};

enum class VerdictKind {
  Straggler,  ///< the others wait for one rank, or for a set of them
  Wandering,  ///< much time is lost by waiting, and the last rank changes or is not known
  Starved,    ///< all ranks spend most of their time waiting for batches
  Paused,     ///< nothing happened for a while, and then the job continued
  Stalled,
  Mismatch,
  Dead,
  LaunchFailed,
  Lost,  ///< records, or the end of the recording
};

/// What is wrong with the job, verdict first.
struct Verdict {
  VerdictKind kind = VerdictKind::Straggler;
  std::int64_t rank = -1;
  std::string title;                     ///< "Everyone waits for rank 5"
  std::string message;                   ///< the sentence with the numbers
  std::string evidence;                  ///< where to look
  std::string next;                      ///< what to do
  double cost = 0;                       ///< what it costs, as a share (0..1) of the time that it is about
  std::vector<std::int64_t> ranks = {};  ///< the ranks it is about, ascending; empty: no particular ones
  std::optional<std::int64_t> from_ns = {}, to_ns = {};  ///< when, since the job's first record; nothing: not measured
  double lost_s = 0;                                     ///< time of all ranks that was spent waiting for these
  double gain_s = 0;                      ///< by how much shorter the job would be if all of these were fixed
  std::vector<double> gain_alone_s = {};  ///< the same if only one of `ranks` were fixed, for each of them
  double confidence = 1;                  ///< 1 minus the probability that chance does this
  std::string next_when_over = {};        ///< in place of `next` once the job's processes are gone; or empty
  bool says_title_first = false;          ///< the first sentence of `message` is the title
  bool says_places = false;               ///< `message` says where in the program its ranks were
  /// Where samples found its rank in silences about as long as the wait; `message` says it, too.
  std::optional<SampledLine> line = {};
};

/// How much a verdict matters: the job went on as it should, it costs time or knowledge, or it is wrong.
enum class Gravity : std::uint8_t { Note, Warning, Error };
Gravity gravityOf(VerdictKind kind);

/// "straggler", "stalled", ...: as the JSON of `replay` spells it.
const char* verdictName(VerdictKind kind);
/// "all_reduce", "all_reduce of group data", "recv from rank 3"; empty when the rank is in no operation.
std::string operationText(const RankState& rank);
/// "loading", "computing", "in all_reduce", ...: what a rank does, in words.
std::string statusText(const RankState& rank);

/// The first batch that is not the planned one.
struct FirstDifference {
  std::int64_t rank = 0, epoch = 0, step = 0;
};

/// A group of ranks other than the world.
struct GroupState {
  std::uint32_t group = 0;
  std::string name;
  std::shared_ptr<const std::vector<std::int64_t>> members;  ///< ascending; null: not known

  bool operator==(const GroupState&) const = default;
};

/// What a recording holds and this program could not read; none in live jobs.
struct Unread {
  std::int64_t damaged_bytes = 0;
  std::int64_t damaged_places = 0;
  std::int64_t unknown_frames = 0;   ///< of kinds that a newer version writes
  std::int64_t unknown_records = 0;  ///< of ranks, likewise

  bool operator==(const Unread&) const = default;
};

/// One moment of a job, live or replayed: an immutable value that only the reducer makes.
struct RunState {
  JobStatus status = JobStatus::Starting;
  std::string name;  ///< of the spec
  std::string host;
  bool reports = true;        ///< false: a command that may not report; its ranks are then not measured
  bool is_from_start = true;  ///< recorded since its command began; false: since its first rank was seen
  SharedText command;         ///< as a person would type it
  SharedText spec_yaml;       ///< the plan it runs
  std::int64_t world_size = 0;
  std::int64_t cores = 0;            ///< of `host`, to say when waits include scheduling
  std::int64_t elapsed_ns = 0;       ///< since the first record
  std::int64_t planned_steps = 0;    ///< over all epochs, of the longest rank
  std::int64_t planned_batches = 0;  ///< over all epochs and ranks; 0: not known
  int exit_code = 0;
  std::string failure;  ///< why the job failed, or why its end is not known, one sentence; empty otherwise
  std::vector<RankState> ranks;
  std::vector<Arrival> arrivals;
  std::vector<GroupState> groups;
  std::vector<Verdict> verdicts;            ///< most important first
  std::optional<std::int64_t> waiting_for;  ///< the rank that all other ranks are waiting for right now
  bool deadlocked = false;  ///< ranks are in different collectives: without help the job never continues
  /// Some ranks are in operations that other ranks are not in, and all others have finished. Means a standstill where
  /// ranks are in one operation at a time, and nothing moves for a while.
  bool none_can_go_on = false;
  std::optional<FirstDifference> first_difference;
  Timeline recent;  ///< the last seconds
  RecentLines log;  ///< the last lines
  std::int64_t dropped = 0;
  Unread unread;
  /// The largest error of a difference between times of two ranks; 0 when all events are of one clock. Nothing:
  /// unknown, as before the run's first event, or when the offset between two clocks is unknown.
  std::optional<double> clock_error_us;

  /// Whether its ranks count steps or samples, or are to; those of an MPI program that was not changed do not.
  [[nodiscard]] bool hasSteps() const;
  /// Ranks that were seen on `host`, the only one whose cores are known.
  [[nodiscard]] std::int64_t ranksOnHost() const;
  /// Whether these are more than its cores.
  [[nodiscard]] bool oversubscribed() const { return cores > 0 && ranksOnHost() > cores; }
};

/// The same, said of what a recording without an end knows last: "computing at the end".
std::string statusText(const RunState& state, const RankState& rank);

/// Whether a rank's number of samples says something: loaders of a command's job do not report them while it runs.
inline bool countsSamples(const RankState& rank) {
  return rank.samples > 0 || rank.steps_done == 0;
}

}  // namespace shardlens
