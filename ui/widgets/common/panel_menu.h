// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/common/toast.h"

#include <QObject>
#include <QString>

#include <functional>

class QMenu;
class QWidget;

namespace shardlens::ui {

/// What a panel gives to take along.
struct PanelCopy {
  QString name;                        ///< "Seeds"; the picture's file is called after it
  std::function<QString()> text = {};  ///< for people; empty: all that its labels say
  std::function<QString()> csv = {};   ///< for programs; may be empty
  QWidget* picture_of = nullptr;       ///< null: the panel
};

/// The context menu of a panel (mouse, Menu key, Shift+F10): copy as text or CSV, copy or save its picture. Ctrl+C
/// copies the CSV, or the text where there is none, while something in the panel has the focus that does not copy by
/// itself. Where panels lie in one another, the innermost one answers. On a page with an Arrangement the panel can be
/// hidden and moved from here, and all panels put back.
class PanelMenu : public QObject {
  Q_OBJECT

 public:
  PanelMenu(QWidget& panel, PanelCopy copy);

  /// That of the innermost panel around the widget, or null.
  [[nodiscard]] static PanelMenu* around(const QWidget* widget);
  [[nodiscard]] const PanelCopy& gives() const { return copy_; }
  [[nodiscard]] QString text() const;
  /// What Ctrl+C does.
  void copy() const { copyText(panel_, copy_.csv ? copy_.csv() : text()); }
  /// The caller owns it.
  [[nodiscard]] QMenu* make() const;

 private:
  [[nodiscard]] QWidget& shown() const;
  void askAndSave() const;

  QWidget& panel_;
  PanelCopy copy_;
};

/// Gives the panel its menu.
void addPanelMenu(QWidget& panel, PanelCopy copy);

}  // namespace shardlens::ui
