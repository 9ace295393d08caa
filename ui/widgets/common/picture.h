// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QPixmap>
#include <QString>

class QPainter;
class QWidget;

namespace shardlens::ui {

/// How many pixels of a saved picture make one of the screen: about 300 of them make an inch of paper.
constexpr int kPrintScale = 3;

/// The widget painted anew at this scale: letters and lines are as sharp as the scale allows.
QPixmap pictureOf(QWidget& widget, int scale);

/// Writes what the widget shows: as vectors when the name ends in .svg, else in the format of its ending at print
/// scale. Io when it cannot be written, Usage when pictures of that ending cannot.
Result<void> savePicture(QWidget& widget, const QString& file);

/// What the painter paints is larger than the widget on its screen, or has no pixels: what was kept ready for the
/// screen would be coarse in it.
bool isForPrint(const QPainter& painter, const QWidget& widget);

}  // namespace shardlens::ui
