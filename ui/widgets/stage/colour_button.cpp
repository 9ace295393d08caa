// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/stage/colour_button.h"

#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"

#include <QMenu>

namespace shardlens::ui {

ColourButton::ColourButton(QWidget* parent) : QToolButton(parent) {
  setPopupMode(QToolButton::InstantPopup);
  setFocusPolicy(Qt::TabFocus);
  setLook(this, "role", "inline");
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

QString ColourButton::words(bool brief) const {
  const QString name = stageColourName(colour_);
  return brief ? name + QStringLiteral(" ▾") : tr("colour: %1 ▾").arg(name);
}

int ColourButton::widthOf(bool brief) const {
  return fontMetrics().horizontalAdvance(words(brief)) + px(4);
}

void ColourButton::setBrief(bool brief) {
  brief_ = brief;
  if (text() != words(brief)) setText(words(brief));
  setFixedWidth(widthOf(brief));
}

void ColourButton::setColour(StageColour colour) {
  colour_ = colour;
  setBrief(brief_);
  setAccessibleName(tr("Colour of the cells: %1").arg(stageColourName(colour)));
  for (QAction* action : menu()->actions()) action->setChecked(action->data().toInt() == static_cast<int>(colour));
}

}  // namespace shardlens::ui

#include "moc_colour_button.cpp"
