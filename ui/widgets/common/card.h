// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/number_text.h"

#include <QFrame>
#include <QScrollArea>
#include <QSplitter>

class QVBoxLayout;

namespace shardlens::ui {

/// A rounded surface with a bar in the colour of its tone at its left, but for a note; its content goes into column().
/// It can be clicked, and has a keyboard focus when it can.
class Card : public QFrame {
  Q_OBJECT

 public:
  explicit Card(Tone tone, QWidget* parent = nullptr);
  [[nodiscard]] QVBoxLayout* column() const { return column_; }
  void setTone(Tone tone);
  void setClickable(bool clickable);
  /// Framed like the other marks of the selection.
  void setChosen(bool chosen);
  /// The one to begin with: filled with the accent. Its words need the tone on_accent.
  void setPrimary(bool primary) { primary_ = primary; }
  [[nodiscard]] bool isPrimary() const { return primary_; }
  [[nodiscard]] bool isChosen() const { return chosen_; }

 signals:
  void activated();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  Tone tone_;
  bool clickable_ = false;
  bool chosen_ = false;
  bool primary_ = false;
  QVBoxLayout* column_;
};

/// Nothing here yet: what belongs here and how to get it, in the middle of the space.
QWidget* emptyState(const QString& title, const QString& text, QWidget* parent = nullptr);

/// A vertical scroll area without frame around `content`, which takes the width there is.
QScrollArea* thinScroll(QWidget* content, QWidget* parent = nullptr);

/// A splitter with 1 px lines; nothing in it can be dragged to nothing.
QSplitter* thinSplitter(Qt::Orientation orientation, QWidget* parent = nullptr);

/// A 1 px line between regions.
QWidget* hairline(Qt::Orientation orientation, QWidget* parent = nullptr);

}  // namespace shardlens::ui
