// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>

class QWidget;

namespace shardlens::ui {

/// The size in which a widget is seen: that of the area which scrolls it, else its own. What takes more than that is
/// out of sight.
QSize roomOf(const QWidget& widget);

}  // namespace shardlens::ui
