// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
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
  std::vector<StackFrame> frames = {};  ///< the call that began first comes first

  bool operator==(const RankStack&) const = default;
};

}  // namespace shardlens
