// SPDX-License-Identifier: Apache-2.0
#include "app/cli/progress.h"

#include "core/base/result.h"
#include "core/base/text.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <unistd.h>

namespace shardlens::cli {
namespace {

constexpr std::chrono::seconds kFirst{2};         ///< what is done sooner shows nothing
constexpr std::chrono::milliseconds kEvery{500};  ///< on a terminal
constexpr std::chrono::seconds kEveryElsewhere{5};

}  // namespace

Progress::Progress(bool quiet) : is_terminal_(::isatty(STDERR_FILENO) != 0) {
  if (quiet) return;
  const auto run = [this](const std::stop_token& stop) { (void)guarded([&] { speak(stop); }); };
  (void)guarded([&] { thread_ = std::jthread(run); });  // without a thread it is silent
}

Work Progress::part(std::int64_t first, std::int64_t count, std::int64_t all) {
  if (!thread_.joinable()) return {};
  const double from = static_cast<double>(first) / static_cast<double>(all);
  const double to = static_cast<double>(first + count) / static_cast<double>(all);
  const auto note = [this](double fraction) { percent_ = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * 100); };
  return Work{{}, note}.part(from, to);
}

void Progress::speak(const std::stop_token& stop) {
  MutexLock lock(mutex_);
  Clock::time_point next = start_ + kFirst;
  while (!stop.stop_requested()) {
    if (woken_.wait_until(lock, stop, next, [&stop] { return stop.stop_requested(); })) return;
    const auto now = Clock::now();
    show(std::chrono::duration_cast<std::chrono::seconds>(now - start_));
    next = now + (is_terminal_ ? Clock::duration(kEvery) : Clock::duration(kEveryElsewhere));
  }
}

void Progress::show(std::chrono::seconds taken) {
  const int percent = percent_;
  const std::string far = percent < 0 ? "working" : std::to_string(percent) + " %";
  const std::string line = far + " after " + durationText(std::chrono::nanoseconds(taken).count());
  is_shown_ = is_terminal_;
  (void)std::fprintf(stderr, is_terminal_ ? "\r%s\x1b[K" : "%s\n", line.c_str());
}

void Progress::clear() {
  if (thread_.joinable()) {
    thread_.request_stop();
    thread_.join();
  }
  if (is_shown_) (void)std::fputs("\r\x1b[K", stderr);
  is_shown_ = false;
}

}  // namespace shardlens::cli
