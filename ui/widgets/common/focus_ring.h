// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace shardlens::ui {

/// Keeps the property `ring` of the widget with the focus: "on" when a key brought the focus there. Whoever works with
/// the mouse, and a window that has just opened, shows no ring. Once for the application; later calls do nothing.
void installFocusRings();

/// Whether this widget has the focus and marks it. For widgets that paint their own ring; the style sheet asks the
/// property.
bool showsFocusRing(const QWidget& widget);

}  // namespace shardlens::ui
