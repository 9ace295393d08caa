// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/run/lanes.h"

#include "core/diagnose/run_state.h"
#include "ui/scene/run/stalls.h"

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

bool isInPhase(RankStatus status) {
  return status == RankStatus::Loading || status == RankStatus::Computing || status == RankStatus::InCollective;
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

/// The whole run's spans up to the last seconds', whose spans are the exact ones.
std::vector<LaneBlock> laneBlocks(const LaneSource& source, std::int64_t begin_ns, std::int64_t end_ns, int width) {
  if (width <= 0 || end_ns <= begin_ns) return {};
  const Lane empty;
  const Lane& recent = source.recent != nullptr ? *source.recent : empty;
  const Lane& whole = source.whole != nullptr ? *source.whole : empty;
  const std::int64_t cut = recent.spans.empty() ? end_ns : recent.spans.front().begin_ns;
  const double per_ns = width / static_cast<double>(end_ns - begin_ns);
  const int at =
      static_cast<int>(std::clamp(std::round(static_cast<double>(cut - begin_ns) * per_ns), 0.0, double(width)));
  std::vector<LaneBlock> blocks;
  if (whole.spans.empty() || at == 0) {
    blocks = laneBlocks(recent, begin_ns, end_ns, width);
  } else if (at == width) {
    blocks = laneBlocks(whole, begin_ns, end_ns, width);
  } else {
    const std::int64_t there = begin_ns + std::llround(at / per_ns);
    blocks = laneBlocks(whole, begin_ns, there, at);
    for (LaneBlock block : laneBlocks(recent, there, end_ns, width - at)) {
      block.x0 += at;
      block.x1 += at;
      blocks.push_back(block);
    }
  }
  if (source.over_ns < end_ns) {
    const double over = std::max(0.0, static_cast<double>(source.over_ns - begin_ns) * per_ns);
    std::erase_if(blocks, [over](const LaneBlock& block) { return block.x0 >= over; });
    if (!blocks.empty()) blocks.back().x1 = std::min(blocks.back().x1, over);
  }
  return blocks;
}

PhaseMap phaseMap(const RunLanes& lanes, std::int64_t begin_ns, std::int64_t end_ns, int width, int height) {
  PhaseMap scene{width, height, {}};
  if (width <= 0 || height <= 0) return scene;
  scene.cells.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), PhaseMap::kNothing);
  const auto count = static_cast<double>(std::max<std::size_t>(1, lanes.ranks()));
  for (std::size_t i = 0; i < lanes.ranks(); ++i) {
    const int top = static_cast<int>(static_cast<double>(i) * height / count);
    const int bottom = std::max(top + 1, static_cast<int>(static_cast<double>(i + 1) * height / count));
    const auto blocks = laneBlocks(lanes.of(i), begin_ns, end_ns, width);
    for (int y = top; y < bottom; ++y) addWorst(scene, y, blocks);
  }
  return scene;
}

const Span* spanAt(const Lane& lane, std::int64_t ns) {
  const auto found = firstSpanAfter(lane, ns);
  return found != lane.spans.end() && found->begin_ns <= ns ? &*found : nullptr;
}

const Span* spanAt(const LaneSource& source, std::int64_t ns) {
  const bool is_recent =
      source.recent != nullptr && !source.recent->spans.empty() && ns >= source.recent->spans.front().begin_ns;
  const Lane* lane = is_recent || source.whole == nullptr ? source.recent : source.whole;
  return lane == nullptr ? nullptr : spanAt(*lane, ns);
}

LaneSource RunLanes::of(std::size_t rank) const {
  LaneSource source;
  source.recent = &recent->lanes[rank];
  if (overview != nullptr && rank < overview->lanes.lanes.size()) source.whole = &overview->lanes.lanes[rank];
  if (rank < over_ns.size()) source.over_ns = over_ns[rank];
  return source;
}

RunLanes lanesOf(std::shared_ptr<const RunState> state, std::shared_ptr<const Overview> overview) {
  RunLanes lanes;
  for (const RankState& rank : state->ranks) {
    const bool is_over =
        rank.status == RankStatus::Dead || rank.status == RankStatus::Ended || rank.status == RankStatus::Done;
    lanes.over_ns.push_back(is_over ? rank.since_ns : std::numeric_limits<std::int64_t>::max());
  }
  lanes.overview = std::move(overview);
  const Timeline* recent = &state->recent;
  lanes.recent = std::shared_ptr<const Timeline>(std::move(state), recent);
  return lanes;
}

std::int64_t sinceFirstDeath(const RunState& state, const RunLanes& lanes) {
  constexpr std::int64_t kMost = 60'000'000'000;
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  for (const RankState& rank : state.ranks) {
    if (rank.status == RankStatus::Dead) first = std::min(first, rank.since_ns);
  }
  return std::clamp<std::int64_t>(latestMoment(state, lanes, 0) - first, 0, kMost);
}

std::int64_t latestMoment(const RunState& state, const RunLanes& lanes, std::int64_t margin_ns) {
  const bool is_over = !isUnderWay(state.status);
  std::int64_t latest = -1;
  bool has_died = false;
  for (const RankState& rank : state.ranks) {
    if (rank.status != RankStatus::Dead) continue;
    has_died = true;
    latest = std::max(latest, rank.since_ns);
  }
  if (!is_over && !has_died) return state.elapsed_ns;
  for (std::size_t rank = 0; rank < lanes.ranks(); ++rank) {
    const auto& spans = lanes.recent->lanes[rank].spans;
    // What a rank is still in goes on to the end of the recording, whatever happens.
    const std::size_t begun = isInPhase(state.ranks[rank].status) ? 1 : 0;
    // After a death the others wait until they are sent away: that is no moment of the job's own.
    const auto is_own = [has_died](const Span& span) { return !has_died || span.phase != Phase::Wait; };
    const auto from = spans.rbegin() + static_cast<std::ptrdiff_t>(std::min(begun, spans.size()));
    const auto last = std::find_if(from, spans.rend(), is_own);
    if (last != spans.rend()) latest = std::max(latest, last->end_ns);
  }
  // A standstill is what the rank that is waited for is still in.
  if (const Verdict* stalled = stalledIn(state); stalled != nullptr && !has_died)
    latest = std::max(latest, stalled->to_ns.value_or(latest));
  if (lanes.overview != nullptr && latest < 0) latest = lanes.overview->lanes.end_ns;
  return latest <= 0 ? state.elapsed_ns : std::min(state.elapsed_ns, latest + margin_ns);
}

}  // namespace shardlens::ui
