// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/run/time_window.h"

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

/// Time from one beginning of loading (or computing) to the next one, on average; 0 when there are not two.
double stepTime(const Lane& lane, Phase phase) {
  const Span* first = nullptr;
  const Span* last = nullptr;
  std::int64_t count = 0;
  for (const Span& span : lane.spans) {
    if (span.phase != phase) continue;
    if (first == nullptr) first = &span;
    last = &span;
    ++count;
  }
  return count < 2 ? 0 : static_cast<double>(last->begin_ns - first->begin_ns) / static_cast<double>(count - 1);
}

std::int64_t roundLength(double ns) {
  const double power = std::pow(10, std::floor(std::log10(ns)));
  for (const double step : {1.0, 2.0, 4.0, 5.0, 10.0}) {
    if (ns <= step * power * 1.2) return std::llround(step * power);
  }
  return std::llround(10 * power);
}

std::int64_t spanOfSteps(const Timeline& timeline) {
  constexpr double kSteps = 5;
  double step = 0;
  for (const Lane& lane : timeline.lanes) {
    step = std::max({step, stepTime(lane, Phase::Load), stepTime(lane, Phase::Compute)});
    if (step > 0) break;
  }
  return step > 0 ? std::min(roundLength(kSteps * step), 10 * kSecond) : kSecond;
}

}  // namespace

void TimeWindow::setExtent(std::int64_t begin_ns, std::int64_t end_ns, std::optional<std::int64_t> latest_ns) {
  first_ = begin_ns;
  last_ = std::max(begin_ns + 1, end_ns);
  latest_ = std::clamp(latest_ns.value_or(last_), first_ + 1, last_);
  if (following_) end_ = std::max(latest_, std::min(last_, first_ + span_));  // nothing is before the run
  if (!keeps_whole_) return;
  end_ = last_;
  span_ = last_ - first_;
  keepInside();
}

void TimeWindow::setUsualSpan(std::int64_t ns) {
  // A pace that trembles must not make the picture breathe.
  constexpr double kHysteresis = 1.6;
  const double ratio = static_cast<double>(ns) / static_cast<double>(usual_);
  if (ratio < kHysteresis && ratio > 1 / kHysteresis) return;
  usual_ = std::max(kLeast, ns);
  if (following_ && !zoomed_) span_ = usual_;
}

void TimeWindow::keepInside() {
  const std::int64_t whole = std::max(last_ - first_, kLeast);
  span_ = std::clamp(span_, kLeast, whole);
  end_ = std::clamp(end_, std::min(last_, first_ + span_), last_);
}

void TimeWindow::zoom(double factor, double place) {
  const double anchor = static_cast<double>(begin()) + place * static_cast<double>(span_);
  span_ = std::llround(static_cast<double>(span_) * factor);
  keepInside();
  following_ = false;
  zoomed_ = true;
  end_ = std::llround(anchor + (1 - place) * static_cast<double>(span_));
  keepInside();
  keeps_whole_ = keeps_whole_ && isWhole();
}

void TimeWindow::pan(double share) {
  following_ = false;
  end_ += std::llround(share * static_cast<double>(span_));
  keepInside();
  keeps_whole_ = keeps_whole_ && isWhole();
}

void TimeWindow::show(std::int64_t from_ns, std::int64_t to_ns) {
  following_ = false;
  keeps_whole_ = false;
  zoomed_ = true;
  const std::int64_t from = std::clamp(std::min(from_ns, to_ns), first_, last_);
  end_ = std::clamp(std::max(from_ns, to_ns), first_, last_);
  span_ = end_ - from;
  keepInside();
}

void TimeWindow::fit() {
  show(first_, last_);
  keeps_whole_ = true;
}

void TimeWindow::follow() {
  following_ = true;
  keeps_whole_ = false;
  end_ = latest_;
}

void TimeWindow::reset() {
  zoomed_ = false;
  span_ = usual_;
  follow();
}

double TimeWindow::pixelOf(std::int64_t ns, double width) const {
  return static_cast<double>(ns - begin()) / static_cast<double>(span_) * width;
}

std::int64_t TimeWindow::momentAt(double pixel, double width) const {
  return begin() + std::llround(pixel / std::max(1.0, width) * static_cast<double>(span_));
}

std::int64_t usualSpan(const Timeline& timeline, std::int64_t stall_ns) {
  constexpr double kAroundStall = 1.3;
  const std::int64_t usual = spanOfSteps(timeline);
  const double needed = kAroundStall * static_cast<double>(stall_ns);
  if (needed <= static_cast<double>(usual)) return usual;
  return std::min(roundLength(1.2 * needed), std::max(usual, timeline.end_ns));
}

}  // namespace shardlens::ui
