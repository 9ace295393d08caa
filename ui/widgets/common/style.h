// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/number_text.h"
#include "ui/scene/theme.h"

#include <QBoxLayout>
#include <QColor>
#include <QFont>
#include <QPoint>
#include <QSize>
#include <QString>

#include <functional>
#include <initializer_list>

class QPushButton;
class QWidget;

namespace shardlens::ui {

/// Dresses the whole application: the theme in force, palette, fonts and style sheet. Widgets say what they are with
/// dynamic properties and get their colours here:
///   QLabel       tone = muted | faint | error | warning | fine | accent | on_accent;  role = head | verdict | small |
///   title QPushButton  role = primary | danger | quiet | link | chip | filter QWidget      surface = window | panel |
///   field | sheet QSplitter    handle = gap fields       state = error
/// Before a window is built, each of its widgets is dressed whenever it gets a parent; afterwards, all of them once.
void applyTheme(const Theme& theme);

/// The style that applyTheme() puts its sheet on. A program that builds its window first asks for it before.
void useFusion();

/// The style sheet of applyTheme(), for tests.
QString styleSheetOf(const Theme& theme);

/// Takes the families of the theme, at the size of the system's own font. Once, before the first window.
void installFonts();

/// The colour of a bar or a dot that says the tone.
QColor toneColor(Tone tone);

/// Sets one of the properties above and lets the style see it.
void setLook(QWidget* widget, const char* property, const QString& value);
/// Sets the property `surface`, and lets a plain widget paint it.
void setSurface(QWidget* widget, const QString& surface);

/// Keeps the property `ring` of the widget with the focus: "on" when a key brought the focus there. Whoever works with
/// the mouse, and a window that has just opened, shows no ring. Once for the application; later calls do nothing.
void installFocusRings();

/// Whether this widget has the focus and marks it. For widgets that paint their own ring; the style sheet asks the
/// property.
bool showsFocusRing(const QWidget& widget);

/// A tool tip for each place of a widget that paints more than one thing; none where `tip_at` gives no words.
void setTips(QWidget* widget, std::function<QString(QPoint place)> tip_at);

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

/// Adds the widgets to a layout or a splitter, in this order.
template <class Layout>
void addAll(Layout* to, std::initializer_list<QWidget*> widgets) {
  for (QWidget* widget : widgets) to->addWidget(widget);
}

/// Hides and deletes the widgets of a layout, and of the layouts in it.
void removeAll(QLayout& layout);

/// A button in a role of the style.
QPushButton* pushButton(const QString& text, const char* role, QWidget* parent = nullptr);

/// The font as titles are written in it.
QFont demiBold(QFont font);

/// A bar of the window: its ground, and the hairline at its foot that ends it.
void paintBar(QWidget& bar, const QColor& ground);

/// The size in which a widget is seen: that of the area which scrolls it, else its own. What takes more than that is
/// out of sight.
QSize roomOf(const QWidget& widget);

}  // namespace shardlens::ui
