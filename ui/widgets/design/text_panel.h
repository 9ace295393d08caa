// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "ui/state/workspace.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QWidget>

#include <vector>

namespace shardlens::ui {

class CodeHighlighter;
class Column;
class ElidedLabel;
class LinkButton;

/// A YAML text to type in, with line numbers; problems are underlined where they are.
class SpecEditor : public QPlainTextEdit {
  Q_OBJECT

 public:
  explicit SpecEditor(QWidget* parent = nullptr);
  ~SpecEditor() override;

  /// Changes only what differs: the cursor and what is in view stay. The editor's own undo takes it back.
  void putText(const QString& text);
  void setProblems(const Issues& problems);
  /// Brings the problem's place into view and puts the cursor there.
  void goTo(const Place& place);
  /// What is underlined, for tests: line and column from 1.
  [[nodiscard]] std::vector<std::pair<int, int>> marks() const;

 signals:
  void typed(const QString& text);
  void left();

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  class Numbers;
  void layOutNumbers();
  void paintNumbers(QPaintEvent* event);
  void paintMarks();
  [[nodiscard]] QTextCursor cursorAt(const Place& place) const;

  CodeHighlighter* highlighter_;
  Numbers* numbers_;
  Issues problems_;
  bool putting_ = false;  ///< the text is not typed but given
};

/// The design as text, beside the form and in step with it: an editor, under it what is wrong with the text, each
/// problem as a link to its place.
class TextPanel : public QWidget {
  Q_OBJECT

 public:
  explicit TextPanel(Workspace& workspace, QWidget* parent = nullptr);

  [[nodiscard]] SpecEditor* editor() const { return editor_; }
  /// How text and form stand to each other, in a sentence.
  [[nodiscard]] QString state() const { return state_->text(); }
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
