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

}  // namespace

qint64 StageAxis::firstBin() const {
  return pitch >= 1 ? floorOf(first) : floorOf(first * pitch + 1e-9);
}

int StageAxis::bins() const {
  if (count <= 0 || length <= 0) return 0;
  if (pitch >= 1) {
    const qint64 last = std::min(count, ceilOf(first + length / pitch));
    return static_cast<int>(std::max<qint64>(last - firstBin(), 0));
  }
  const qint64 all = floorOf(static_cast<double>(count - 1) * pitch + 1e-9) + 1;
  return static_cast<int>(std::clamp<qint64>(all - firstBin(), 0, length));
}

StageAxis::Bin StageAxis::bin(int index) const {
  const qint64 number = firstBin() + index;
  if (pitch >= 1) {
    const auto edge = [this](qint64 item) { return static_cast<int>(std::lround(pixelOf(static_cast<double>(item)))); };
    return {number, number + 1, edge(number), edge(number + 1)};
  }
  const auto item = [this](qint64 bin) { return std::min(count, ceilOf(static_cast<double>(bin) / pitch)); };
  return {item(number), item(number + 1), index, index + 1};
}

std::optional<qint64> StageAxis::hit(double pixel) const {
  if (pixel < 0 || pixel >= length) return std::nullopt;
  const qint64 item = floorOf(itemAt(pixel));
  if (item < 0 || item >= count) return std::nullopt;
  return item;
}

StageAxis StageAxis::clamped(double largest_pitch) const {
  StageAxis axis = *this;
  if (count <= 0 || length <= 0) return axis;
  const double smallest = std::min(static_cast<double>(length) / static_cast<double>(count), largest_pitch);
  axis.pitch = std::clamp(pitch, smallest, largest_pitch);
  axis.first = std::clamp(first, 0.0, std::max(0.0, static_cast<double>(count) - axis.shown()));
  return axis;
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
  axis.first = itemAt(pixel) - pixel / axis.pitch;
  return axis.clamped(largest_pitch);
}

StageAxis StageAxis::revealing(qint64 item, double largest_pitch) const {
  StageAxis axis = *this;
  const auto at = static_cast<double>(item);
  if (at < first) axis.first = at;
  if (at + 1 > first + shown()) axis.first = at + 1 - shown();
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
