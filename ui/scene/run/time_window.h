// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/timeline.h"

#include <cstdint>

namespace shardlens::ui {

/// Which part of a timeline is in view. Follows its end until somebody zooms or pans; then it stands still while the
/// timeline grows, until follow().
class TimeWindow {
 public:
  /// What there is to see. While following, the window's end is the timeline's end.
  void setExtent(std::int64_t begin_ns, std::int64_t end_ns);
  /// The length to show while nobody has zoomed.
  void setUsualSpan(std::int64_t ns);

  [[nodiscard]] std::int64_t begin() const { return end_ - span_; }
  [[nodiscard]] std::int64_t end() const { return end_; }
  [[nodiscard]] std::int64_t span() const { return span_; }
  [[nodiscard]] bool isFollowing() const { return following_; }

  /// `factor` < 1 shows less; the moment at `place` (0..1 of the window) stays where it is.
  void zoom(double factor, double place);
  /// Moves by this share of the window; positive = later.
  void pan(double share);
  /// The whole extent.
  void fit();
  /// Back to the end, and follow it, at the length in view.
  void follow();
  /// Back to the end, at the usual length.
  void reset();

 private:
  void keepInside();

  static constexpr std::int64_t kLeast = 20'000;  ///< 20 microseconds
  std::int64_t first_ = 0;
  std::int64_t last_ = 0;
  std::int64_t end_ = 1;
  std::int64_t span_ = 1'000'000'000;
  std::int64_t usual_ = 1'000'000'000;
  bool following_ = true;
  bool zoomed_ = false;
};

/// A round length (1, 2, 4, 5 x 10^k) that holds a few steps of this timeline; a second when it has none.
std::int64_t usualSpan(const Timeline& timeline);

}  // namespace shardlens::ui
