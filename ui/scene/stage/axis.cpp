// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/stage/axis.h"

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

qint64 floorOf(double value) {
  return static_cast<qint64>(std::floor(value));
}
qint64 ceilOf(double value) {
  return static_cast<qint64>(std::ceil(value - 1e-9));
}

/// The whole number that the item would be but for the rounding of pixels: what begins at a pixel is at that pixel.
double snapped(double item) {
  const double whole = std::round(item);
  return std::abs(item - whole) < 1e-9 ? whole : item;
}

}  // namespace

double StageAxis::offsetOf(double item) const {
  const double between = gapShown();
  if (between <= 0) return item * pitch;
  const qint64 whole = std::clamp<qint64>(floorOf(item), 0, std::max<qint64>(count - 1, 0));
  const double wide = pitch + (endsGroup(whole) && whole + 1 < count ? between : 0);
  const qint64 gaps = whole / group;
  return static_cast<double>(whole) * pitch + static_cast<double>(gaps) * between +
         (item - static_cast<double>(whole)) * wide;
}

double StageAxis::itemAtOffset(double offset) const {
  const double between = gapShown();
  if (between <= 0) return snapped(offset / pitch);
  const double of_group = static_cast<double>(group) * pitch + between;
  const qint64 groups = std::clamp<qint64>(floorOf(offset / of_group), 0, (std::max<qint64>(count, 1) - 1) / group);
  const double inside = offset - static_cast<double>(groups) * of_group;
  const qint64 whole = std::min(groups * group + std::clamp<qint64>(floorOf(inside / pitch), 0, group - 1),
                                std::max<qint64>(count - 1, 0));
  const double wide = pitch + (endsGroup(whole) && whole + 1 < count ? between : 0);
  return snapped(static_cast<double>(whole) + (inside - static_cast<double>(whole % group) * pitch) / wide);
}

StageAxis::Items StageAxis::inView() const {
  return {std::clamp<qint64>(static_cast<qint64>(std::floor(first)), 0, count),
          std::clamp<qint64>(static_cast<qint64>(std::ceil(first + shown())), 0, count)};
}

qint64 StageAxis::firstBin() const {
  return pitch >= 1 ? floorOf(first) : floorOf(first * pitch + 1e-9);
}

int StageAxis::bins() const {
  if (count <= 0 || length <= 0) return 0;
  if (pitch >= 1) {
    const qint64 last = std::min(count, ceilOf(itemAt(length)));
    return static_cast<int>(std::max<qint64>(last - firstBin(), 0));
  }
  const qint64 all = floorOf(static_cast<double>(count - 1) * pitch + 1e-9) + 1;
  return static_cast<int>(std::clamp<qint64>(all - firstBin(), 0, length));
}

StageAxis::Bin StageAxis::bin(int index) const {
  const qint64 number = firstBin() + index;
  if (pitch >= 1) {
    const auto edge = [this](qint64 item) { return static_cast<int>(std::lround(pixelOf(static_cast<double>(item)))); };
    if (!endsGroup(number)) return {number, number + 1, edge(number), edge(number + 1)};
    const double end = pixelOf(static_cast<double>(number)) + pitch;
    return {number, number + 1, edge(number), static_cast<int>(std::lround(end))};
  }
  const auto item = [this](qint64 bin) { return std::min(count, ceilOf(static_cast<double>(bin) / pitch)); };
  return {item(number), item(number + 1), index, index + 1};
}

std::optional<qint64> StageAxis::hit(double pixel) const {
  if (pixel < 0 || pixel >= length) return std::nullopt;
  const qint64 item = floorOf(itemAt(pixel));
  if (item < 0 || item >= count) return std::nullopt;
  if (endsGroup(item) && pixel >= pixelOf(static_cast<double>(item)) + pitch) return std::nullopt;
  return item;
}

StageAxis StageAxis::clamped(double largest_pitch) const {
  StageAxis axis = *this;
  if (count <= 0 || length <= 0) return axis;
  const double smallest = std::min(pitchOfAll(), largest_pitch);
  axis.pitch = std::clamp(pitch, smallest, largest_pitch);
  axis.first = std::clamp(first, 0.0, std::max(0.0, axis.itemAtOffset(axis.content() - length)));
  return axis;
}

double StageAxis::pitchOfAll() const {
  const auto items = static_cast<double>(std::max<qint64>(count, 1));
  const double touching = length / items;
  if (group <= 0 || gap <= 0) return touching;
  const qint64 gaps = (count - 1) / group;
  const double apart = (length - static_cast<double>(gaps) * gap) / items;
  return apart > kGapAbove ? apart : std::min(touching, kGapAbove);
}

StageAxis StageAxis::fitted(double largest_pitch) const {
  StageAxis axis = *this;
  axis.first = 0;
  axis.pitch = 0;
  return axis.clamped(largest_pitch);
}

StageAxis StageAxis::zoomed(double factor, double pixel, double largest_pitch) const {
  StageAxis axis = *this;
  axis.pitch = pitch * factor;
  axis = axis.clamped(largest_pitch);
  axis.first = axis.itemAtOffset(axis.offsetOf(itemAt(pixel)) - pixel);
  return axis.clamped(largest_pitch);
}

StageAxis StageAxis::revealing(qint64 item, double largest_pitch) const {
  StageAxis axis = *this;
  const auto at = static_cast<double>(item);
  if (at < first) axis.first = at;
  const double end = offsetOf(at) + pitch;
  if (end > offsetOf(first) + length + 1e-6) axis.first = itemAtOffset(end - length);
  return axis.clamped(largest_pitch);
}

qint64 tickDistance(double pitch, double spacing) {
  for (qint64 power = 1; power < 1'000'000'000'000'000; power *= 10) {
    for (const qint64 factor : {1, 2, 4, 5}) {
      if (static_cast<double>(factor * power) * pitch >= spacing) return factor * power;
    }
  }
  return 1'000'000'000'000'000;
}

}  // namespace shardlens::ui
