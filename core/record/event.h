// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/wire/ring.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace shardlens {

/// A call that had not returned.
struct StackFrame {
  std::string function;
  std::string file;  ///< as the process names it
  std::int64_t line = 0;
  std::string code;     ///< what stands in that line; empty: not known
  bool is_own = false;  ///< the job's own code, not that of an installed library

  bool operator==(const StackFrame&) const = default;
};

/// An exception that code was handling, as by a call in an `except` block, and where it was raised.
struct HandledException {
  std::string text;  ///< "ValueError: no number"
  std::string file;  ///< empty: not known
  std::int64_t line = 0;

  bool operator==(const HandledException&) const = default;
};

/// Samples of the code of a rank, taken since it reported something last: at which line it was most often.
struct QuietSamples {
  std::int64_t since_ns = 0;  ///< it reported nothing from here on, up to when the stack was taken: CLOCK_MONOTONIC
  std::int64_t samples = 0;   ///< the last one when the stack was taken
  std::int64_t there = 0;     ///< that found it at the place; 0: no place is known
  StackFrame place;           ///< the innermost call of its own code, without what stands there

  bool operator==(const QuietSamples&) const = default;
};

/// Where the Python code of a rank, or of a loader worker of it, was after it had reported nothing for a while. Read in
/// that process itself.
struct RankStack {
  std::int64_t rank = 0;
  std::int64_t taken_ns = 0;  ///< when they were read: CLOCK_MONOTONIC; in a RankState since the job's first record
  std::int64_t pid = 0;       ///< of the process whose calls these are
  std::optional<std::int64_t> worker = {};       ///< its number in its DataLoader; nothing: the rank itself
  std::optional<std::int64_t> owed_by = {};      ///< the worker that has the batch which the rank waits for
  std::optional<std::int64_t> owed_by_pid = {};  ///< its process
  std::optional<std::int64_t> sample = {};       ///< that it reads from its dataset
  std::optional<HandledException> exception = {};
  std::vector<StackFrame> frames = {};     ///< the call that began first comes first; none: that is over
  std::optional<QuietSamples> quiet = {};  ///< of the rank itself; nothing: an older probe

  bool operator==(const RankStack&) const = default;
};

/// How far a job has come, and how it ended. Unknown: no observer could tell, or the recording ends before the job is
/// known to have ended.
enum class JobStatus { Starting, Running, Finished, Failed, Stopped, Unknown };

/// Whether the job is starting or running.
constexpr bool isUnderWay(JobStatus status) {
  return status == JobStatus::Starting || status == JobStatus::Running;
}

/// One line of what the ranks or the launcher print, or of what ShardLens says beside that.
struct LogLine {
  static constexpr std::int64_t kLauncher = -1;
  static constexpr std::int64_t kOwn = -2;  ///< of ShardLens itself

  std::int64_t rank = kLauncher;  ///< or one of the above
  bool is_error = false;
  std::string text;
};

/// How every recording begins: what was launched, from which spec, and where.
struct RunBegin {
  std::string name;     ///< the spec's name
  std::string job_id;   ///< unique on this host
  std::string command;  ///< as a person would type it
  std::string spec_yaml;
  std::string host;
  std::int64_t world_size = 0;
  std::int64_t nodes = 1;            ///< of the spec; more than one is emulated on one host
  std::int64_t cores = 0;            ///< that this job may use
  std::int64_t planned_steps = 0;    ///< over all epochs, of the longest rank
  std::int64_t planned_batches = 0;  ///< over all epochs and ranks; 0: not known
  std::int64_t started_unix_ns = 0;
  bool ends_job = true;  ///< its recorder ends the job when it is asked to end; false: it only looks on
  bool reports = true;   ///< false: a command of the user's that may not speak the wire format
};

/// One record of a rank's ring.
struct RankRecord {
  std::int64_t rank = 0;
  sl_record record{};
};

/// What a rank's "what am I in" slot said, which is true even when its ring is full.
struct RankSlot {
  std::int64_t rank = 0;
  sl_slot slot{};
};

enum class ProcessState : std::uint8_t { Running, Stopped, Gone };

/// The operating system's view of a rank's process; sent when it changes.
struct RankProcess {
  std::int64_t rank = 0;
  std::int64_t pid = 0;
  ProcessState state = ProcessState::Running;
  std::string host;
};

/// Records of a rank lost so far, because its ring was full or the recorder's disk too slow.
struct RankDropped {
  std::int64_t rank = 0;
  std::int64_t total = 0;
};

/// What the launcher says about the end of a rank, as a fact and not in its words; or that the launcher itself was
/// ended from outside, and its ranks with it.
struct LauncherSays {
  std::int64_t rank = -1;  ///< -1: the launcher itself
  int exit_code = 0;       ///< 0 = it names none
  int signal = 0;          ///< that ended the rank; 0 = it says none
};

/// How far a clock is from the reference, clock 0 of the run.
struct ClockOffset {
  std::int64_t offset_ns = 0;  ///< a time of this clock minus the same moment of the reference
  std::int64_t error_ns = 0;   ///< the true offset is within this, in either direction
};

/// A clock that events name by its number: CLOCK_MONOTONIC of one host since its boot. A run whose events all have
/// clock 0 needs none of these. A later one about the same clock replaces the one before.
struct RunClock {
  std::uint32_t clock = 0;
  std::string host;
  std::optional<ClockOffset>
      offset;  ///< nothing: not known, so its times cannot be compared with those of other clocks
};

/// The supervisor begins to end the job: ranks that end from now on were told to.
struct RunStopping {
  bool by_user = false;
  std::string why;  ///< one sentence
};

/// The end of every complete recording.
struct RunEnd {
  JobStatus status = JobStatus::Finished;
  int exit_code = 0;    ///< of `shardlens run`
  std::string failure;  ///< one sentence; empty when nothing failed
};

/// Not in any file: the reader adds it to a recording that has no RunEnd and is no longer written.
struct RecordingLost {
  std::string why;                 ///< empty: that it has no end is all that is known
  bool says_no_end_first = false;  ///< `why` begins with the sentence that the recording has no end
};

/// Not in any file: the reader adds it where bytes were damaged; what they held is unknown.
struct FramesDamaged {
  std::int64_t bytes = 0;  ///< that were skipped up to the next whole frame
};

/// Not in any file: the reader adds it in place of a frame of an unknown kind.
struct FrameUnknown {
  std::uint16_t kind = 0;
};

/// Time has passed; written so that a follower of the file knows that its writer is alive.
struct Tick {};

/// One thing that happened in a run. A run is a sequence of events; RunState is what the Reducer makes of it.
struct Event {
  std::int64_t time_ns = 0;  ///< CLOCK_MONOTONIC of the host
  std::variant<Tick, RunBegin, RankRecord, RankSlot, RankProcess, RankDropped, LogLine, RunStopping, RunEnd,
               LauncherSays, RunClock, RankStack, RecordingLost, FramesDamaged, FrameUnknown>
      what;
  std::uint32_t clock = 0;  ///< that time_ns is of; 0: the clock of the host that recorded the RunBegin
};

}  // namespace shardlens
