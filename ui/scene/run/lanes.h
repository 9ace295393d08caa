// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/timeline.h"

#include <cstdint>
#include <vector>

namespace shardlens::ui {

/// A stretch of one lane in pixels from the window's left edge.
struct LaneBlock {
  double x0 = 0;
  double x1 = 0;
  Phase phase = Phase::Unmeasured;
};

/// What a lane shows between two moments on `width` pixels. Time without a span is Unmeasured; before the job began
/// there is nothing. Where spans are smaller than pixels, a pixel shows the phase that takes most of it, and the number
/// of blocks depends on the pixels alone.
std::vector<LaneBlock> laneBlocks(const Lane& lane, std::int64_t begin_ns, std::int64_t end_ns, int width);

/// Many lanes on few pixels: `height` rows of `width` phases. Where several lanes share a row the worst one shows: the
/// one not measured, then the one that keeps the others waiting.
struct PhaseMap {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> cells;  ///< row-major; a Phase, or kNothing

  static constexpr std::uint8_t kNothing = 0xFF;
};
PhaseMap phaseMap(const Timeline& timeline, std::int64_t begin_ns, std::int64_t end_ns, int width, int height);

/// The span of a lane at a moment, or null.
const Span* spanAt(const Lane& lane, std::int64_t ns);

}  // namespace shardlens::ui
