// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/lens/lanes.h"
#include "ui/scene/stage/legend.h"

#include <QPainter>
#include <QRect>
#include <QRectF>

#include <vector>

namespace shardlens::ui {

/// How wide the entries are side by side.
double legendWidth(const std::vector<LegendEntry>& entries);
/// The same with the least space between them.
double leastLegendWidth(const std::vector<LegendEntry>& entries);
/// Where each entry goes, side by side in the area, closer where there is little room; as many as fit whole.
std::vector<QRectF> legendPlaces(const QRect& area, const std::vector<LegendEntry>& entries);
/// Those entries. What is out of view is written as the link that it is.
void paintLegend(QPainter& painter, const QRect& area, const std::vector<LegendEntry>& entries, const Theme& theme);

/// The bar at the head of a column of the Lens; without shares an empty track.
void paintShareBar(QPainter& painter, const QRectF& area, const std::vector<LensShare>& shares, const Theme& theme);

/// What is lost: its colour with hatching, told from the others without colours too.
void paintLost(QPainter& painter, const QRectF& area, double radius);

}  // namespace shardlens::ui
