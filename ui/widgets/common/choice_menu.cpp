// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/choice_menu.h"

#include <QKeyEvent>

namespace shardlens::ui {

void ChoiceMenu::mouseReleaseEvent(QMouseEvent* event) {
  if (!switchActive()) QMenu::mouseReleaseEvent(event);
}

void ChoiceMenu::keyPressEvent(QKeyEvent* event) {
  const bool chooses = event->key() == Qt::Key_Space || event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (!chooses || !switchActive()) QMenu::keyPressEvent(event);
}

bool ChoiceMenu::switchActive() {
  QAction* action = activeAction();
  if (action == nullptr || !action->isCheckable() || !action->isEnabled()) return false;
  action->trigger();
  return true;
}

}  // namespace shardlens::ui

#include "moc_choice_menu.cpp"
