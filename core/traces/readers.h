// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/traces/foreign_job.h"
#include "core/traces/trace_tree.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace shardlens::traces {

/// Whether this is a dump of PyTorch's Flight Recorder, or a part of one.
bool isFlightRecorder(const TraceTree& tree);

/// Reads a dump of versions 1 and 2: whatever of its keys is there. Rank and file are left to the caller.
RankTrace readFlightRecorder(const TraceTree& tree);

/// Whether this is the status of NCCL's RAS as JSON.
bool isRas(const TraceTree& tree);

/// Reads a status: which communicators there are, who answers, and how many operations of each kind each rank has
/// launched. A rank that has launched fewer than others has not come to what these are in; whether what all have
/// launched is over, RAS does not know. Ranks are those of the largest communicator.
ForeignJob readRas(const TraceTree& tree);

/// NCCL 2.28 leaves out the comma between the device and the status of a missing rank: puts it there.
std::string withCommas(std::string_view bytes);

/// Collects the lines that NCCL's Inspector wrote, of all processes of a job. Each is about one operation that is over;
/// a communicator is written at intervals, so operations between two lines are missing. Ranks are those of the largest
/// communicator; a process that drives several of its ranks is read as far as its lines say which.
class InspectorLines {
 public:
  /// The lines of a file. Returns the offset of the first line that could not be read; npos when all could.
  std::size_t add(std::string_view bytes);
  /// Nothing was read.
  [[nodiscard]] bool isEmpty() const { return lines_.empty(); }
  [[nodiscard]] ForeignJob job() const;

  static bool isLine(const TraceTree& tree);

 private:
  struct Line {
    std::string communicator;
    std::string host;
    std::int64_t pid = 0;
    std::int64_t member = 0;
    std::int64_t size = 0;
    Call call;
  };
  using Process = std::pair<std::string, std::int64_t>;  ///< host and pid
  struct Members {
    std::set<std::int64_t> ranks;
    std::int64_t size = 0;
  };
  void addLine(const TraceTree& tree);
  [[nodiscard]] std::map<Process, std::set<std::int64_t>> drivers(const std::string& world) const;
  static void use(const Line& line, std::int64_t rank, const std::string& group, RankTrace& trace);
  [[nodiscard]] const std::string* largest() const;

  std::vector<Line> lines_;
};

/// Joins what the traces of ranks say: which groups are the same, which ranks there are, and which operations can be
/// matched between ranks. An operation that cannot (its other side may be among what was overwritten) stays to be
/// shown.
void joinRanks(ForeignJob& job);

}  // namespace shardlens::traces
