// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/scene/lens/lanes.h"

#include <utility>
#include <vector>

namespace shardlens::test {

/// Every lane of the spec in its first epoch.
inline std::vector<ui::LensLane> lanesOf(const PipelineSpec& spec) {
  std::vector<ui::LensLane> all;
  ui::LaneStops stops;
  const ui::LanesTold told{[&](std::vector<ui::LensLane> lanes) { all = std::move(lanes); },
                           [&](std::size_t place, ui::LensLane lane) { all[place] = std::move(lane); }};
  if (!ui::lensLanes(
          spec, Epoch{0}, 1, [](const std::string&) { return true; }, stops, told))
    all.clear();
  return all;
}

}  // namespace shardlens::test
