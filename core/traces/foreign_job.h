// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/wire/record.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace shardlens::traces {

/// An operation that a trace mentions and that is shown, but not joined with those of other ranks: it is none that this
/// program knows, or what would join it is not in the trace.
constexpr std::uint16_t kShownOnly = 255;

enum class CallState : std::uint8_t {
  Unknown,
  Scheduled,  ///< the program has called it
  Started,    ///< the device has begun it
  Completed,
  Passed,  ///< all ranks have called it; whether it is over is not told
};

/// One operation of one rank, as a trace has it. Times are of the clock of the rank's host; -1 = not told.
struct Call {
  std::int64_t created_ns = -1;
  std::int64_t completed_ns = -1;  ///< when it was seen to be over, which may be late
  std::uint64_t seq = 0;           ///< the group's own count of its operations, of any kind
  std::uint64_t bytes = 0;         ///< that the rank gives; 0: not told
  std::uint32_t group = 0;         ///< of the groups beside it
  std::uint32_t peer = SL_NO_PEER;
  std::uint32_t code = 0;         ///< of the codes beside it: where the program called it; 0 is empty
  std::uint32_t timeout_ms = 0;   ///< after which its rank gave it up; 0: it did not
  std::uint16_t op = kShownOnly;  ///< one of SL_OP_*
  CallState state = CallState::Unknown;

  [[nodiscard]] bool isOver() const { return state == CallState::Completed || state == CallState::Passed; }
};

/// A group of ranks, as a trace names it.
struct GroupFacts {
  std::string name;  ///< empty: the world
  std::string desc;
  std::optional<std::vector<std::int64_t>> members;  ///< ascending ranks of the world; nothing: not told

  bool operator==(const GroupFacts&) const = default;
};

/// What the trace of one rank holds.
struct RankTrace {
  std::int64_t rank = -1;
  std::string file;
  std::string host;  ///< empty: not told
  std::int64_t pid = 0;
  std::vector<Call> calls;  ///< in the order in which the rank called them
  std::vector<GroupFacts> groups;
  std::vector<std::string> codes{std::string()};
  std::vector<std::string> unknown_operations;  ///< their names, each once
  std::string version;
  bool is_wrapped = false;  ///< older calls were overwritten
  bool is_cut = false;      ///< newer ones may be missing: the file was not read to its end
  bool is_sampled = false;  ///< some are missing anywhere, and times of calls are not exact
};

/// A rank that did not answer when the others did.
struct MissingRank {
  std::int64_t rank = -1;
  std::string host;
  std::int64_t pid = 0;
  bool is_dead = false;  ///< it is considered dead by who asked it
};

/// What the traces of a job hold together.
struct ForeignJob {
  std::string source;  ///< "PyTorch Flight Recorder"
  std::string name;
  std::int64_t world_size = 0;
  std::vector<RankTrace>
      ranks;  ///< ascending; only those that have a trace. Their `groups` and `codes` are moved here:
  std::vector<GroupFacts> groups;  ///< the world is the first
  std::vector<std::string> codes;
  std::vector<MissingRank> missing;
  std::vector<std::string> notes;  ///< sentences: what was not read, and what is not known
  bool is_damaged = false;         ///< parts of the files could not be read
  bool tells_times = true;         ///< of the calls; otherwise none has any
};

/// How far the clock of a rank is from that of the first rank that has a trace.
struct ClockBound {
  std::int64_t offset_ns = 0;  ///< a time of this clock minus the same moment of the first one's
  std::int64_t error_ns = 0;
};

/// The bounds that the operations themselves give, for each of `job.ranks`: where all wait for all, no rank is seen to
/// have left before each has called. An offset of 0 is believed where it is possible, since hosts usually keep the time
/// of day. Nothing where no operations join the rank to the others, or where they contradict each other.
std::vector<std::optional<ClockBound>> clockBounds(const ForeignJob& job);

/// Whether this is a file of another tool's that can be read, or a folder with such files and without a segment of a
/// recording of ours. Looks at the first bytes only.
bool isForeignTrace(const std::filesystem::path& path);

/// Reads the traces of a job: a folder with one file a rank, or one file. What cannot be read is named in the notes;
/// BadInput when nothing can.
Result<ForeignJob> readForeignTrace(const std::filesystem::path& path, const Work& work = {});

}  // namespace shardlens::traces
