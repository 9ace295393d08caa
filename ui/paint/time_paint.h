// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/number_text.h"
#include "ui/scene/theme.h"

#include <QPainter>
#include <QPointF>
#include <QRectF>

namespace shardlens::ui {

/// All epochs in a row, the shown one in the accent colour.
void paintEpochs(QPainter& painter, const QRectF& row, qint64 epochs, qint64 shown, const Theme& theme);
/// A small triangle that points down at its tip.
void paintTimeMark(QPainter& painter, const QPointF& tip, Tone tone, const Theme& theme);

}  // namespace shardlens::ui
