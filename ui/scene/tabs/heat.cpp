// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/tabs/heat.h"

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

}  // namespace shardlens::ui
