// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/design/form_panel.h"

#include "core/spec/field_table.h"
#include "ui/scene/design/form.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/design/field_row.h"
#include "ui/widgets/design/form_block.h"
#include "ui/widgets/design/record_head.h"

#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace shardlens::ui {
namespace {

const Finding* worstFindingOf(const PlanSnapshot& answer, const std::string& path) {
  if (!answer.audit) return nullptr;
  for (const Finding& finding : answer.audit->findings) {  // errors first
    if (finding.where.field == path && finding.severity != Severity::Info) return &finding;
  }
  return nullptr;
}

/// What is wrong with the field, if anything: the spec's own problem before the audit's finding.
void showVerdict(FieldRow& row, const PlanSnapshot& answer) {
  const std::string& path = row.field().path;
  for (const Error& issue : answer.issues) {
    if (issue.place.field == path) return row.setVerdict(QString::fromStdString(issue.message), "error");
  }
  const Finding* finding = worstFindingOf(answer, path);
  if (finding == nullptr) return row.setVerdict({}, {});
  row.setVerdict(QString::fromStdString(finding->title), finding->severity == Severity::Error ? "error" : "warning");
}

}  // namespace

FormPanel::FormPanel(Workspace& workspace, QWidget* parent) : QWidget(parent), workspace_(workspace) {
  setLook(this, "surface", "panel");
  setAttribute(Qt::WA_StyledBackground);
  setAccessibleName("Design");
  form_ = new QWidget;
  column_ = new QVBoxLayout(form_);
  column_->setContentsMargins(0, px(10), 0, px(kMargin));
  column_->setSpacing(px(14));
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->addWidget(thinScroll(form_, this));
  connect(&workspace_.document, &Document::specChanged, this, &FormPanel::showValues);
  connect(&workspace_.plans, &PlanService::snapshotChanged, this, &FormPanel::showNotes);
  rebuild();
}

void FormPanel::addRecordHead(FormBlock& block, const RecordPath& at) {
  auto* head = new RecordHead(at.list, at.index, &block);
  block.addRow(head);
  connect(head, &RecordHead::removed, this, [this, at] { removeRecord(at.list, at.index); });
}

void FormPanel::addRow(FormBlock& block, const Field& field) {
  const auto at = recordPath(field.path);
  if (at && at->index >= heads_[at->list]) {
    addRecordHead(block, *at);
    heads_[at->list] = at->index + 1;
  }
  auto* row = new FieldRow(field, getValue(workspace_.document.spec(), field), &block);
  block.addRow(row);
  rows_.push_back(row);
  connect(row, &FieldRow::edited, this, [this, path = field.path](const Value& value) { change(path, value); });
  connect(row, &FieldRow::left, this, [this] { workspace_.document.endTyping(); });
}

void FormPanel::rebuild() {
  std::vector<QString> folded;
  for (FormBlock* block : blocks_) {
    if (block->isCollapsed()) folded.push_back(block->head());
  }
  const bool first = blocks_.empty();
  for (FormBlock* block : blocks_) {
    block->hide();
    block->deleteLater();
  }
  while (QLayoutItem* item = column_->takeAt(0)) delete item;
  blocks_.clear();
  rows_.clear();
  heads_.clear();
  const Document& document = workspace_.document;
  built_for_ = formShape(document.spec(), document.catalogue());
  for (const FormSection& section : formOf(document.spec(), document.catalogue())) {
    const bool fold = first ? section.starts_collapsed : std::count(folded.begin(), folded.end(), section.head) > 0;
    auto* block = new FormBlock(section.head, fold, form_);
    for (const Field& field : section.fields) addRow(*block, field);
    column_->addWidget(block);
    blocks_.push_back(block);
  }
  column_->addStretch();
  setFocusProxy(rows_.empty() ? nullptr : rows_.front()->editor());
  showNotes();
}

void FormPanel::showValues() {
  const PipelineSpec& spec = workspace_.document.spec();
  if (formShape(spec, workspace_.document.catalogue()) != built_for_) {
    const QWidget* focused = focusWidget();
    const bool had_focus = focused != nullptr && focused->hasFocus();
    const QString path = had_focus ? focused->objectName().section(':', 1) : QString();
    rebuild();
    focusField(path);
    return;
  }
  for (FieldRow* shown : rows_) shown->setValue(getValue(spec, shown->field()));
  showNotes();
}

void FormPanel::showNotes() {
  const PipelineSpec& spec = workspace_.document.spec();
  const PlanSnapshot& answer = *workspace_.plans.snapshot();
  const bool answered = answer.spec == spec && (answer.audit || !answer.issues.empty());
  for (FieldRow* shown : rows_) {
    if (answered) showVerdict(*shown, answer);  // until then the last verdict stands: no flicker while typing
    const bool said = shown->field().path == "sampler.drop_last" && !shown->verdictText().isEmpty();
    shown->setNote(said ? QString() : derivedNote(shown->field(), spec, answer));
  }
}

void FormPanel::change(const std::string& path, const Value& value) {
  const QString label = QString("change of %1").arg(QString::fromStdString(path));
  if (auto done = workspace_.document.edit({{path, value}}, label); !done) {
    if (FieldRow* refused = row(QString::fromStdString(path))) {
      refused->refuse(QString::fromStdString(done.error().message));
    }
  }
}

void FormPanel::removeRecord(const std::string& list, std::size_t index) {
  const Document& document = workspace_.document;
  const Field* field = findField(document.spec(), document.catalogue(), list);
  std::vector<Record> records = std::get<RecordList>(getValue(document.spec(), *field));
  records.erase(records.begin() + static_cast<std::ptrdiff_t>(index));
  change(list, RecordList(std::move(records)));
  focusField(QString::fromStdString(list));
}

FieldRow* FormPanel::row(const QString& path) const {
  for (FieldRow* shown : rows_) {
    if (QString::fromStdString(shown->field().path) == path) return shown;
  }
  return nullptr;
}

bool FormPanel::focusField(const QString& path) {
  FieldRow* wanted = row(path);
  if (wanted == nullptr) return false;
  for (FormBlock* block : blocks_) {
    if (block->isAncestorOf(wanted)) block->setCollapsed(false);
  }
  wanted->focusEditor();
  if (auto* area = findChild<QScrollArea*>()) area->ensureWidgetVisible(wanted);
  return true;
}

}  // namespace shardlens::ui
