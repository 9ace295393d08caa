// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/overview.h"
#include "core/timeline/timeline.h"
#include "ui/scene/run/stalls.h"

#include <QString>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace shardlens::ui {

/// Which part of a run is in view, the same for every panel that shows it. Follows the run until somebody zooms or
/// pans; then it stands still while the run goes on, until follow(). The whole run grows with the run.
class TimeWindow {
 public:
  /// What there is to see. While following, the window ends at `latest_ns`, which is the end when it is not said.
  void setExtent(std::int64_t begin_ns, std::int64_t end_ns, std::optional<std::int64_t> latest_ns = {});
  /// The length to show while nobody has zoomed.
  void setUsualSpan(std::int64_t ns);

  [[nodiscard]] std::int64_t begin() const { return end_ - span_; }
  [[nodiscard]] std::int64_t end() const { return end_; }
  [[nodiscard]] std::int64_t span() const { return span_; }
  [[nodiscard]] std::int64_t first() const { return first_; }  ///< of the extent
  [[nodiscard]] std::int64_t last() const { return last_; }
  [[nodiscard]] bool isFollowing() const { return following_ || keeps_whole_; }
  /// Follows at the usual length: nobody has chosen a part of the run.
  [[nodiscard]] bool isUsual() const { return following_ && !zoomed_; }
  [[nodiscard]] bool isWhole() const { return begin() <= first_ && end_ >= last_; }

  /// `factor` < 1 shows less; the moment at `place` (0..1 of the window) stays where it is.
  void zoom(double factor, double place);
  /// Moves by this share of the window; positive = later.
  void pan(double share);
  /// This part, in whatever order its ends are given; as much of it as there is.
  void show(std::int64_t from_ns, std::int64_t to_ns);
  /// The whole extent, also when it has grown.
  void fit();
  /// Back to the latest moment, and follow it, at the length in view.
  void follow();
  /// Back to the latest moment, at the usual length.
  void reset();

  /// Pixels from the window's left edge when it is so wide, and the other way.
  [[nodiscard]] double pixelOf(std::int64_t ns, double width) const;
  [[nodiscard]] std::int64_t momentAt(double pixel, double width) const;

  bool operator==(const TimeWindow&) const = default;

 private:
  void keepInside();

  static constexpr std::int64_t kLeast = 20'000;  ///< 20 microseconds
  std::int64_t first_ = 0;
  std::int64_t last_ = 0;
  std::int64_t latest_ = 0;
  std::int64_t end_ = 1;
  std::int64_t span_ = 1'000'000'000;
  std::int64_t usual_ = 1'000'000'000;
  bool following_ = true;
  bool zoomed_ = false;
  bool keeps_whole_ = false;
};

/// A round length (1, 2, 4, 5 x 10^k) that holds a few steps of this timeline, a second when it has none; and the
/// beginning of a standstill that has lasted so long, with what was before it.
std::int64_t usualSpan(const Timeline& timeline, std::int64_t stall_ns = 0);

/// A moment on the axis: 1, 2 or 5 of a unit apart, seconds and minutes in the usual fractions of an hour.
struct TimeTick {
  double x = 0;  ///< pixels from the window's left edge
  QString text;  ///< "4.2 s", "14:20.7", "1:02:03"
};

/// The ticks of a window that is so wide, at least `spacing` pixels apart.
std::vector<TimeTick> timeTicks(const TimeWindow& window, double width, double spacing);
/// A moment of a run, told as finely as `step_ns` needs; in seconds when all of the run is shorter than a minute.
QString momentText(std::int64_t ns, std::int64_t step_ns, bool in_seconds);

/// Where a step begins on the axis.
struct StepMark {
  double x = 0;
  double until = 0;  ///< where the next marked one begins, or the window ends
  std::int32_t epoch = 0;
  std::int32_t step = 0;
  QString text;              ///< "step 122"; "epoch 1" where an epoch begins; empty when there is no room for it
  bool is_one = false;       ///< the mark is about this step alone: its words stand in its middle
  bool names_epoch = false;  ///< its words are about the epoch that begins; they take the place of a step's before them
};

/// The steps of a window: those of the overview, and after it those of the last seconds' lane. Either may be null.
/// Where they are closer than their words, only each second, fifth, tenth ... has some, and those that would end beyond
/// `width` have none; `width_of` measures words.
std::vector<StepMark> stepMarks(const Overview* overview, const Lane* recent, const TimeWindow& window, double width,
                                const std::function<double(const QString&)>& width_of);

/// The whole run on few pixels: the longest step of each column.
struct Minimap {
  static constexpr int kColumn = 2;  ///< px

  struct Column {
    float compute = 0;  ///< share of the height
    float all = 0;      ///< compute and what is above it; cut off at 1
    int step = -1;      ///< place in Overview::steps of the longest one; -1: no step
    bool stalled = false;
  };
  struct EpochMark {
    double x = 0;
    qint64 epoch = 0;
  };
  std::vector<Column> columns;
  std::vector<EpochMark> epochs;  ///< those that are far enough from each other to be told apart
  std::int64_t top_ns = 0;        ///< what the full height stands for; 0: no step was measured
};

/// `end_ns` is at the right edge.
Minimap minimapOf(const Overview& overview, std::int64_t end_ns, const std::vector<Stall>& stalls, int width);

/// The frame around the visible part, in pixels of the minimap; wide enough to be taken hold of.
struct MinimapFrame {
  static constexpr double kLeast = 10;  ///< px
  double left = 0;
  double right = 0;
};
MinimapFrame minimapFrame(const TimeWindow& window, double width);

/// What of the frame a pointer takes hold of.
enum class MinimapGrip { None, Left, Right, Body };
MinimapGrip gripAt(const MinimapFrame& frame, double x);
/// The window after the frame was taken by that grip and moved by so many pixels.
TimeWindow dragged(const TimeWindow& before, MinimapGrip grip, double pixels, double width);

}  // namespace shardlens::ui
