// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/design/form_panel.h"

#include "core/sampling/starter.h"
#include "core/spec/field_table.h"
#include "ui/scene/design/form.h"
#include "ui/scene/number_text.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/panel_menu.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/common/toast.h"
#include "ui/widgets/design/field_row.h"
#include "ui/widgets/design/list_editor.h"
#include "ui/widgets/design/sampler_picker.h"

#include <QElapsedTimer>
#include <QToolButton>

#include <algorithm>
#include <limits>

namespace shardlens::ui {

/// A head and the rows under it; the head folds them away.
class FormBlock : public QWidget {
 public:
  FormBlock(const QString& head, bool collapsed, QWidget* parent)
      : QWidget(parent),
        head_(head),
        button_(new QToolButton(this)),
        body_(new QWidget(this)),
        rows_(columnIn(body_, {}, px(kFieldPitch - kFieldHeight))) {
    button_->setFont(headFont());
    button_->setCursor(Qt::PointingHandCursor);
    button_->setAccessibleName(phrase("design", "%1 fields").arg(head));
    auto* line = rowIn(nullptr, {px(kMargin - 11), 0, 0, 0});
    line->addWidget(button_);
    line->addStretch();
    auto* column = columnIn(this, {}, px(2));
    column->addLayout(line);
    column->addWidget(body_);
    connect(button_, &QToolButton::clicked, this, [this] { setCollapsed(!collapsed_); });
    setCollapsed(collapsed);
  }

  [[nodiscard]] const QString& head() const { return head_; }
  /// The parent that rows are to be made with: a later one makes every choice build its popup at once.
  [[nodiscard]] QWidget* body() const { return body_; }
  /// These and no others, in this order; those that left are the caller's.
  void setRows(const std::vector<QWidget*>& rows) {
    while (QLayoutItem* item = rows_->takeAt(0)) delete item;
    for (QWidget* row : rows) rows_->addWidget(row);
  }
  void setCollapsed(bool collapsed) {
    collapsed_ = collapsed;
    body_->setVisible(!collapsed);
    button_->setText(collapsed ? head_ + "  ▸" : head_);
    button_->setToolTip(collapsed ? phrase("design", "Show these fields") : phrase("design", "Hide these fields"));
  }

 private:
  QString head_;
  bool collapsed_ = false;
  QToolButton* button_;
  QWidget* body_;
  QVBoxLayout* rows_;
};

namespace {

constexpr int kTurnMs = 4;  ///< for the rows that are made in one turn of the event loop
constexpr int kUnlimited = std::numeric_limits<int>::max();

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
    if (issue.place.field == path) return row.setRemark(problemText(issue), "error");
  }
  const Finding* finding = worstFindingOf(answer, path);
  if (finding == nullptr) return row.setRemark({}, {});
  row.setRemark(QString::fromStdString(finding->title), finding->severity == Severity::Error ? "error" : "warning");
}

/// Another sampler comes with examples of the lists that it cannot do without: there is something to look at at once.
std::vector<Edit> editsFor(const Document& document, const Edit& edit) {
  std::vector<Edit> edits = {edit};
  if (edit.path != "sampler.type") return edits;
  const auto changed = applyEdits(document.spec(), edits, document.catalogue());
  if (!changed) return edits;
  const std::vector<Edit> examples = sampling::starterEdits(*changed);
  edits.insert(edits.end(), examples.begin(), examples.end());
  return edits;
}

/// The first list that the spec's sampler is given: of samples, or of what is known of each.
std::string firstList(const Document& document) {
  const SamplerInfo* info = findSampler(document.catalogue(), document.spec().sampler.type);
  if (info == nullptr) return {};
  const auto own = std::ranges::find(info->parameters, FieldKind::Indices, &Field::kind);
  if (own != info->parameters.end()) return own->path;
  return info->reads.empty() ? std::string() : info->reads.front();
}

/// The list is empty, there is no plan for want of it, and the dataset is small enough for an example.
bool lacksList(const PlanSnapshot& answer, const Field& field, const PipelineSpec& spec) {
  const Value value = getValue(spec, field);
  const auto* list = std::get_if<IndexList>(&value);
  if (list == nullptr || !list->empty() || spec.dataset.size > sampling::kMostExamples) return false;
  return std::ranges::any_of(answer.issues, [&](const Error& issue) { return issue.place.field == field.path; });
}

/// Out of sight now, deleted soon: one of them may be the sender of the signal that is being handled.
template <class Widget>
void drop(const std::vector<Widget*>& widgets) {
  for (Widget* widget : widgets) {
    widget->hide();
    widget->deleteLater();
  }
}

/// Takes the first one that fits out of `from`; null when there is none.
template <class Widget, class Fits>
Widget* takeFrom(std::vector<Widget*>& from, Fits fits) {
  const auto found = std::ranges::find_if(from, fits);
  if (found == from.end()) return nullptr;
  Widget* widget = *found;
  from.erase(found);
  return widget;
}

auto isFor(const FormSection& section) {
  return [&section](const FormBlock* block) { return block->head() == section.head; };
}

auto isFor(const Field& field) {
  return [&field](const FieldRow* row) { return row->field() == field; };
}

/// Adds the widgets of `more` to `all`, and leaves `more` empty.
template <class Widget>
void moveTo(std::vector<Widget*>& all, std::vector<Widget*>& more) {
  all.insert(all.end(), more.begin(), more.end());
  more.clear();
}

}  // namespace

FormPanel::FormPanel(Workspace& workspace, QWidget* parent)
    : QWidget(parent), workspace_(workspace), refresh_(this, [this] {
        if (hasOldShape() && !makeAhead(in_sight_ ? kTurnMs : kUnlimited)) return refresh_.want();
        showValues();
        showNotes();
      }) {
  setSurface(this, "panel");
  setAccessibleName(phrase("design", "Design"));
  form_ = new QWidget;
  column_ = columnIn(form_, {0, px(10), 0, px(kMargin)}, px(14));
  columnIn(this, {})->addWidget(thinScroll(form_, this));
  connect(&workspace_.document, &Document::specChanged, this, [this] {
    refresh_.want();
    // What the user does is answered at once, what follows from it a little later.
    if (isVisible() && (!hasOldShape() || makeAhead(kTurnMs))) showValues();
  });
  connect(&workspace_.plans, &PlanService::snapshotChanged, &refresh_, &Refresh::want);
  connect(&workspace_.audits, &EpochAudit::changed, &refresh_, &Refresh::want);
  // At once: the first answer for the next document may come before the next refresh, and says nothing of remarks yet.
  connect(&workspace_.document, &Document::leaving, this, [this] {
    for (FieldRow* shown : rows_) shown->setRemark({}, {});
  });
  const Document& document = workspace_.document;
  addPanelMenu(
      *this, {phrase("design", "Design form"), [&document] { return formText(document.spec(), document.catalogue()); },
              [&document] { return formCsv(document.spec(), document.catalogue()); }});
  makeAhead(kUnlimited);
  rebuild();
  showNotes();
}

/// A field that has the focus says that it was left while it is deleted: nothing of this panel is there any more then.
FormPanel::~FormPanel() {
  for (FieldRow* row : findChildren<FieldRow*>()) row->disconnect(this);
}

/// The line above the items of one record: its name, and a button that removes the record.
QWidget* FormPanel::takeHead(FormBlock& block, const RecordPath& at) {
  QWidget*& head = heads_[{at.list, at.index}];
  if (head != nullptr) return head;
  const QString path = QString("%1[%2]").arg(QString::fromStdString(at.list)).arg(at.index);
  head = new QWidget(block.body());
  auto* remove = new LinkButton(phrase("design", "remove"), "", head);
  remove->setObjectName("remove:" + path);
  remove->setAccessibleName(phrase("design", "Remove %1").arg(path));
  auto* line = rowIn(head, {px(kMargin), 0, px(kMargin), 0});
  line->addWidget(noteLabel(path.section('.', 1), "muted", head));
  line->addStretch();
  line->addWidget(remove);
  connect(remove, &QAbstractButton::clicked, this, [this, at] {
    const Document& document = workspace_.document;
    const Field* field = findField(document.spec(), document.catalogue(), at.list);
    std::vector<Record> records = std::get<RecordList>(getValue(document.spec(), *field));
    records.erase(records.begin() + static_cast<std::ptrdiff_t>(at.index));
    change(at.list, RecordList(std::move(records)));
    focusField(QString::fromStdString(at.list));
  });
  return head;
}

FieldRow* FormPanel::makeRow(FormBlock& block, const Field& field) {
  auto* row = new FieldRow(field, getValue(workspace_.document.spec(), field), block.body());
  connect(row, &FieldRow::edited, this, [this, path = field.path](const Value& value) { change(path, value); });
  connect(row, &FieldRow::left, this, [this] { workspace_.document.endTyping(); });
  connect(row, &FieldRow::wasReset, this, [this, row] {
    if (!changed_) return;
    Toast::sayDone(*this, workspace_.document.undoStack(),
                   tr("%1 was reset to its default").arg(text(row->field().path)));
  });
  connect(row, &FieldRow::pickerWanted, this, &FormPanel::pickSampler);
  connect(row, &FieldRow::exampleWanted, this, [this] {
    const auto examples = sampling::starterEdits(workspace_.document.spec());
    const auto done = workspace_.document.edit(examples, phrase("design", "examples of the lists"));
    if (done && *done) sayMadeUp();
  });
  connect(row, &FieldRow::listEditorWanted, this, [this, path = field.path] { editList(path); });
  rows_ahead_.push_back(row);
  return row;
}

FormBlock* FormPanel::makeBlock(const FormSection& section) {
  const bool first = blocks_.empty();
  blocks_ahead_.push_back(new FormBlock(section.head, first && section.starts_collapsed, form_));
  return blocks_ahead_.back();
}

bool FormPanel::hasOldShape() const {
  return formShape(workspace_.document.spec(), workspace_.document.catalogue()) != built_for_;
}

bool FormPanel::makeAhead(int ms) {
  QElapsedTimer timer;
  timer.start();
  const auto find = [](const auto& shown, const auto& ahead, const auto& wanted) {
    auto found = std::ranges::find_if(shown, isFor(wanted));
    if (found != shown.end()) return *found;
    found = std::ranges::find_if(ahead, isFor(wanted));
    return found != ahead.end() ? *found : nullptr;
  };
  for (const FormSection& section : formOf(workspace_.document.spec(), workspace_.document.catalogue())) {
    FormBlock* block = find(blocks_, blocks_ahead_, section);
    if (block == nullptr) block = makeBlock(section);
    for (const Field& field : section.fields) {
      if (find(rows_, rows_ahead_, field) != nullptr) continue;
      if (timer.elapsed() >= ms) return false;
      makeRow(*block, field);
    }
  }
  return true;
}

/// Everything that the form needs is in it or was made ahead.
void FormPanel::rebuild() {
  const Document& document = workspace_.document;
  built_for_ = formShape(document.spec(), document.catalogue());
  std::vector<FormBlock*> blocks = std::exchange(blocks_, {});
  std::vector<FieldRow*> rows = std::exchange(rows_, {});
  moveTo(blocks, blocks_ahead_);
  moveTo(rows, rows_ahead_);
  std::set<RecordName> records;
  while (QLayoutItem* item = column_->takeAt(0)) delete item;
  for (const FormSection& section : formOf(document.spec(), document.catalogue())) {
    FormBlock* block = takeFrom(blocks, isFor(section));
    std::vector<QWidget*> shown;
    for (const Field& field : section.fields) {
      const auto at = recordPath(field.path);
      if (at && records.insert({at->list, at->index}).second) shown.push_back(takeHead(*block, *at));
      rows_.push_back(takeFrom(rows, isFor(field)));
      rows_.back()->setValue(getValue(document.spec(), field));
      shown.push_back(rows_.back());
    }
    block->setRows(shown);
    column_->addWidget(block);
    blocks_.push_back(block);
  }
  column_->addStretch();
  drop(rows);
  drop(blocks);
  dropHeads(records);
  setFocusProxy(rows_.empty() ? nullptr : rows_.front()->editor());
}

void FormPanel::rebuildKeepingFocus() {
  const QWidget* focused = focusWidget();
  const bool had_focus = focused != nullptr && focused->hasFocus();
  const QString path = had_focus ? focused->objectName().section(':', 1) : QString();
  rebuild();
  FieldRow* again = row(path);
  if (again != nullptr && again->editor() != focused) focusField(path);
}

void FormPanel::showEvent(QShowEvent* event) {
  in_sight_ = true;
  QWidget::showEvent(event);
}

/// What was made ahead would come into sight with the panel, and not at its place.
void FormPanel::hideEvent(QHideEvent* event) {
  in_sight_ = false;
  drop(std::exchange(rows_ahead_, {}));
  drop(std::exchange(blocks_ahead_, {}));
  QWidget::hideEvent(event);
}

void FormPanel::dropHeads(const std::set<RecordName>& but) {
  std::vector<QWidget*> gone;
  std::erase_if(heads_, [&](const auto& head) {
    if (but.count(head.first) > 0) return false;
    gone.push_back(head.second);
    return true;
  });
  drop(gone);
}

void FormPanel::showValues() {
  if (hasOldShape()) return rebuildKeepingFocus();
  const PipelineSpec& spec = workspace_.document.spec();
  for (FieldRow* shown : rows_) shown->setValue(getValue(spec, shown->field()));
}

void FormPanel::showNotes() {
  const PipelineSpec& spec = workspace_.document.spec();
  const PlanSnapshotPtr held = workspace_.answer();
  const PlanSnapshot& answer = *held;
  const bool answered = answer.spec == spec && (answer.audit || !answer.issues.empty());
  for (FieldRow* shown : rows_) {
    // Until then the last remark of this document stands: no flicker while typing.
    if (answered || answer.generation == 0) showRemark(*shown, answer);
    const bool said = shown->field().path == "sampler.drop_last" && !shown->remarkText().isEmpty();
    shown->setInUse(isInUse(shown->field(), spec));
    const QString example = exampleOf(shown->field());
    shown->setToolTip(fieldTip(shown->field(), getValue(spec, shown->field()), spec, example));
    shown->setDefaultText(defaultText(shown->field(), spec));
    if (shown->listLink() != nullptr) {
      shown->setExample(example);
      const bool missing = lacksList(answer, shown->field(), spec);
      if (answered || answer.generation == 0 || !missing) shown->setExampleOffered(missing);
    } else {
      shown->setNote(said ? QString() : derivedNote(shown->field(), spec, answer));
    }
  }
}

void FormPanel::change(const std::string& path, const Value& value) {
  const QString label = phrase("design", "change to %1").arg(QString::fromStdString(path));
  const std::vector<Edit> edits = editsFor(workspace_.document, {path, value});
  auto done = workspace_.document.edit(edits, label);
  changed_ = done && *done;
  if (changed_ && edits.size() > 1) sayMadeUp();
  if (!done) {
    if (FieldRow* refused = row(QString::fromStdString(path))) {
      refused->refuse(QString::fromStdString(done.error().message));
    }
  }
}

void FormPanel::sayMadeUp() {
  Toast::sayDone(*this, workspace_.document.undoStack(),
                 tr("Example lists were filled in for this sampler. Replace them with your own in the form."));
}

void FormPanel::pickSampler() {
  if (window()->findChild<Sheet*>({}, Qt::FindDirectChildrenOnly) != nullptr) return;
  const Document& document = workspace_.document;
  auto* picker = new SamplerPicker(document.catalogue(), document.spec().sampler.type, this);
  connect(picker, &SamplerPicker::picked, this,
          [this](const QString& type) { change("sampler.type", type.toStdString()); });
  connect(picker, &SamplerPicker::pickedForOwnLists, this, [this](const QString& type) {
    change("sampler.type", type.toStdString());
    editList(firstList(workspace_.document));
  });
  picker->open();
}

void FormPanel::editList(const std::string& path) {
  if (!focusField(text(path))) return;
  const Field& field = row(text(path))->field();
  const PipelineSpec& spec = workspace_.document.spec();
  auto* editor = new ListEditor(field, getValue(spec, field), spec, this);
  connect(editor, &ListEditor::accepted, this, [this, path](const Value& value) {
    change(path, value);
    workspace_.document.endTyping();
  });
  editor->open();
}

QString FormPanel::exampleOf(const Field& field) {
  const PipelineSpec& spec = workspace_.document.spec();
  const Value value = getValue(spec, field);
  const auto* list = std::get_if<IndexList>(&value);
  if (list == nullptr || list->empty()) return {};
  Example& known = examples_[field.path];
  if (!known.list.isSharedWith(*list) || known.dataset_size != spec.dataset.size ||
      known.sampler != spec.sampler.type) {
    known = {*list, spec.dataset.size, spec.sampler.type, text(sampling::exampleText(spec, field.path))};
  }
  return known.what;
}

FieldRow* FormPanel::row(const QString& path) const {
  for (FieldRow* shown : rows_) {
    if (QString::fromStdString(shown->field().path) == path) return shown;
  }
  return nullptr;
}

bool FormPanel::focusField(const QString& path) {
  if (hasOldShape()) makeAhead(kUnlimited);
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

#include "moc_form_panel.cpp"
