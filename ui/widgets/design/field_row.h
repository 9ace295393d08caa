// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/spec/field.h"
#include "ui/state/latest_job.h"

#include <QAbstractButton>
#include <QLabel>
#include <QObject>
#include <QWidget>

#include <optional>

class QKeyEvent;
class QLineEdit;

namespace shardlens::ui {

class ChoiceField;

/// One field of the form: its key, its editor, and under it what follows from it or what is wrong with it. It knows the
/// field's description and nothing of the document.
///
/// What is typed counts at once, until the field is left or Enter is pressed; Esc brings back what was there before.
/// So does a text that is refused: the digits before the one too many were never meant. A list is read in the
/// background, as it may be long; what is typed meanwhile takes its place.
class FieldRow : public QWidget {
  Q_OBJECT

 public:
  FieldRow(Field field, const Value& value, QWidget* parent = nullptr);

  [[nodiscard]] const Field& field() const { return field_; }
  /// Shows the document's value; leaves alone what the user is typing when it means the same.
  void setValue(const Value& value);
  /// What follows from the field, under it.
  void setNote(const QString& text);
  /// The list was made up, and is this; empty: it was not.
  void setExample(const QString& what);
  /// Offers to make the list up, or does no longer.
  void setExampleOffered(bool offered);
  /// What the dot of a changed value goes back to: "the default (2)".
  void setDefaultText(const QString& what);
  /// Greys the field while its value changes nothing.
  void setInUse(bool in_use);
  /// What is wrong with it, under that; a tone of the style.
  void setRemark(const QString& text, const QString& tone);
  /// The value that edited() brought is not taken; the sentence is shown until the user types on.
  void refuse(const QString& why);
  void focusEditor() { editor_->setFocus(Qt::ShortcutFocusReason); }
  [[nodiscard]] QWidget* editor() const { return editor_; }
  [[nodiscard]] QString noteText() const { return note_->text(); }
  /// Opens the editor of a list; null for other fields.
  [[nodiscard]] QAbstractButton* listLink() const { return list_link_; }
  /// Fills in an example of a list; null for other fields.
  [[nodiscard]] QAbstractButton* exampleLink() const { return example_link_; }
  /// The remark, or why the typed text is refused.
  [[nodiscard]] QString remarkText() const { return under_->text(); }
  /// The typed text is not accepted; the sentence stands under the field.
  [[nodiscard]] bool isRefused() const { return !refusal_.isEmpty(); }
  /// What was typed is a list, and is being read; the spec has it when that is done.
  [[nodiscard]] bool isReading() const { return reading_.isBusy(); }

 signals:
  void edited(const Value& value);
  /// The user has left the field.
  void left();
  /// The list of samplers is to be opened.
  void pickerWanted();
  /// The list is to be edited in an editor of its own.
  void listEditorWanted();
  /// The list is empty, and an example is to be filled in.
  void exampleWanted();
  /// The value was set back to the default, by the reset dot or the menu.
  void wasReset();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  QWidget* makeEditor();
  QWidget* makeChoice(bool editable);
  QWidget* makeNumber();
  QWidget* makeList();
  QWidget* makeAdder();
  void addListLink();
  void addMarks();
  void placeReset();
  void fillChoices(ChoiceField* choice) const;
  void take(const QString& text);
  void read(const QString& text);
  void stopReading();
  void decide(const Result<Value>& value);
  void accept(const Value& value);
  void change(const Value& value);
  void restore();
  void commit();
  void reset();
  bool handleKey(const QKeyEvent& event);
  void showValue();
  void showRemark();
  [[nodiscard]] QLineEdit* line() const;
  [[nodiscard]] bool isChanged() const { return value_ != field_.fallback; }
  /// The text in the line is not, or not yet, the document's value.
  [[nodiscard]] bool isOwnText() const { return isRefused() || isReading(); }

  Field field_;
  Value value_;
  Value before_;                ///< when the user began to type
  bool typing_ = false;         ///< the user has typed and not yet left the field
  std::optional<Value> typed_;  ///< what the text in the line means; nothing when it is refused
  bool finishing_ = false;      ///< once the list is read, the line shows it as a value and the typing has ended
  QString progress_;            ///< of the list that is being read, when that takes long
  QString remark_;
  QString tone_;
  QString refusal_;
  QLabel* label_;
  QLabel* note_;
  QLabel* under_;
  QWidget* editor_;
  QAbstractButton* reset_ = nullptr;  ///< seen while the value is not the default
  QString scrubbed_;                  ///< the text when dragging the label began
  QAbstractButton* example_link_ = nullptr;
  QAbstractButton* list_link_ = nullptr;  ///< of a list: opens its editor
  LatestJob reading_;                     ///< last: it tells all of the above
};

}  // namespace shardlens::ui
