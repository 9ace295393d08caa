// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/run/lanes.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace shardlens::ui {
namespace {

constexpr std::size_t kPhases = 5;
constexpr double kSmallGap = 1.5;  ///< pixels between two spans that are drawn as if they touched

using SpanIterator = std::vector<Span>::const_iterator;

struct View {
  double begin_ns = 0;
  double pixels_per_ns = 0;
  double width = 0;
  [[nodiscard]] double x(std::int64_t ns) const {
    return std::clamp((static_cast<double>(ns) - begin_ns) * pixels_per_ns, 0.0, width);
  }
};

SpanIterator firstSpanAfter(const Lane& lane, std::int64_t ns) {
  return std::partition_point(lane.spans.begin(), lane.spans.end(),
                              [ns](const Span& span) { return span.end_ns <= ns; });
}

void addBlock(std::vector<LaneBlock>& blocks, const LaneBlock& block) {
  if (block.x1 - block.x0 <= 0) return;
  if (!blocks.empty() && blocks.back().phase == block.phase && block.x0 - blocks.back().x1 < 0.01 &&
      block.phase == Phase::Unmeasured) {
    blocks.back().x1 = block.x1;
  } else {
    blocks.push_back(block);
  }
}

std::vector<LaneBlock> exactBlocks(SpanIterator first, SpanIterator last, const View& view, double now_x) {
  std::vector<LaneBlock> blocks;
  double at = view.x(0);
  for (auto span = first; span != last; ++span) {
    const double x0 = view.x(span->begin_ns);
    const double x1 = view.x(span->end_ns);
    const bool small = x0 - at < kSmallGap;
    if (!small) addBlock(blocks, {at, x0, Phase::Unmeasured});
    addBlock(blocks, {small ? std::min(at, x0) : x0, x1, span->phase});
    at = std::max(at, x1);
  }
  if (now_x - at >= kSmallGap) addBlock(blocks, {at, now_x, Phase::Unmeasured});
  return blocks;
}

/// How much of each pixel every phase takes.
class PixelShares {
 public:
  explicit PixelShares(int width) : shares_(static_cast<std::size_t>(width)) {}

  void add(Phase phase, double x0, double x1) {
    for (double x = x0; x < x1;) {
      const double end = std::min(std::floor(x) + 1, x1);
      const auto pixel = std::min(static_cast<std::size_t>(x), shares_.size() - 1);
      shares_[pixel][static_cast<std::size_t>(phase)] += static_cast<float>(end - x);
      x = end;
    }
  }
  [[nodiscard]] Phase largest(std::size_t pixel) const {
    const auto& share = shares_[pixel];
    return static_cast<Phase>(std::max_element(share.begin(), share.end()) - share.begin());
  }

 private:
  std::vector<std::array<float, kPhases>> shares_;
};

std::vector<LaneBlock> pixelBlocks(SpanIterator first, SpanIterator last, const View& view, int width) {
  PixelShares shares(width);
  for (auto span = first; span != last; ++span) shares.add(span->phase, view.x(span->begin_ns), view.x(span->end_ns));
  std::vector<LaneBlock> blocks;
  for (int x = static_cast<int>(view.x(0)); x < width; ++x) {
    const Phase phase = shares.largest(static_cast<std::size_t>(x));
    if (blocks.empty() || blocks.back().phase != phase) blocks.push_back({double(x), double(x), phase});
    blocks.back().x1 = x + 1;
  }
  return blocks;
}

/// Who of several ranks in one row is shown.
int badness(std::uint8_t cell) {
  switch (static_cast<Phase>(cell)) {
    case Phase::Unmeasured:
      return 5;
    case Phase::Load:
      return 4;
    case Phase::Compute:
      return 3;
    case Phase::Transfer:
      return 2;
    case Phase::Wait:
      return 1;
  }
  return 0;
}

void addWorst(PhaseMap& scene, int y, const std::vector<LaneBlock>& blocks) {
  std::uint8_t* row = scene.cells.data() + static_cast<std::ptrdiff_t>(y) * scene.width;
  for (const LaneBlock& block : blocks) {
    const auto cell = static_cast<std::uint8_t>(block.phase);
    const int right = std::min(scene.width, static_cast<int>(std::ceil(block.x1)));
    for (int x = static_cast<int>(block.x0); x < right; ++x) {
      if (row[x] == PhaseMap::kNothing || badness(cell) > badness(row[x])) row[x] = cell;
    }
  }
}

}  // namespace

std::vector<LaneBlock> laneBlocks(const Lane& lane, std::int64_t begin_ns, std::int64_t end_ns, int width) {
  if (width <= 0 || end_ns <= begin_ns) return {};
  const View view{static_cast<double>(begin_ns), width / static_cast<double>(end_ns - begin_ns), double(width)};
  const auto first = firstSpanAfter(lane, begin_ns);
  const auto last =
      std::partition_point(first, lane.spans.end(), [end_ns](const Span& span) { return span.begin_ns < end_ns; });
  constexpr int kPixelsASpan = 3;
  if (std::distance(first, last) * kPixelsASpan > width) return pixelBlocks(first, last, view, width);
  return exactBlocks(first, last, view, width);
}

PhaseMap phaseMap(const Timeline& timeline, std::int64_t begin_ns, std::int64_t end_ns, int width, int height) {
  PhaseMap scene{width, height, {}};
  if (width <= 0 || height <= 0) return scene;
  scene.cells.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), PhaseMap::kNothing);
  const auto lanes = static_cast<double>(std::max<std::size_t>(1, timeline.lanes.size()));
  for (std::size_t i = 0; i < timeline.lanes.size(); ++i) {
    const int top = static_cast<int>(static_cast<double>(i) * height / lanes);
    const int bottom = std::max(top + 1, static_cast<int>(static_cast<double>(i + 1) * height / lanes));
    const auto blocks = laneBlocks(timeline.lanes[i], begin_ns, end_ns, width);
    for (int y = top; y < bottom; ++y) addWorst(scene, y, blocks);
  }
  return scene;
}

const Span* spanAt(const Lane& lane, std::int64_t ns) {
  const auto found = firstSpanAfter(lane, ns);
  return found != lane.spans.end() && found->begin_ns <= ns ? &*found : nullptr;
}

}  // namespace shardlens::ui
