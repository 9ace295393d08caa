// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb.h"
#include "core/base/thread_annotations.h"
#include "core/base/work.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <thread>

namespace shardlens::cli {

/// Says on stderr how far a long verb is, once it takes longer than two seconds: on a terminal in one line that is
/// written anew and goes when the work is done, elsewhere in a line every few seconds. A thread of its own does it, so
/// that it also speaks while nothing is reported.
class Progress {
 public:
  /// With `quiet` it says nothing.
  explicit Progress(bool quiet);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }

  /// Work whose 0..1 is shown as parts first .. first + count of `all`. Must not outlive this.
  [[nodiscard]] Work part(std::int64_t first, std::int64_t count, std::int64_t all);
  [[nodiscard]] Work whole() { return part(0, 1, 1); }
  /// Ends it, so that an answer or an error can follow.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void speak(const std::stop_token& stop);
  void show(std::chrono::seconds taken);

  Clock::time_point start_ = Clock::now();
  bool is_terminal_;
  bool is_shown_ = false;          ///< a line stands on the terminal; of the thread while there is one
  std::atomic<int> percent_ = -1;  ///< -1: nothing was reported
  Mutex mutex_;
  std::condition_variable_any woken_;
  std::jthread thread_;  ///< last: it uses all of the above
};

/// fail(problem), with no line of the progress before it.
template <class Problem>
int fail(Progress& progress, const Problem& problem) {
  progress.clear();
  return fail(problem);
}

}  // namespace shardlens::cli
