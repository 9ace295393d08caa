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
#include <utility>

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
void showRemark(FieldRow& row, const PlanSnapshot& answer) {
  const std::string& path = row.field().path;
  for (const Error& issue : answer.issues) {
    if (issue.place.field == path) return row.setRemark(QString::fromStdString(issue.message), "error");
  }
  const Finding* finding = worstFindingOf(answer, path);
  if (finding == nullptr) return row.setRemark({}, {});
  row.setRemark(QString::fromStdString(finding->title), finding->severity == Severity::Error ? "error" : "warning");
}

/// Out of sight now, deleted soon: one of them may be the sender of the signal that is being handled.
template <class Widget>
void drop(const std::vector<Widget*>& widgets) {
  for (Widget* widget : widgets) {
    widget->hide();
    widget->deleteLater();
  }
}

}  // namespace

FormPanel::FormPanel(Workspace& workspace, QWidget* parent)
    : QWidget(parent), workspace_(workspace), refresh_(this, [this] {
        showValues();
        showNotes();
      }) {
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
  connect(&workspace_.document, &Document::specChanged, this, [this] {
    refresh_.want();
    if (isVisible()) showValues();  // what the user does is answered at once, what follows from it a little later
  });
  connect(&workspace_.plans, &PlanService::snapshotChanged, &refresh_, &Refresh::want);
  rebuild();
  showNotes();
}

/// A field that has the focus says that it was left while it is deleted: nothing of this panel is there any more then.
FormPanel::~FormPanel() {
  for (FieldRow* row : findChildren<FieldRow*>()) row->disconnect(this);
}

RecordHead* FormPanel::takeHead(FormBlock& block, const RecordPath& at) {
  RecordHead*& known = heads_[{at.list, at.index}];
  if (known != nullptr) return known;
  known = new RecordHead(at.list, at.index, block.body());
  connect(known, &RecordHead::removed, this, [this, at] { removeRecord(at.list, at.index); });
  return known;
}

FieldRow* FormPanel::takeRow(FormBlock& block, const Field& field, std::vector<FieldRow*>& left) {
  const auto known = std::ranges::find_if(left, [&](const FieldRow* row) { return row->field() == field; });
  if (known != left.end()) {
    FieldRow* row = *known;
    left.erase(known);
    row->setValue(getValue(workspace_.document.spec(), field));
    return row;
  }
  auto* row = new FieldRow(field, getValue(workspace_.document.spec(), field), block.body());
  connect(row, &FieldRow::edited, this, [this, path = field.path](const Value& value) { change(path, value); });
  connect(row, &FieldRow::left, this, [this] { workspace_.document.endTyping(); });
  return row;
}

FormBlock* FormPanel::takeBlock(const FormSection& section, bool collapsed, std::vector<FormBlock*>& left) {
  const auto known = std::ranges::find_if(left, [&](const FormBlock* block) { return block->head() == section.head; });
  if (known == left.end()) return new FormBlock(section.head, collapsed, form_);
  FormBlock* block = *known;
  left.erase(known);
  return block;
}

void FormPanel::rebuild() {
  const Document& document = workspace_.document;
  built_for_ = formShape(document.spec(), document.catalogue());
  std::vector<FormBlock*> old_blocks = std::exchange(blocks_, {});
  std::vector<FieldRow*> old_rows = std::exchange(rows_, {});
  const bool first = old_blocks.empty();
  std::set<RecordName> records;
  while (QLayoutItem* item = column_->takeAt(0)) delete item;
  for (const FormSection& section : formOf(document.spec(), document.catalogue())) {
    FormBlock* block = takeBlock(section, first && section.starts_collapsed, old_blocks);
    std::vector<QWidget*> shown;
    for (const Field& field : section.fields) {
      const auto at = recordPath(field.path);
      if (at && records.insert({at->list, at->index}).second) shown.push_back(takeHead(*block, *at));
      rows_.push_back(takeRow(*block, field, old_rows));
      shown.push_back(rows_.back());
    }
    block->setRows(shown);
    column_->addWidget(block);
    blocks_.push_back(block);
  }
  column_->addStretch();
  drop(old_rows);
  drop(old_blocks);
  dropHeads(records);
  setFocusProxy(rows_.empty() ? nullptr : rows_.front()->editor());
}

void FormPanel::dropHeads(const std::set<RecordName>& but) {
  std::vector<RecordHead*> gone;
  std::erase_if(heads_, [&](const auto& head) {
    if (but.count(head.first) > 0) return false;
    gone.push_back(head.second);
    return true;
  });
  drop(gone);
}

void FormPanel::showValues() {
  const PipelineSpec& spec = workspace_.document.spec();
  if (formShape(spec, workspace_.document.catalogue()) != built_for_) {
    const QWidget* focused = focusWidget();
    const bool had_focus = focused != nullptr && focused->hasFocus();
    const QString path = had_focus ? focused->objectName().section(':', 1) : QString();
    rebuild();
    const FieldRow* again = row(path);
    if (again != nullptr && again->editor() != focused) focusField(path);
    return;
  }
  for (FieldRow* shown : rows_) shown->setValue(getValue(spec, shown->field()));
}

void FormPanel::showNotes() {
  const PipelineSpec& spec = workspace_.document.spec();
  const PlanSnapshot& answer = *workspace_.plans.snapshot();
  const bool answered = answer.spec == spec && (answer.audit || !answer.issues.empty());
  for (FieldRow* shown : rows_) {
    if (answered) showRemark(*shown, answer);  // until then the last remark stands: no flicker while typing
    const bool said = shown->field().path == "sampler.drop_last" && !shown->remarkText().isEmpty();
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
  refresh_.now();
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
