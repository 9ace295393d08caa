// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <optional>

namespace shardlens::ui {

/// One axis of the Stage: items (steps across, ranks down) against pixels. From one pixel an item up, a bin is an item;
/// below, a bin is one pixel and holds several items. Bins never overlap and leave no item out, whatever the zoom, and
/// stay the same while the axis scrolls: that is what lets the worst of a bin stand for all of it.
struct StageAxis {
  qint64 count = 0;  ///< items that exist
  double first = 0;  ///< the item at pixel 0; fractional while panning
  double pitch = 1;  ///< pixels an item takes
  int length = 0;    ///< pixels to draw on

  bool operator==(const StageAxis&) const = default;

  /// The items [first, last) and the pixels [from, to) they are drawn on.
  struct Bin {
    qint64 first = 0;
    qint64 last = 0;
    int from = 0;
    int to = 0;
  };
  /// How many bins are in view, at least in part.
  [[nodiscard]] int bins() const;
  /// The index-th bin from pixel 0 on.
  [[nodiscard]] Bin bin(int index) const;

  [[nodiscard]] double shown() const { return length / pitch; }  ///< items that fit into the length
  [[nodiscard]] bool showsAll() const { return static_cast<double>(count) * pitch <= length + 0.5; }
  [[nodiscard]] double pixelOf(double item) const { return (item - first) * pitch; }
  [[nodiscard]] double itemAt(double pixel) const { return first + pixel / pitch; }
  /// The item under a pixel, if one is there.
  [[nodiscard]] std::optional<qint64> hit(double pixel) const;

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
};

/// The distance between ticks in items: 1, 2, 4 or 5 times a power of ten, at least `spacing` pixels apart.
qint64 tickDistance(double pitch, double spacing);

}  // namespace shardlens::ui
