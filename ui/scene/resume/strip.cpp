// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/resume/strip.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace shardlens::ui {
namespace {

double shareOf(std::int64_t part, std::int64_t items) {
  return part <= 0 ? 0 : items <= 0 ? 1 : std::min(1.0, static_cast<double>(part) / static_cast<double>(items));
}

/// Pieces [first, last) as one column.
ResumeStripColumn worstOf(const std::vector<ResumeSpan>& pieces, std::size_t first, std::size_t last) {
  ResumeStripColumn column;
  for (std::size_t i = first; i < last; ++i) {
    column.repeated = std::max(column.repeated, shareOf(pieces[i].repeated, pieces[i].items));
    column.lost = std::max(column.lost, shareOf(pieces[i].lost, pieces[i].items));
  }
  return column;
}

/// The pieces [first, last) over the pixels [from, to).
void addColumns(const std::vector<ResumeSpan>& pieces, std::size_t first, std::size_t last, int from, int to,
                bool trained, std::vector<ResumeStripColumn>& columns) {
  if (last <= first || to <= from) return;
  const std::size_t count = last - first;
  const auto pixels = static_cast<std::size_t>(to - from);
  const std::size_t shown = std::min(count, pixels);
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t begin = first + i * count / shown;
    const std::size_t end = std::max(begin + 1, first + (i + 1) * count / shown);
    ResumeStripColumn column = worstOf(pieces, begin, end);
    column.from = from + static_cast<int>(i * pixels / shown);
    column.to = from + static_cast<int>((i + 1) * pixels / shown);
    column.trained = trained;
    columns.push_back(column);
  }
}

}  // namespace

ResumeStripScene resumeStripScene(const std::vector<ResumeSpan>& pieces, double stop_share, int stop_pixel, int width) {
  constexpr int kHalfGap = 2;
  constexpr int kLeast = 8;  // pixels for two runs and the seam between them
  ResumeStripScene scene;
  if (pieces.empty() || width <= 0) return scene;
  const std::size_t count = pieces.size();
  const double share = std::clamp(stop_share, 0.0, 1.0);
  const auto before = static_cast<std::size_t>(std::lround(share * static_cast<double>(count)));
  if (before == 0 || before >= count || width < kLeast) {
    addColumns(pieces, 0, count, 0, width, share > 0.5, scene.columns);
    return scene;
  }
  scene.seam = std::clamp(stop_pixel, kHalfGap + 1, width - kHalfGap - 1);
  addColumns(pieces, 0, before, 0, scene.seam - kHalfGap, true, scene.columns);
  addColumns(pieces, before, count, scene.seam + kHalfGap, width, false, scene.columns);
  return scene;
}

int filledPixels(double share, int height) {
  if (share <= 0 || height <= 0) return 0;
  if (share >= 1) return height;
  return std::clamp(static_cast<int>(std::lround(share * height)), 1, std::max(1, height - 1));
}

}  // namespace shardlens::ui
