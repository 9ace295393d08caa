// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/lens/share_bar.h"

#include "ui/scene/lens/lanes.h"
#include "ui/scene/palette.h"
#include "ui/state/phrase.h"

#include <algorithm>
#include <set>

namespace shardlens::ui {
namespace {

constexpr double kBetweenPieces = 2;
constexpr double kLeastPiece = 4;

/// "another batch in this place": the Stage beside a Lens needs to say where.
QString lensWords(const LegendEntry& entry) {
  return entry.mark == LegendMark::DogEar ? phrase("lens", "another batch in this place") : entry.text;
}

}  // namespace

std::vector<SharePiece> shareBar(const std::vector<LensShare>& shares, double width) {
  std::vector<SharePiece> pieces;
  if (shares.empty()) return pieces;
  const double room = std::max(0.0, width - kBetweenPieces * static_cast<double>(shares.size() - 1));
  double needed = 0;
  std::vector<double> lengths;
  for (const LensShare& share : shares) {
    lengths.push_back(std::max(kLeastPiece, share.share * room));
    needed += lengths.back();
  }
  // What small pieces take beyond their share, the longest gives.
  *std::max_element(lengths.begin(), lengths.end()) -= needed - room;
  double at = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const double to = at + std::max(1.0, lengths[i]);
    pieces.push_back({shares[i].kind, at, to});
    at = to + kBetweenPieces;
  }
  return pieces;
}

QColor shareColor(const Theme& theme, ShareKind kind) {
  switch (kind) {
    case ShareKind::Same:
      return QColor::fromRgb(0x009E73);
    case ShareKind::Moved:
      return QColor::fromRgb(0x56B4E9);
    case ShareKind::Fewer:
      return theme.cell_empty;
    case ShareKind::Lost:
      return neverColor();
    case ShareKind::Repeated:
      return duplicateColor(theme);
    case ShareKind::Added:
      break;
  }
  return QColor::fromRgb(0xF0E442);
}

std::vector<LegendEntry> lensCellLegend(const std::vector<const LensLane*>& lanes, const Theme& theme) {
  std::vector<LegendEntry> entries;
  for (const LensLane* lane : lanes) {
    for (LegendEntry& entry : stageLegend(lane->stage, lane->facts.get(), StageColour::SamplePosition, false, theme)) {
      const auto is_known = [&](const LegendEntry& one) { return one.mark == entry.mark; };
      if (entry.mark == LegendMark::Spread || std::ranges::any_of(entries, is_known)) continue;
      entry.text = lensWords(entry);
      if (entry.mark == LegendMark::Scale) entry.from = phrase("lens", "sample %1").arg(entry.from);
      entries.push_back(std::move(entry));
    }
  }
  std::ranges::stable_sort(entries, {}, &LegendEntry::mark);
  return entries;
}

std::vector<LegendEntry> lensBarLegend(const std::vector<const LensLane*>& lanes, const Theme& theme) {
  std::set<ShareKind> kinds;
  for (const LensLane* lane : lanes) {
    for (const LensShare& share : sharesOf(lane->judged)) kinds.insert(share.kind);
  }
  std::vector<LegendEntry> entries;
  for (const ShareKind kind : kinds) {
    const LegendMark mark = kind == ShareKind::Lost ? LegendMark::Lost : LegendMark::Fills;
    entries.push_back({mark, text(shareName(kind)), {}, {}, {shareColor(theme, kind)}});
  }
  return entries;
}

}  // namespace shardlens::ui
