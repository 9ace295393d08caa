// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

class QMenu;
class QWidget;

namespace shardlens::ui {

/// What a panel gives to take along.
struct PanelCopy {
  QString name;                   ///< "Seeds"; the picture's file is called after it
  std::function<QString()> text;  ///< for people
  std::function<QString()> csv;   ///< for programs; may be empty
  QWidget* picture_of = nullptr;  ///< null: the panel
};

/// Gives the panel a context menu (mouse, Menu key, Shift+F10): copy as text or CSV, copy or save its picture. Ctrl+C
/// copies the CSV, or the text where there is none, while something in the panel has the focus that does not copy by
/// itself. Panels that have a menu must not lie in one another.
void addPanelMenu(QWidget& panel, PanelCopy copy);

/// What the menu holds, for tests; the caller owns it.
QMenu* makePanelMenu(QWidget& panel, const PanelCopy& copy);

}  // namespace shardlens::ui
