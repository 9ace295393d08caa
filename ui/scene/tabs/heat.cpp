// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/tabs/heat.h"

#include "ui/scene/theme.h"

#include <algorithm>
#include <cassert>

namespace shardlens::ui {

Heat maxDecimated(const Heat& heat, qint64 factor) {
  assert(factor >= 1);
  if (factor == 1) return heat;
  Heat out;
  out.size = (heat.size + factor - 1) / factor;
  out.cells.assign(static_cast<std::size_t>(out.size * out.size), 0);
  for (qint64 row = 0; row < heat.size; ++row) {
    float* target = out.cells.data() + (row / factor) * out.size;
    const float* source = heat.cells.data() + row * heat.size;
    for (qint64 first = 0; first < heat.size; first += factor, ++target) {
      const qint64 last = std::min(first + factor, heat.size);
      *target = std::max(*target, *std::max_element(source + first, source + last));
    }
  }
  return out;
}

HeatCell hottestInBlock(const Heat& heat, HeatCell cell, qint64 factor) {
  const HeatCell first{cell.row / factor * factor, cell.column / factor * factor};
  HeatCell hottest = cell;
  for (qint64 row = first.row; row < std::min(first.row + factor, heat.size); ++row) {
    for (qint64 column = first.column; column < std::min(first.column + factor, heat.size); ++column) {
      if (heat.at(row, column) > heat.at(hottest.row, hottest.column)) hottest = {row, column};
    }
  }
  return hottest;
}

namespace {

constexpr double kFaintest = 0.12;  ///< how much of the hot colour the smallest share gets that is shown
constexpr float kNegligible = 0.001F;

QColor hotColour(HeatTone tone) {
  switch (tone) {
    case HeatTone::Error:
      return duplicateColor(theme());
    case HeatTone::Warning:
      return theme().warning;
    case HeatTone::Padding:
      return paddingColor(theme());
    case HeatTone::Note:
      break;
  }
  return theme().muted;
}

}  // namespace

HeatColours HeatColours::forTone(HeatTone tone) {
  return {theme().cell_empty, theme().field, hotColour(tone), tone == HeatTone::Padding};
}

double HeatColours::strength(float heat) {
  return heat >= kNegligible ? kFaintest + (1 - kFaintest) * heat : 0;
}

QColor HeatColours::of(float heat) const {
  return mix(hot, empty, strength(heat));
}

}  // namespace shardlens::ui
