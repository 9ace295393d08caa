// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/workspace.h"

#include <QWidget>

class QLabel;

namespace shardlens::ui {

class Column;
class ElidedLabel;
class LinkButton;
class SpecEditor;

/// The design as text, beside the form and in step with it: an editor, under it what is wrong with the text, each
/// problem as a link to its place.
class TextPanel : public QWidget {
  Q_OBJECT

 public:
  explicit TextPanel(Workspace& workspace, QWidget* parent = nullptr);

  [[nodiscard]] SpecEditor* editor() const { return editor_; }
  /// How text and form stand to each other, in a sentence.
  [[nodiscard]] QString state() const;
  [[nodiscard]] QStringList problems() const;

 signals:
  void closeWanted();

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  QWidget* headRow();
  void showText();
  void showState();
  [[nodiscard]] QString stateText() const;

  Workspace& workspace_;
  ElidedLabel* name_;
  QLabel* state_;
  LinkButton* take_;  ///< the design in place of the text
  SpecEditor* editor_;
  Column* problems_;
  QWidget* problem_area_;
};

}  // namespace shardlens::ui
