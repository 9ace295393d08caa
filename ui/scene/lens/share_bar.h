// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lens/head.h"
#include "ui/scene/stage/legend.h"
#include "ui/scene/theme.h"

#include <QColor>

#include <vector>

namespace shardlens::ui {

struct LensLane;

/// A piece of the bar at the head of a column, in pixels from its left.
struct SharePiece {
  ShareKind kind = ShareKind::Same;
  double from = 0;
  double to = 0;
  bool operator==(const SharePiece&) const = default;
};

/// The shares side by side with gaps of 2 px over `width`; what there is at all can be seen, however little it is.
std::vector<SharePiece> shareBar(const std::vector<LensShare>& shares, double width);

/// same, moved, lost and repeated as in the drawings; colour-blind safe beside each other (Okabe and Ito).
QColor shareColor(const Theme& theme, ShareKind kind);

/// What is drawn in the cells of these lanes: each mark once.
std::vector<LegendEntry> lensCellLegend(const std::vector<const LensLane*>& lanes, const Theme& theme);
/// What the colours of their bars mean; those that none of them has are left out.
std::vector<LegendEntry> lensBarLegend(const std::vector<const LensLane*>& lanes, const Theme& theme);

}  // namespace shardlens::ui
