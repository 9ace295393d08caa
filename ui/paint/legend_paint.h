// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/stage/legend.h"

#include <QPainter>
#include <QRect>

#include <vector>

namespace shardlens::ui {

/// How wide the entries are side by side.
double legendWidth(const std::vector<LegendEntry>& entries);
/// The entries side by side, as many as fit whole.
void paintLegend(QPainter& painter, const QRect& area, const std::vector<LegendEntry>& entries, const Theme& theme);

}  // namespace shardlens::ui
