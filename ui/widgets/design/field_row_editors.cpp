// SPDX-License-Identifier: GPL-3.0-or-later
// What a field of each kind is edited with.
#include "ui/scene/design/field_step.h"
#include "ui/scene/design/form.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/fields.h"
#include "ui/widgets/common/link_button.h"
#include "ui/widgets/design/field_marks.h"
#include "ui/widgets/design/field_row.h"

#include <QGridLayout>
#include <QLabel>

namespace shardlens::ui {
namespace {

constexpr const char* kPickedField = "sampler.type";

/// How a list is written, seen while there is none.
QString exampleOfText(const Field& field) {
  if (field.kind == FieldKind::Numbers) return "0.5, 1, 2";
  return field.path.ends_with("indices") ? "0..7, 12" : "4, 4, 8";
}

}  // namespace

QWidget* FieldRow::makeEditor() {
  switch (field_.kind) {
    case FieldKind::Bool:
    case FieldKind::Choice:
      return makeChoice(false);
    case FieldKind::IntOrName:
      return makeChoice(true);
    case FieldKind::Int:
    case FieldKind::IntOrList:
    case FieldKind::Float:
      return makeNumber();
    case FieldKind::Records:
      return makeAdder();
    case FieldKind::Indices:
    case FieldKind::Numbers:
      return makeList();
    case FieldKind::Text:
      break;
  }
  return makeText();
}

void FieldRow::fillChoices(ChoiceField* choice) const {
  if (field_.kind == FieldKind::Bool) {
    choice->addItem(fieldText(field_, true), true);
    choice->addItem(fieldText(field_, false), false);
    return;
  }
  for (const std::string& name : field_.choices) {
    choice->addItem(choiceLabel(field_, name), QString::fromStdString(name));
    choice->setItemData(choice->count() - 1, QString::fromStdString(name), Qt::ToolTipRole);
  }
}

QWidget* FieldRow::makeChoice(bool editable) {
  auto* choice = new ChoiceField(this);
  fillChoices(choice);
  choice->setEditable(editable);
  if (editable) {
    choice->setInsertPolicy(QComboBox::NoInsert);
    choice->setCompleter(nullptr);
    choice->lineEdit()->installEventFilter(this);
    connect(choice->lineEdit(), &QLineEdit::textEdited, this, &FieldRow::take);
  }
  connect(choice, &QComboBox::activated, this, &FieldRow::choose);
  if (field_.path == kPickedField) choice->setPopup([this] { emit pickerWanted(); });
  return choice;
}

QWidget* FieldRow::makeNumber() {
  auto* number = new NumberField(this);
  number->setStepper([this](const QString& text, qint64 steps) { return steppedText(field_, text, steps); });
  number->setUnit(shownUnit(field_, {}));
  connect(number, &QLineEdit::textEdited, this, &FieldRow::take);
  connect(number, &NumberField::stepped, this, &FieldRow::take);
  return number;
}

QWidget* FieldRow::makeAdder() {
  auto* adder = new LinkButton(phrase("design", "add an entry"), "", this);
  connect(adder, &QAbstractButton::clicked, this, [this] {
    std::vector<Record> records = std::get<RecordList>(value_);
    records.push_back(freshRecord(field_));
    accept(RecordList(std::move(records)));
  });
  return adder;
}

QWidget* FieldRow::makeText() {
  auto* line = new QLineEdit(this);
  connect(line, &QLineEdit::textEdited, this, &FieldRow::take);
  return line;
}

QWidget* FieldRow::makeList() {
  auto* line = new ListField(this);
  line->setPlaceholderText(exampleOfText(field_));
  connect(line, &QLineEdit::textEdited, this, [this, line](const QString& text) {
    text.size() < line->maxLength()
        ? read(text)
        : refuse(phrase("design", "The line is full. Copy the whole list and paste it here."));
  });
  connect(line, &ListField::pastedLong, this, &FieldRow::takePasted);
  return line;
}

void FieldRow::addListLink() {
  list_link_ = new LinkButton(phrase("design", "edit the list…"), "", this);
  list_link_->setObjectName("list:" + QString::fromStdString(field_.path));
  static_cast<QGridLayout*>(layout())->addWidget(list_link_, 3, 1, 1, 2, Qt::AlignLeft);
  connect(list_link_, &QAbstractButton::clicked, this, &FieldRow::listEditorWanted);
  example_link_ = new LinkButton(phrase("design", "make one up"), "", this);
  example_link_->setObjectName("example:" + QString::fromStdString(field_.path));
  example_link_->setAccessibleName(phrase("design", "%1: make one up").arg(QString::fromStdString(field_.path)));
  example_link_->setToolTip(
      phrase("design", "Fills in what the sampler needs: halves of the dataset, ten classes, lengths"));
  static_cast<QGridLayout*>(layout())->addWidget(example_link_, 4, 1, 1, 2, Qt::AlignLeft);
  connect(example_link_, &QAbstractButton::clicked, this, &FieldRow::exampleWanted);
  example_link_->hide();
  setExample({});
}

/// The dot of a value that is not the default, and the label of a number, which can be dragged.
void FieldRow::addMarks() {
  reset_ = new ResetDot(this);
  reset_->setObjectName("reset:" + QString::fromStdString(field_.path));
  setDefaultText(phrase("design", "the default (%1)").arg(fieldText(field_, field_.fallback)));
  connect(reset_, &QAbstractButton::clicked, this, &FieldRow::reset);
  if (!isScrubbed(field_.kind)) return;
  auto* scrub = new LabelScrub(label_);
  connect(scrub, &LabelScrub::begun, this, [this] { scrubbed_ = fieldText(field_, value_); });
  connect(scrub, &LabelScrub::movedBy, this, [this](qint64 steps) {
    const QString shown = scrubbedText(field_, scrubbed_, steps);
    if (shown.isEmpty()) return;
    line()->setText(shown);
    take(shown);
  });
  connect(scrub, &LabelScrub::ended, this, &FieldRow::commit);
}

}  // namespace shardlens::ui
