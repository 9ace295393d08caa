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
  ui::LensLanes lanes(spec, Epoch{0}, 1);
  const auto every = [](const std::string&) { return true; };
  all = lanes.begin(every);
  if (!lanes.compute(every, stops, [&](std::size_t place, ui::LensLane lane) { all[place] = std::move(lane); }))
    all.clear();
  return all;
}

}  // namespace shardlens::test
