// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/run/time_window.h"

#include "core/timeline/tick_step.h"
#include "ui/scene/number_text.h"
#include "ui/state/phrase.h"

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

/// Words that would run into the ones before, or out of the axis, go; but a step's go where they would run into those
/// of an epoch that end on the axis.
void dropCrowdedWords(std::vector<StepMark>& marks, double width,
                      const std::function<double(const QString&)>& width_of) {
  double free_from = 0;
  StepMark* kept = nullptr;
  for (StepMark& mark : marks) {
    if (mark.text.isEmpty()) continue;
    const double needed = width_of(mark.text);
    const double from = mark.is_one ? std::max(mark.x, 0.0) : mark.x;
    const bool is_whole = from + kLeastBeside + needed <= width;
    if (mark.names_epoch && is_whole && kept != nullptr && !kept->names_epoch && from < free_from - 0.5) {
      kept->text.clear();
      free_from = from;
    }
    const double to = mark.is_one ? mark.until : from + needed + kBesideWords;
    const bool fits = is_whole && from >= free_from - 0.5 && to - from >= needed + kLeastBeside;
    if (fits) {
      free_from = to;
      kept = &mark;
    } else {
      mark.text.clear();
    }
  }
}

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
    mark.names_epoch = begins_epoch && every > 1;
    if (mark.names_epoch) {
      mark.text = phrase("run", "epoch %1").arg(number(start.epoch));
    } else if (is_round) {
      mark.text = phrase("run", "step %1").arg(number(start.step));
    }
    marks.push_back(mark);
  }
  dropCrowdedWords(marks, width, width_of);
  return marks;
}

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
