// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/stage/scene.h"

#include <QPainter>
#include <QRectF>

namespace shardlens::ui {

/// One sample with its number: a place in a batch, or on its way there.
void paintChip(QPainter& painter, const StageChip& chip, const QRectF& place, const Theme& theme);

}  // namespace shardlens::ui
