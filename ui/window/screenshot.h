// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QSize>
#include <QString>
#include <QStringList>

#include <optional>
#include <utility>

namespace shardlens::ui {

class MainWindow;

/// Waits until the window is ready (not for a time) and writes a picture of it. Needs no display. The picture has
/// `size` pixels at scale 1, with the playhead at `place` (epoch, step) when one is given; a part of a step is pictured
/// as it is played; `front` is opened first (namesInFront).
Result<void> takeScreenshot(MainWindow& window, const QString& file, QSize size,
                            std::optional<std::pair<qint64, double>> place = {}, const QString& front = {});

/// What can be opened in front of the window: the examples, the keys ...
QStringList namesInFront();
/// Opens one of them.
void openInFront(MainWindow& window, const QString& name);

}  // namespace shardlens::ui
