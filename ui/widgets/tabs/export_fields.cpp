// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tabs/export_fields.h"

#include "ui/scene/tabs/export_text.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"

#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>

#include <algorithm>

namespace shardlens::ui {

ExportFields::ExportFields(QWidget* parent) : QWidget(parent), grid_(new QGridLayout(this)) {
  grid_->setContentsMargins(0, 0, 0, px(kGap));
  grid_->setHorizontalSpacing(px(kGap));
  grid_->setVerticalSpacing(px(4));
  grid_->setColumnStretch(1, 1);
  for (const yaml::ExportOption& option : yaml::exportOptions()) {
    auto* label = textLabel(exportWords(option.title), "muted");
    auto* field = new QLineEdit;
    field->setToolTip(exportWords(option.help));
    field->setAccessibleName(exportWords(option.title));
    field->setAccessibleDescription(exportWords(option.help));
    label->setParent(this);
    field->setParent(this);
    label->setBuddy(field);
    connect(field, &QLineEdit::textEdited, this, [this, &option](const QString& typed) { emit edited(option, typed); });
    rows_.push_back({&option, label, field});
  }
  hide();
}

void ExportFields::setTarget(const yaml::ExportTarget& target) {
  for (Row& row : rows_) row.is_shown = std::ranges::find(target.options, row.option->id) != target.options.end();
  arrange();
  setVisible(!target.options.empty());
}

void ExportFields::setContext(const yaml::ExportContext& context) {
  for (const Row& row : rows_) {
    const QString said = text(yaml::optionText(context, *row.option));
    if (row.field->text() != said) row.field->setText(said);
  }
}

void ExportFields::mark(const yaml::ExportOption& option, bool is_refused) {
  const auto row = std::ranges::find(rows_, &option, &Row::option);
  if (row != rows_.end()) setLook(row->field, "state", is_refused ? "error" : "");
}

void ExportFields::arrange() {
  int at = 0;
  for (const Row& row : rows_) {
    grid_->removeWidget(row.label);
    grid_->removeWidget(row.field);
    row.label->setVisible(row.is_shown);
    row.field->setVisible(row.is_shown);
    if (!row.is_shown) continue;
    grid_->addWidget(row.label, at, 0);
    grid_->addWidget(row.field, at++, 1);
  }
}

}  // namespace shardlens::ui

#include "moc_export_fields.cpp"
