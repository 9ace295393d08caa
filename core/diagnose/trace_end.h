// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shardlens {

/// An operation in the trace of a rank that another tool wrote.
struct TracedCall {
  std::string operation;  ///< "all_reduce #41 of group data"
  std::string state;      ///< "scheduled", "started", "completed"; empty: not told
  std::string code;       ///< where the program called it: "step (train.py:31)"; empty: not told
};

/// How the traces of a job end, when another tool wrote them: when it noticed that the job hangs, or when it was asked.
/// Such a trace is a still: no time passes after its last operation, and nothing says how long the job stood there.
struct TraceEnd {
  /// Whether whoever asked the rank got an answer.
  enum class Lost : std::uint8_t { No, Silent, Dead };
  struct OfRank {
    std::optional<TracedCall> open;    ///< the oldest that is not over
    std::optional<TracedCall> newest;  ///< nothing: the rank called none
    bool is_cut = false;               ///< newer operations may be missing
    Lost lost = Lost::No;
  };
  std::vector<OfRank> ranks;  ///< by rank; empty where a rank has no trace
  std::string source;         ///< "PyTorch Flight Recorder"
  bool tells_times = true;
};

}  // namespace shardlens
