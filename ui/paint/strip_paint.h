// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/stage/strip.h"

#include <QPainter>
#include <QRect>

namespace shardlens::ui {

/// The dataset strip: what is seen rises in the colour of the rank that took it; a red foot marks samples handed out
/// again, a hatched one padding. Wide columns carry their sample's id.
void paintStrip(QPainter& painter, const QRect& area, const std::vector<StripColumn>& columns, const StageInput& input,
                const Theme& theme);

/// Black or white, whichever can be read on `background`.
QColor readableOn(const QColor& background);

}  // namespace shardlens::ui
