// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPainter>
#include <QRectF>

namespace shardlens::ui {

/// "Not measured": thin slanted lines, 4 px apart, clipped to the rectangle.
void paintHatch(QPainter& painter, const QRectF& rect, const QColor& colour, double radius = 0);

}  // namespace shardlens::ui
