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

}  // namespace

ResumeStripScene resumeStripScene(const std::vector<ResumeSpan>& pieces, double stop_share, int width) {
  ResumeStripScene scene;
  if (pieces.empty() || width <= 0) return scene;
  scene.stop = std::clamp(stop_share, 0.0, 1.0) * width;
  const std::size_t count = pieces.size();
  const std::size_t pixels = static_cast<std::size_t>(width);
  const std::size_t columns = std::min(count, pixels);
  scene.columns.reserve(columns);
  for (std::size_t i = 0; i < columns; ++i) {
    const std::size_t first = i * count / columns;
    const std::size_t last = std::max(first + 1, (i + 1) * count / columns);
    ResumeStripColumn column = worstOf(pieces, first, last);
    column.from = static_cast<int>(i * pixels / columns);
    column.to = static_cast<int>((i + 1) * pixels / columns);
    column.trained = (column.from + column.to) / 2.0 < scene.stop;
    scene.columns.push_back(column);
  }
  return scene;
}

int filledPixels(double share, int height) {
  if (share <= 0 || height <= 0) return 0;
  if (share >= 1) return height;
  return std::clamp(static_cast<int>(std::lround(share * height)), 1, std::max(1, height - 1));
}

}  // namespace shardlens::ui
