// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/resume/number_row.h"

#include "ui/scene/number_text.h"
#include "ui/widgets/common/fields.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"

#include <QEvent>
#include <QGridLayout>

#include <algorithm>

namespace shardlens::ui {
namespace {

constexpr int kLabelWidth = 106;

}  // namespace

NumberRow::NumberRow(const QString& label, QWidget* parent)
    : QWidget(parent), field_(new NumberField), note_(noteLabel({})) {
  QLabel* name = textLabel(label);
  name->setBuddy(field_);
  field_->setAccessibleName(label);
  field_->setStepper([this](const QString& text, qint64 steps) { return stepped(text, steps); });
  field_->installEventFilter(this);
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(0);
  grid->setVerticalSpacing(px(3));
  grid->setColumnMinimumWidth(0, px(kLabelWidth));
  grid->setColumnStretch(1, 1);
  grid->addWidget(name, 0, 0);
  grid->addWidget(field_, 0, 1);
  grid->addWidget(note_, 1, 1);
  note_->hide();
  connect(field_, &QLineEdit::textEdited, this, &NumberRow::take);
  connect(field_, &NumberField::stepped, this, &NumberRow::take);
}

void NumberRow::setRange(qint64 least, qint64 most) {
  least_ = least;
  most_ = std::max(least, most);
}

void NumberRow::setValue(qint64 value) {
  value_ = value;
  const auto typed = wholeNumber(field_->text());
  const bool typing = field_->hasFocus() && typed && std::clamp(*typed, least_, most_) == value;
  if (!typing) field_->setText(number(value));
}

void NumberRow::setNote(const QString& text) {
  plain_note_ = text;
  showNote();
}

QString NumberRow::note() const {
  return note_->text();
}

QString NumberRow::stepped(const QString& text, qint64 steps) const {
  const auto typed = wholeNumber(text);
  if (!typed) return {};
  return number(std::clamp(std::clamp(*typed, least_, most_) + steps, least_, most_));
}

void NumberRow::take(const QString& text) {
  const auto typed = wholeNumber(text);
  const bool inside = typed && *typed >= least_ && *typed <= most_;
  refusal_ = inside ? QString() : tr("a whole number, %1 to %2").arg(number(least_), number(most_));
  showNote();
  if (!typed) return;
  const qint64 wanted = std::clamp(*typed, least_, most_);
  if (wanted == value_) return;
  value_ = wanted;
  emit changed(wanted);
}

void NumberRow::showNote() {
  const QString text = refusal_.isEmpty() ? plain_note_ : refusal_;
  note_->setText(text);
  note_->setVisible(!text.isEmpty());
  setLook(note_, "tone", refusal_.isEmpty() ? "muted" : "error");
  setLook(field_, "state", refusal_.isEmpty() ? "" : "error");
}

bool NumberRow::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::FocusOut) {
    refusal_.clear();
    field_->setText(number(value_));
    showNote();
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace shardlens::ui

#include "moc_number_row.cpp"
