// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <optional>

namespace shardlens::ui {

/// One axis of the Stage: items (steps across, ranks down) against pixels. From one pixel an item up, a bin is an item;
/// below, a bin is one pixel and holds several items. Bins never overlap and leave no item out, whatever the zoom, and
/// stay the same while the axis scrolls: that is what lets the worst of a bin stand for all of it. Items may come in
/// groups (the ranks of a node) with a gap after each: everything that asks where an item is asks this axis.
struct StageAxis {
  qint64 count = 0;  ///< items that exist
  double first = 0;  ///< the item at pixel 0; fractional while panning
  double pitch = 1;  ///< pixels an item takes
  int length = 0;    ///< pixels to draw on
  qint64 group = 0;  ///< items between two gaps; 0: there are none
  double gap = 0;    ///< pixels after each group but the last; see gapShown()

  /// Up to this pitch a gap would cost more room than it tells: groups touch.
  static constexpr double kGapAbove = 6;

  bool operator==(const StageAxis&) const = default;

  /// The items [first, last) and the pixels [from, to) they are drawn on.
  struct Bin {
    qint64 first = 0;
    qint64 last = 0;
    int from = 0;
    int to = 0;
  };
  /// The items [first, last) of which at least a part is in view.
  struct Items {
    qint64 first = 0;
    qint64 last = 0;
  };
  [[nodiscard]] Items inView() const;
  /// How many bins are in view, at least in part.
  [[nodiscard]] int bins() const;
  /// The index-th bin from pixel 0 on.
  [[nodiscard]] Bin bin(int index) const;

  /// The pixels between two groups: `gap`, or 0 where items are too thin for it.
  [[nodiscard]] double gapShown() const { return group > 0 && pitch > kGapAbove ? gap : 0; }
  /// The pixels that all items take, gaps included.
  [[nodiscard]] double content() const { return offsetOf(static_cast<double>(count)); }
  /// Items that fit into the length from `first` on.
  [[nodiscard]] double shown() const { return gapShown() > 0 ? itemAt(length) - first : length / pitch; }
  [[nodiscard]] bool showsAll() const { return content() <= length + 0.5; }
  /// Where an item begins. The gap after a group belongs to its last item, whose fractions reach through it.
  [[nodiscard]] double pixelOf(double item) const {
    return gapShown() > 0 ? offsetOf(item) - offsetOf(first) : (item - first) * pitch;
  }
  [[nodiscard]] double itemAt(double pixel) const {
    return gapShown() > 0 ? itemAtOffset(offsetOf(first) + pixel) : first + pixel / pitch;
  }
  /// The middle of an item, without the gap behind it.
  [[nodiscard]] double middleOf(qint64 item) const { return pixelOf(static_cast<double>(item)) + pitch / 2; }
  /// The item under a pixel, if one is there; none in a gap.
  [[nodiscard]] std::optional<qint64> hit(double pixel) const;

  /// The pitch at which all items just fit.
  [[nodiscard]] double pitchOfAll() const;
  /// The same axis with `first` and `pitch` inside what makes sense: no empty space where there are items to show.
  [[nodiscard]] StageAxis clamped(double largest_pitch) const;
  /// Everything in view, at most `largest_pitch` pixels an item.
  [[nodiscard]] StageAxis fitted(double largest_pitch) const;
  /// Magnified about a pixel, whose item stays where it is.
  [[nodiscard]] StageAxis zoomed(double factor, double pixel, double largest_pitch) const;
  /// Scrolled just so far that the item is wholly in view.
  [[nodiscard]] StageAxis revealing(qint64 item, double largest_pitch) const;

 private:
  [[nodiscard]] qint64 firstBin() const;
  /// Pixels from the beginning of item 0; the inverse of itemAtOffset().
  [[nodiscard]] double offsetOf(double item) const;
  [[nodiscard]] double itemAtOffset(double offset) const;
  [[nodiscard]] bool endsGroup(qint64 item) const { return gapShown() > 0 && (item + 1) % group == 0; }
};

/// The distance between ticks in items: 1, 2, 4 or 5 times a power of ten, at least `spacing` pixels apart.
qint64 tickDistance(double pitch, double spacing);

}  // namespace shardlens::ui
