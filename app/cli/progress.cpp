// SPDX-License-Identifier: Apache-2.0
#include "app/cli/progress.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace shardlens::cli {
namespace {

constexpr std::chrono::milliseconds kFirst{500};  ///< what is done sooner shows nothing
constexpr std::chrono::milliseconds kEvery{100};

}  // namespace

Progress::Progress() : is_terminal_(::isatty(STDERR_FILENO) != 0), next_(Clock::now() + kFirst) {}

Work Progress::part(std::int64_t first, std::int64_t count, std::int64_t all) {
  if (!is_terminal_) return {};
  const double from = static_cast<double>(first) / static_cast<double>(all);
  const double to = static_cast<double>(first + count) / static_cast<double>(all);
  return Work{{}, [this](double fraction) { show(fraction); }}.part(from, to);
}

void Progress::show(double fraction) {
  const auto now = Clock::now();
  const int percent = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * 100);
  if (now < next_ || percent == shown_) return;
  next_ = now + kEvery;
  shown_ = percent;
  std::fprintf(stderr, "\r%3d %%", percent);
}

void Progress::clear() {
  if (shown_ >= 0) std::fputs("\r\x1b[K", stderr);
  shown_ = -1;
}

}  // namespace shardlens::cli
