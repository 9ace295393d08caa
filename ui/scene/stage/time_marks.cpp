// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/stage/time_marks.h"

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

/// Blocks are never narrower than this, in pixels.
constexpr double kLeastBlock = 3;

}  // namespace

std::vector<TimeMark> timeMarks(const AuditReport& report) {
  std::vector<const Finding*> placed;
  for (const Finding& finding : report.findings) {
    if (!finding.is_proof && (finding.where.epoch || finding.where.step)) placed.push_back(&finding);
  }
  std::ranges::stable_sort(placed, std::greater(), &Finding::severity);
  std::vector<TimeMark> marks;
  marks.reserve(placed.size());
  for (const Finding* finding : placed) {
    marks.push_back({finding->where.epoch.value_or(0), finding->where.step, toneOf(finding->severity),
                     QString::fromStdString(finding->title)});
  }
  return marks;
}

double epochPitch(qint64 epochs, double width, double side) {
  return std::min(width / static_cast<double>(std::max<qint64>(epochs, 1)), side + 1);
}

std::vector<EpochBlock> epochBlocks(qint64 epochs, double width, double side) {
  std::vector<EpochBlock> blocks;
  if (epochs <= 0 || width <= 0) return blocks;
  const double pitch = epochPitch(epochs, width, side);
  qint64 each = 1;
  while (pitch * static_cast<double>(each) < kLeastBlock && each < epochs) each *= 10;
  for (qint64 first = 0; first < epochs; first += each) {
    const qint64 last = std::min(first + each, epochs);
    const double from = std::round(static_cast<double>(first) * pitch);
    const double to = std::round(static_cast<double>(last) * pitch);
    blocks.push_back({first, last, from, std::max(to - 1, from + 1), first / each % 10 == 0});
  }
  return blocks;
}

qint64 epochAt(qint64 epochs, double width, double side, double pixel) {
  const double pitch = epochPitch(epochs, std::max(width, 1.0), side);
  return std::clamp<qint64>(static_cast<qint64>(std::max(pixel, 0.0) / pitch), 0, std::max<qint64>(epochs - 1, 0));
}

}  // namespace shardlens::ui
