// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/overview.h"
#include "core/timeline/timeline.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace shardlens {
struct RunState;
}

namespace shardlens::ui {

/// A stretch of one lane in pixels from the window's left edge.
struct LaneBlock {
  double x0 = 0;
  double x1 = 0;
  Phase phase = Phase::Unmeasured;
};

/// Where the spans of one rank are: the last seconds, and the whole run before them.
struct LaneSource {
  const Lane* recent = nullptr;
  const Lane* whole = nullptr;
  std::int64_t over_ns = std::numeric_limits<std::int64_t>::max();  ///< the rank has ended: nothing is drawn after it
};

/// The lanes of a run or of a prediction: values that threads share.
struct RunLanes {
  std::shared_ptr<const Timeline> recent;
  std::shared_ptr<const Overview> overview;
  std::vector<std::int64_t> over_ns;  ///< when a rank ended, by rank; empty: none has

  [[nodiscard]] std::size_t ranks() const { return recent == nullptr ? 0 : recent->lanes.size(); }
  [[nodiscard]] LaneSource of(std::size_t rank) const;
};

/// The lanes of a moment; ranks that have died or said good-bye end there.
RunLanes lanesOf(std::shared_ptr<const RunState> state, std::shared_ptr<const Overview> overview);

/// Where the view of a run ends: now, or, once ranks have died or the job is over, where its last piece of work or its
/// last death is. `margin_ns` later when there is so much.
std::int64_t latestMoment(const RunState& state, const RunLanes& lanes, std::int64_t margin_ns);

/// From the first death of a rank to where the view ends, a minute at most: what must be in view to see it. 0 while
/// none has died.
std::int64_t sinceFirstDeath(const RunState& state, const RunLanes& lanes);

/// What a lane shows between two moments on `width` pixels. Time without a span is Unmeasured; before the job began
/// there is nothing. Where spans are smaller than pixels, a pixel shows the phase that takes most of it, and the number
/// of blocks depends on the pixels alone.
std::vector<LaneBlock> laneBlocks(const Lane& lane, std::int64_t begin_ns, std::int64_t end_ns, int width);
std::vector<LaneBlock> laneBlocks(const LaneSource& source, std::int64_t begin_ns, std::int64_t end_ns, int width);

/// Many lanes on few pixels: `height` rows of `width` phases. Where several lanes share a row the worst one shows: the
/// one not measured, then the one that keeps the others waiting.
struct PhaseMap {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> cells;  ///< row-major; a Phase, or kNothing

  static constexpr std::uint8_t kNothing = 0xFF;
};
PhaseMap phaseMap(const RunLanes& lanes, std::int64_t begin_ns, std::int64_t end_ns, int width, int height);

/// The span of a lane at a moment, or null.
const Span* spanAt(const Lane& lane, std::int64_t ns);
const Span* spanAt(const LaneSource& source, std::int64_t ns);

}  // namespace shardlens::ui
