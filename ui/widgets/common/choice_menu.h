// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>

namespace shardlens::ui {

/// A menu that stays open while its checkable entries are switched on and off, one after the other.
class ChoiceMenu : public QMenu {
  Q_OBJECT

 public:
  using QMenu::QMenu;

 protected:
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  /// Switches the entry under the cursor; false when it is not one to be switched.
  bool switchActive();
};

}  // namespace shardlens::ui
