// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/lens/share_bar.h"

#include <QPainter>
#include <QRectF>

namespace shardlens::ui {

/// The bar at the head of a column of the Lens; without shares an empty track.
void paintShareBar(QPainter& painter, const QRectF& area, const std::vector<LensShare>& shares, const Theme& theme);

/// What is lost: its colour with hatching, told from the others without colours too.
void paintLost(QPainter& painter, const QRectF& area, double radius);

}  // namespace shardlens::ui
