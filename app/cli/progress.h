// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/work.h"

#include <chrono>
#include <cstdint>

namespace shardlens::cli {

/// One line on stderr, "37 %", that says how far a long verb is: only on a terminal, only for work that takes longer
/// than a moment, gone when the work is done or this is destroyed.
class Progress {
 public:
  Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }

  /// Work whose 0..1 is shown as parts first .. first + count of `all`. Must not outlive this.
  [[nodiscard]] Work part(std::int64_t first, std::int64_t count, std::int64_t all);
  [[nodiscard]] Work whole() { return part(0, 1, 1); }
  /// Wipes the line, so that an answer or an error can follow.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void show(double fraction);

  bool is_terminal_;
  Clock::time_point next_;
  int shown_ = -1;  ///< per cent; -1 is no line
};

}  // namespace shardlens::cli
