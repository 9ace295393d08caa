// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>

class QHBoxLayout;
class QMargins;
class QVBoxLayout;
class QWidget;

namespace shardlens::ui {

/// A length of the drawings (13 px type) at the size of type in use: 26 px fields grow with the user's font.
int px(int design);

/// The grid: margins of regions, gaps between things, height of a field, distance from a field to the next.
constexpr int kMargin = 16;
constexpr int kGap = 8;
constexpr int kFieldHeight = 26;
constexpr int kFieldPitch = 32;

/// The layout of a widget, or of none yet, from left to right or from top to bottom; a gap of -1 is the style's.
QHBoxLayout* rowIn(QWidget* parent, const QMargins& margins, int gap = -1);
QVBoxLayout* columnIn(QWidget* parent, const QMargins& margins, int gap = -1);

/// The size in which a widget is seen: that of the area which scrolls it, else its own. What takes more than that is
/// out of sight.
QSize roomOf(const QWidget& widget);

}  // namespace shardlens::ui
