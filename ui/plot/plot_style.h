// SPDX-License-Identifier: GPL-3.0-or-later
// Inside ui/plot only: how every plot of the program looks. This and the .cpp files are where qcustomplot.h comes in.
#pragma once

#include <QString>
#include <qcustomplot.h>

namespace shardlens::ui {

/// Panel background, no frame boxes, hairline axes, faint labels in the small font.
void styleFrame(QCustomPlot& plot);

/// Titles of axes are in the way of a plot that has hardly any height; what is above it says what is counted.
constexpr int kLeastForTitles = 120;  ///< px
constexpr int kLeastForTitle = 90;    ///< of the one axis that no words above the plot explain

/// The theme's hairline, one device pixel wide.
QPen hairlinePen();
/// A ticker that writes 0, 10, "20 ms": plain numbers with the unit behind every one but zero.
QSharedPointer<QCPAxisTicker> unitTicker(const QString& unit, int ticks);
/// A ticker at whole numbers only, written with thin spaces in the thousands.
QSharedPointer<QCPAxisTicker> countTicker(int ticks);
/// Labels 0 .. rows-1, as many as fit into `pixels` when one takes `pitch`; the text of a row comes from `label`.
QSharedPointer<QCPAxisTicker> rowTicker(qint64 rows, double pixels, double pitch,
                                        const std::function<QString(qint64)>& label);

}  // namespace shardlens::ui
