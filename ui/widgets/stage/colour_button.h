// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/stage/scene.h"

#include <QToolButton>

namespace shardlens::ui {

/// "colour: sample position ▾": what the colour of a cell says, and the menu that changes it.
class ColourButton : public QToolButton {
  Q_OBJECT

 public:
  explicit ColourButton(QWidget* parent = nullptr);
  void setColour(StageColour colour);
  /// Only the name of what the colour says, where there is little room.
  void setBrief(bool brief);
  [[nodiscard]] int widthOf(bool brief) const;
  /// Colouring by label is offered where samples have labels.
  void setLabelled(bool labelled);

 signals:
  /// The user chose it; setColour() shows it.
  void colourChosen(shardlens::ui::StageColour colour);

 private:
  [[nodiscard]] QString words(bool brief) const;

  StageColour colour_ = StageColour::SamplePosition;
  bool brief_ = false;
};

}  // namespace shardlens::ui
