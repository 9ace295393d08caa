// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/stage/strip.h"

#include <QPainter>
#include <QRect>

namespace shardlens::ui {

/// The dataset strip in the colours of the Stage's mode: what is seen rises, `top` (a share, 0..1) reaching the top; a
/// red foot marks samples handed out again, a hatched one padding. Wide columns carry their sample's id.
void paintStrip(QPainter& painter, const QRect& area, const std::vector<StripColumn>& columns, double top,
                const StageInput& input, StageColour colour, const Theme& theme);

}  // namespace shardlens::ui
