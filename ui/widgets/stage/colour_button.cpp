// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/stage/colour_button.h"

#include <QMenu>

namespace shardlens::ui {

ColourButton::ColourButton(QWidget* parent) : QToolButton(parent) {
  setPopupMode(QToolButton::InstantPopup);
  setFocusPolicy(Qt::TabFocus);
  auto* menu = new QMenu(this);
  for (const StageColour colour : kStageColours) {
    QAction* action = menu->addAction(stageColourName(colour));
    action->setCheckable(true);
    action->setData(static_cast<int>(colour));
    connect(action, &QAction::triggered, this, [this, colour] { emit colourChosen(colour); });
  }
  setMenu(menu);
}

void ColourButton::setLabelled(bool labelled) {
  for (QAction* action : menu()->actions()) {
    if (action->data().toInt() == static_cast<int>(StageColour::Label)) action->setEnabled(labelled);
  }
}

void ColourButton::setColour(StageColour colour) {
  setText(tr("colour: %1 ▾").arg(stageColourName(colour)));
  setAccessibleName(tr("Colour of the cells: %1").arg(stageColourName(colour)));
  for (QAction* action : menu()->actions()) action->setChecked(action->data().toInt() == static_cast<int>(colour));
}

}  // namespace shardlens::ui
