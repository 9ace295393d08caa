// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QSize>
#include <QString>

#include <optional>
#include <utility>

namespace shardlens::ui {

class MainWindow;

/// Waits until the window is ready (not for a time) and writes a picture of it. Needs no display. The picture has
/// `size` pixels at scale 1, with the playhead at `place` (epoch, step) when one is given; a part of a step is pictured
/// as it is played.
Result<void> takeScreenshot(MainWindow& window, const QString& file, QSize size,
                            std::optional<std::pair<qint64, double>> place = {});

}  // namespace shardlens::ui
