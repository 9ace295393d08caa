// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/run/minimap.h"

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

constexpr double kGrip = 5;            ///< px to either side of an edge of the frame
constexpr double kBetweenEpochs = 64;  ///< px, at least

/// 1, 2, 4 or 5 times a power of ten, at least so much.
std::int64_t roundUp(std::int64_t ns) {
  for (std::int64_t power = 1; power < std::int64_t{1'000'000'000'000'000'000}; power *= 10) {
    for (const std::int64_t factor : {1, 2, 4, 5}) {
      if (factor * power >= ns) return factor * power;
    }
  }
  return ns;
}

void addStep(Minimap& map, const Overview& overview, int step, double columns_per_ns) {
  const StepTime& one = overview.steps[static_cast<std::size_t>(step)];
  const auto last = static_cast<std::int64_t>(map.columns.size()) - 1;
  const auto column = [&](std::int64_t ns) {
    return std::clamp(static_cast<std::int64_t>(static_cast<double>(ns) * columns_per_ns), std::int64_t{0}, last);
  };
  for (std::int64_t at = column(one.slowest_ns); at <= column(one.slowest_ns + one.longest_ns - 1); ++at) {
    Minimap::Column& shown = map.columns[static_cast<std::size_t>(at)];
    const bool is_longer =
        shown.step < 0 || overview.steps[static_cast<std::size_t>(shown.step)].longest_ns < one.longest_ns;
    if (is_longer) shown.step = step;
  }
}

void addEpochs(Minimap& map, const Overview& overview, double pixels_per_ns) {
  std::int32_t epoch = -1;
  for (const StepTime& one : overview.steps) {
    if (one.epoch == epoch) continue;
    epoch = one.epoch;
    const double x = static_cast<double>(one.begin_ns) * pixels_per_ns;
    if (map.epochs.empty() || x - map.epochs.back().x >= kBetweenEpochs) map.epochs.push_back({x, epoch});
  }
}

}  // namespace

Minimap minimapOf(const Overview& overview, std::int64_t end_ns, const std::vector<Stall>& stalls, int width) {
  Minimap map;
  if (width < Minimap::kColumn || end_ns <= 0) return map;
  map.columns.resize(static_cast<std::size_t>(width / Minimap::kColumn));
  map.top_ns = overview.usual_longest_ns > 0 ? roundUp(overview.usual_longest_ns) : 0;
  const double columns_per_ns = static_cast<double>(map.columns.size()) / static_cast<double>(end_ns);
  for (std::size_t step = 0; step < overview.steps.size(); ++step) {
    addStep(map, overview, static_cast<int>(step), columns_per_ns);
  }
  const auto top = static_cast<double>(map.top_ns);
  for (Minimap::Column& column : map.columns) {
    if (column.step < 0 || map.top_ns == 0) continue;
    const StepTime& one = overview.steps[static_cast<std::size_t>(column.step)];
    column.all = static_cast<float>(std::min(1.0, static_cast<double>(one.longest_ns) / top));
    column.compute = std::min(column.all, static_cast<float>(static_cast<double>(one.compute_ns) / top));
  }
  const auto count = static_cast<double>(map.columns.size());
  for (const auto& [from, to] : stalls) {
    const auto first = static_cast<std::size_t>(std::clamp(static_cast<double>(from) * columns_per_ns, 0.0, count - 1));
    const auto last = static_cast<std::size_t>(std::clamp(static_cast<double>(to) * columns_per_ns, 0.0, count - 1));
    for (std::size_t at = first; at <= last; ++at) map.columns[at].stalled = true;
  }
  addEpochs(map, overview, static_cast<double>(width) / static_cast<double>(end_ns));
  return map;
}

MinimapFrame minimapFrame(const TimeWindow& window, double width) {
  const auto all = static_cast<double>(std::max<std::int64_t>(1, window.last() - window.first()));
  const auto pixel = [&](std::int64_t ns) {
    return std::clamp(static_cast<double>(ns - window.first()) / all * width, 0.0, width);
  };
  MinimapFrame frame{pixel(window.begin()), pixel(window.end())};
  const double missing = MinimapFrame::kLeast - (frame.right - frame.left);
  if (missing > 0) {
    frame.left = std::clamp(frame.left - missing / 2, 0.0, std::max(0.0, width - MinimapFrame::kLeast));
    frame.right = std::min(width, frame.left + MinimapFrame::kLeast);
  }
  return frame;
}

MinimapGrip gripAt(const MinimapFrame& frame, double x) {
  const double inside = std::min(kGrip, (frame.right - frame.left) / 4);
  if (x < frame.left - kGrip || x > frame.right + kGrip) return MinimapGrip::None;
  if (x < frame.left + inside) return MinimapGrip::Left;
  return x > frame.right - inside ? MinimapGrip::Right : MinimapGrip::Body;
}

TimeWindow dragged(const TimeWindow& before, MinimapGrip grip, double pixels, double width) {
  const auto all = static_cast<double>(before.last() - before.first());
  const std::int64_t by = std::llround(pixels / std::max(1.0, width) * all);
  const std::int64_t begin = before.begin();
  const std::int64_t end = before.end();
  TimeWindow after = before;
  switch (grip) {
    case MinimapGrip::Left:
      after.show(begin + by, end);
      break;
    case MinimapGrip::Right:
      after.show(begin, end + by);
      break;
    case MinimapGrip::Body: {
      const std::int64_t kept = std::clamp(by, std::min<std::int64_t>(0, before.first() - begin),
                                           std::max<std::int64_t>(0, before.last() - end));
      after.show(begin + kept, end + kept);
      break;
    }
    case MinimapGrip::None:
      break;
  }
  return after;
}

}  // namespace shardlens::ui
