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

}  // namespace shardlens::traces
