// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/run/time_axis.h"

#include "core/timeline/tick_step.h"
#include "ui/scene/number_text.h"
#include "ui/state/phrase.h"

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

constexpr std::int64_t kNsInSecond = 1'000'000'000;
constexpr std::int64_t kNsInMinute = 60 * kNsInSecond;
constexpr std::int64_t kNsInHour = 60 * kNsInMinute;
constexpr double kClosestMarks = 5;  ///< px between two steps that are still marked one by one
constexpr double kBesideWords = 10;
constexpr double kLeastBeside = 4;

/// Decimals of a second that tell multiples of this step apart.
int decimalsOf(std::int64_t step_ns) {
  int decimals = 0;
  for (std::int64_t unit = kNsInSecond; unit > 1 && step_ns % unit != 0; unit /= 10) ++decimals;
  return decimals;
}

struct StepStart {
  std::int64_t ns = 0;
  std::int32_t epoch = 0;
  std::int32_t step = 0;
  std::int64_t steps = 1;
};

/// Those of the overview that may be in view: the one before the window, too.
void addKnown(const Overview& overview, const TimeWindow& window, std::vector<StepStart>& starts) {
  const auto& steps = overview.steps;
  auto from = std::partition_point(steps.begin(), steps.end(),
                                   [&](const StepTime& one) { return one.begin_ns <= window.begin(); });
  if (from != steps.begin()) --from;
  const auto to =
      std::partition_point(from, steps.end(), [&](const StepTime& one) { return one.begin_ns < window.end(); });
  for (auto one = from; one != to; ++one) starts.push_back({one->begin_ns, one->epoch, one->step, one->steps});
}

/// Those that the lane began after what is known already.
void addRecent(const Lane& lane, const TimeWindow& window, std::vector<StepStart>& starts) {
  const auto after = [&](const Span& span) {
    if (starts.empty()) return true;
    const StepStart& last = starts.back();
    return span.begin_ns > last.ns && (span.epoch != last.epoch || span.step >= last.step + last.steps);
  };
  auto span = std::partition_point(lane.spans.begin(), lane.spans.end(),
                                   [&](const Span& one) { return one.end_ns <= window.begin(); });
  for (; span != lane.spans.end() && span->begin_ns < window.end(); ++span) {
    if (after(*span)) starts.push_back({span->begin_ns, span->epoch, span->step, 1});
  }
}

/// 1, 2, 5, 10 ...: how many steps from one that has words to the next one.
std::int64_t stride(double pitch, double needed) {
  if (pitch <= 0) return 1;
  for (std::int64_t power = 1;; power *= 10) {
    for (const std::int64_t factor : {1, 2, 5}) {
      if (static_cast<double>(factor * power) * pitch >= needed || power > 1'000'000'000) return factor * power;
    }
  }
}

/// How many steps begin in the window, and how many pixels one takes, on average.
double pitchOf(const std::vector<StepStart>& starts, const TimeWindow& window, double width) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) count += starts[i].steps;
  if (count == 0) return width;
  return (window.pixelOf(starts.back().ns, width) - window.pixelOf(starts.front().ns, width)) /
         static_cast<double>(count);
}

/// Words that would run into the ones before go.
void dropCrowdedWords(std::vector<StepMark>& marks, const std::function<double(const QString&)>& width_of) {
  double free_from = 0;
  for (StepMark& mark : marks) {
    if (mark.text.isEmpty()) continue;
    const double needed = width_of(mark.text);
    const double from = mark.is_one ? std::max(mark.x, 0.0) : mark.x;
    const double to = mark.is_one ? mark.until : from + needed + kBesideWords;
    const bool fits = from >= free_from - 0.5 && to - from >= needed + kLeastBeside;
    if (fits) free_from = to;
    if (!fits) mark.text.clear();
  }
}

}  // namespace

QString momentText(std::int64_t ns, std::int64_t step_ns, bool in_seconds) {
  const int decimals = decimalsOf(step_ns);
  if (in_seconds) {
    return QString::number(static_cast<double>(ns) / static_cast<double>(kNsInSecond), 'f', decimals) +
           QStringLiteral("\u202fs");
  }
  const std::int64_t unit = kNsInSecond / static_cast<std::int64_t>(std::llround(std::pow(10, decimals)));
  const std::int64_t told = (ns + unit / 2) / unit * unit;
  const QString seconds = QString("%1").arg(static_cast<double>(told % kNsInMinute) / static_cast<double>(kNsInSecond),
                                            decimals == 0 ? 2 : decimals + 3, 'f', decimals, QChar('0'));
  if (told < kNsInHour) return QString("%1:%2").arg(told / kNsInMinute).arg(seconds);
  return QString("%1:%2:%3").arg(told / kNsInHour).arg(told / kNsInMinute % 60, 2, 10, QChar('0')).arg(seconds);
}

std::vector<TimeTick> timeTicks(const TimeWindow& window, double width, double spacing) {
  std::vector<TimeTick> ticks;
  if (width < 1) return ticks;
  const std::int64_t step = tickStep(spacing / width * static_cast<double>(window.span()));
  const std::int64_t first = std::max<std::int64_t>(0, window.begin());
  const bool in_seconds = window.last() < kNsInMinute;
  for (std::int64_t ns = (first + step - 1) / step * step; ns <= window.end(); ns += step) {
    ticks.push_back({window.pixelOf(ns, width), momentText(ns, step, in_seconds)});
  }
  return ticks;
}

std::vector<StepMark> stepMarks(const Overview* overview, const Lane* recent, const TimeWindow& window, double width,
                                const std::function<double(const QString&)>& width_of) {
  std::vector<StepStart> starts;
  if (overview != nullptr) addKnown(*overview, window, starts);
  if (recent != nullptr) addRecent(*recent, window, starts);
  std::vector<StepMark> marks;
  if (starts.empty() || width < 1) return marks;
  const double pitch = pitchOf(starts, window, width);
  const double words = width_of(phrase("run", "step %1").arg(number(starts.back().step))) + kBesideWords;
  const std::int64_t every = stride(pitch, words);
  const bool marks_all = pitch >= kClosestMarks;
  const StepStart* before = nullptr;
  for (const StepStart& start : starts) {
    const bool begins_epoch = before != nullptr && before->epoch != start.epoch;
    const bool is_round = start.step % every == 0 || (start.step + start.steps - 1) / every != (start.step - 1) / every;
    before = &start;
    if (!marks_all && !begins_epoch && !is_round) continue;
    const double x = window.pixelOf(start.ns, width);
    if (!marks.empty()) marks.back().until = x;
    StepMark mark{x, width, start.epoch, start.step, {}, every == 1 && start.steps == 1};
    if (begins_epoch && every > 1) {
      mark.text = phrase("run", "epoch %1").arg(number(start.epoch));
    } else if (is_round) {
      mark.text = phrase("run", "step %1").arg(number(start.step));
    }
    marks.push_back(mark);
  }
  dropCrowdedWords(marks, width_of);
  return marks;
}

}  // namespace shardlens::ui
