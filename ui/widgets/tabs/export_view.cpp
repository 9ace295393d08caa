// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tabs/export_view.h"

#include "core/audit/audit.h"
#include "core/base/phrase.h"
#include "core/sampling/registry.h"
#include "ui/scene/design/form.h"
#include "ui/scene/number_text.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/code_highlighter.h"
#include "ui/widgets/common/panel_menu.h"

#include <QCryptographicHash>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QSignalBlocker>
#include <QStandardPaths>
#include <QTextBlock>

#include <algorithm>
#include <filesystem>
#include <functional>

// How an export gets to the disk, and what is asked before.

namespace shardlens::ui {
namespace {

std::filesystem::path filePath(const QString& path) {
  return std::filesystem::path(path.toStdU16String());
}

QString fromStd(const std::string& text) {
  return QString::fromStdString(text);
}

/// Beside the window's own settings.
QString memoryFile() {
  return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
         QStringLiteral("/shardlens/exports.ini");
}

/// Options are the user's, not the document's: a partition, an interpreter.
QString optionKey(const std::string& id) {
  return QStringLiteral("options/") + QString::fromStdString(id);
}

yaml::ExportContext rememberedOptions() {
  yaml::ExportContext context;
  const QSettings memory(memoryFile(), QSettings::IniFormat);
  for (const yaml::ExportOption& option : yaml::exportOptions()) {
    const QVariant said = memory.value(optionKey(option.id));
    if (said.isValid()) (void)yaml::setOption(context, option, said.toString().toStdString());
  }
  return context;
}

}  // namespace

/// Text of a config file or a script to read and copy: monospaced, with quiet syntax colours, or as a comparison with
/// marked lines.
class CodeView : public QPlainTextEdit {
 public:
  using Language = CodeHighlighter::Language;

  CodeView() : highlighter_(new CodeHighlighter(document())) {
    setReadOnly(true);
    setLineWrapMode(NoWrap);
    setTabChangesFocus(true);
    setFont(monoFont());
    setFrameShape(QFrame::NoFrame);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  }

  void setCode(const QString& text, Language language) {
    marks_.clear();
    putText(text);
    highlighter_->setLanguage(language);
    paintMarks();
  }
  void setDiff(const DiffText& diff) {
    marks_ = diff.marks;
    highlighter_->setLanguage(Language::Plain);
    putText(diff.text);
    paintMarks();
  }
  /// By the end of the name: "run.sh" is Shell.
  static Language languageOf(const QString& file_name) {
    const QString suffix = QFileInfo(file_name).suffix();
    if (suffix == QLatin1String("yaml") || suffix == QLatin1String("yml")) return Language::Yaml;
    if (suffix == QLatin1String("sh") || suffix == QLatin1String("sbatch")) return Language::Shell;
    return suffix == QLatin1String("py") ? Language::Python : Language::Plain;
  }

 protected:
  void changeEvent(QEvent* event) override {
    QPlainTextEdit::changeEvent(event);
    if (event->type() != QEvent::PaletteChange && event->type() != QEvent::StyleChange) return;
    highlighter_->recolour();
    paintMarks();
  }

 private:
  void paintMarks() {
    QList<QTextEdit::ExtraSelection> selections;
    for (QTextBlock block = document()->firstBlock(); block.isValid(); block = block.next()) {
      const auto line = static_cast<std::size_t>(block.blockNumber());
      if (line >= marks_.size() || marks_[line] == DiffMark::Same) continue;
      const QColor colour = marks_[line] == DiffMark::Added ? theme().fine : theme().error;
      QTextEdit::ExtraSelection selection;
      selection.cursor = QTextCursor(block);  // nothing selected: the format takes the whole line
      selection.format.setForeground(colour);
      selection.format.setBackground(mix(colour, theme().field, 0.12));
      selection.format.setProperty(QTextFormat::FullWidthSelection, true);
      selections << selection;
    }
    setExtraSelections(selections);
  }
  void putText(const QString& text) {
    if (text == toPlainText()) return;
    const int top = verticalScrollBar()->value();  // an edit elsewhere must not move what is being read
    setPlainText(text);
    verticalScrollBar()->setValue(top);
  }

  CodeHighlighter* highlighter_;
  std::vector<DiffMark> marks_;
};

/// What a target needs to know and no spec says, one field each: the options of `shardlens export`.
class ExportFields : public QWidget {
 public:
  /// `edit` gets what the user types.
  explicit ExportFields(const std::function<void(const yaml::ExportOption& option, const QString& text)>& edit)
      : grid_(new QGridLayout(this)) {
    grid_->setContentsMargins(0, 0, 0, px(kGap));
    grid_->setHorizontalSpacing(px(kGap));
    grid_->setVerticalSpacing(px(4));
    grid_->setColumnStretch(1, 1);
    for (const yaml::ExportOption& option : yaml::exportOptions()) {
      auto* label = textLabel(exportWords(option.title), "muted", this);
      auto* field = new QLineEdit(this);
      field->setToolTip(exportWords(option.help));
      field->setAccessibleName(exportWords(option.title));
      field->setAccessibleDescription(exportWords(option.help));
      label->setBuddy(field);
      connect(field, &QLineEdit::textEdited, this, [edit, &option](const QString& typed) { edit(option, typed); });
      rows_.push_back({&option, label, field});
    }
    hide();
  }

  /// Those that the target has; hidden where it has none.
  void setTarget(const yaml::ExportTarget& target) {
    int at = 0;
    for (const Row& row : rows_) {
      const bool is_shown = std::ranges::find(target.options, row.option->id) != target.options.end();
      grid_->removeWidget(row.label);
      grid_->removeWidget(row.field);
      row.label->setVisible(is_shown);
      row.field->setVisible(is_shown);
      if (!is_shown) continue;
      grid_->addWidget(row.label, at, 0);
      grid_->addWidget(row.field, at++, 1);
    }
    setVisible(!target.options.empty());
  }
  void setContext(const yaml::ExportContext& context) {
    for (const Row& row : rows_) {
      const QString said = text(yaml::optionText(context, *row.option));
      if (row.field->text() != said) row.field->setText(said);
    }
  }
  /// Marks the field of this option as one whose text was refused, or as fine.
  void mark(const yaml::ExportOption& option, bool is_refused) {
    const auto row = std::ranges::find(rows_, &option, &Row::option);
    if (row != rows_.end()) setLook(row->field, "state", is_refused ? "error" : "");
  }

 private:
  struct Row {
    const yaml::ExportOption* option;
    QLabel* label;
    QLineEdit* field;
  };

  QGridLayout* grid_;
  std::vector<Row> rows_;
};

ExportView::ExportView(QWidget* parent)
    : QWidget(parent),
      targets_(new ChoiceField),
      not_carried_head_(sectionHead(tr("not included"))),
      not_carried_(noteLabel({})),
      fields_(new ExportFields([this](const auto& option, const QString& text) { setOption(option, text); })),
      title_(new ElidedLabel),
      files_(new ChoiceField),
      mode_(new SegmentedControl({tr("preview"), tr("diff")})),
      code_(new CodeView),
      command_(new ElidedLabel),
      status_(new ElidedLabel),
      save_(pushButton(tr("Save"), "")) {
  auto* right = columnIn(nullptr, {}, px(6));
  addAll(right, {buildHead(), buildQuestion()});
  right->addWidget(code_, 1);
  right->addWidget(buildFoot());
  auto* row = rowIn(this, {px(kMargin), px(kGap), px(kMargin), px(kGap)}, px(kMargin));
  row->addWidget(buildTargets());
  row->addLayout(right, 1);
  connect(targets_, &QComboBox::currentIndexChanged, this, [this] {
    path_.clear();
    asks_where_ = false;
    refused_.clear();
    ask(false);
    showFields();
    refresh();
    emit targetChanged(target());
  });
  connect(files_, &QComboBox::currentIndexChanged, this, &ExportView::present);
  connect(mode_, &SegmentedControl::currentChanged, this, &ExportView::refresh);
  showFields();
  refresh();
}

QWidget* ExportView::buildTargets() {
  for (const yaml::ExportTarget& known : yaml::exportTargets()) {
    targets_->addItem(exportTitle(known));
    targets_->setItemData(targets_->count() - 1, exportWords(known.summary), Qt::ToolTipRole);
  }
  targets_->setAccessibleName(tr("Target"));
  not_carried_->setAlignment(Qt::AlignTop);
  auto* needs = new Column({}, px(6));
  needs->set({fields_, not_carried_head_, not_carried_});
  auto* column = new QWidget;
  targets_column_ = column;
  auto* lines = columnIn(column, {}, px(kGap));
  lines->addWidget(targets_);
  lines->addWidget(thinScroll(needs), 1);
  return column;
}

QWidget* ExportView::buildHead() {
  setLook(title_, "role", "title");
  files_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  files_->setAccessibleName(tr("File of the target"));
  mode_->setAccessibleName(tr("Show the text, or its differences from the file on disk"));
  auto* head = new QWidget;
  head_ = new QBoxLayout(QBoxLayout::LeftToRight, head);
  head_->setContentsMargins({});
  head_->setSpacing(px(6));
  auto* row = rowIn(nullptr, {}, px(kGap));
  auto* actions = rowIn(nullptr, {}, px(kGap));
  head_->addLayout(row, 1);
  head_->addLayout(actions);
  auto* copy = pushButton(tr("Copy"), "quiet");
  auto* save_as = pushButton(tr("Save as\u2026"), "quiet");
  for (QPushButton* action : {copy, save_as}) action->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  row->addWidget(title_, 1);
  addAll(row, {files_, mode_});
  actions->addStretch(1);
  addAll(actions, {copy, save_as, save_});
  connect(copy, &QPushButton::clicked, this, &ExportView::copyText);
  connect(save_as, &QPushButton::clicked, this, &ExportView::saveAs);
  connect(save_, &QPushButton::clicked, this, &ExportView::save);
  return head;
}

void ExportView::resizeEvent(QResizeEvent* event) {
  // Where there is little room, targets take less of it, and the buttons a line of their own.
  const bool narrow = width() < px(640);
  targets_column_->setFixedWidth(px(narrow ? 164 : 196));
  head_->setDirection(narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
  QWidget::resizeEvent(event);
}

QWidget* ExportView::buildQuestion() {
  question_ = new QWidget;
  question_text_ = textLabel({}, "warning");
  question_text_->setWordWrap(true);
  auto* overwrite = pushButton(tr("Overwrite"), "danger");
  auto* keep = pushButton(tr("Keep the file"), "");
  auto* row = rowIn(question_, {}, px(kGap));
  row->addWidget(question_text_, 1);
  merge_ = pushButton(tr("Merge"), "");
  merge_->setToolTip(tr("Change the exported keys; the file's other keys, comments and order stay"));
  addAll(row, {keep, merge_, overwrite});
  connect(merge_, &QPushButton::clicked, this, &ExportView::mergeInto);
  question_->hide();
  connect(overwrite, &QPushButton::clicked, this, &ExportView::overwrite);
  connect(keep, &QPushButton::clicked, this, &ExportView::keepFile);
  return question_;
}

QWidget* ExportView::buildFoot() {
  auto* foot = new QWidget;
  auto* column = columnIn(foot, {}, px(2));
  auto* row = rowIn(nullptr, {}, px(kGap));
  command_->setFont(monoFont());
  setLook(command_, "tone", "muted");
  auto* copy = pushButton(tr("Copy command"), "link");
  copy->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  row->addWidget(command_, 1);
  row->addWidget(copy);
  column->addWidget(status_);
  column->addLayout(row);
  connect(copy, &QPushButton::clicked, this, &ExportView::copyCommand);
  return foot;
}

const yaml::ExportTarget& ExportView::row() const {
  return yaml::exportTargets()[static_cast<std::size_t>(std::max(0, targets_->currentIndex()))];
}

void ExportView::setTarget(const std::string& id) {
  const auto all = yaml::exportTargets();
  const auto it = std::ranges::find_if(all, [&id](const yaml::ExportTarget& known) { return known.id == id; });
  if (it != all.end()) targets_->setCurrentIndex(static_cast<int>(it - all.begin()));
}

void ExportView::setSpec(const PipelineSpec& spec, const QString& spec_path) {
  spec_ = spec;
  spec_path_ = spec_path;
  ask(false);
  refresh();
}

void ExportView::showFields() {
  fields_->setTarget(row());
  fields_->setContext(context_);
  for (const yaml::ExportOption& option : yaml::exportOptions()) fields_->mark(option, false);
}

void ExportView::setOptions(const yaml::ExportContext& context) {
  std::vector<std::string> errors = std::move(context_.audit_errors);
  context_ = context;
  context_.audit_errors = std::move(errors);
  showFields();
  refresh();
}

void ExportView::setOption(const yaml::ExportOption& option, const QString& text) {
  const auto set = yaml::setOption(context_, option, text.toStdString());
  fields_->mark(option, !set);
  refused_ = set ? QString() : fromStd(set.error().text());
  ask(false);
  refresh();
  if (set) emit optionChanged(option.id, text);
}

void ExportView::setAuditErrors(const std::vector<std::string>& errors) {
  if (context_.audit_errors == errors && !waits_for_errors_) return;
  context_.audit_errors = errors;
  waits_for_errors_ = false;
  refresh();
}

void ExportView::waitForAuditErrors() {
  if (waits_for_errors_) return;
  waits_for_errors_ = true;
  ask(false);
  refresh();
}

void ExportView::setNoPlan(const QString& why) {
  if (no_plan_ == why) return;
  no_plan_ = why;
  refresh();
}

void ExportView::setPath(const QString& path) {
  path_ = path;
  asks_where_ = false;
  ask(false);
  refresh();
}

void ExportView::refresh() {
  result_ = yaml::exportSpec(row(), spec_, sampling::catalogue(), context_);
  destinations_.clear();
  save_->setEnabled(result_.problems.empty() && !waits_for_errors_);
  if (!result_.problems.empty()) return presentProblems();
  const QString path = shownPath();
  auto destinations = yaml::exportDestinations(result_, filePath(path));
  fillFiles();
  if (destinations) {
    destinations_ = std::move(*destinations);
    const auto errors = static_cast<qint64>(context_.audit_errors.size());
    const QString head = !no_plan_.isEmpty() ? tr("This spec cannot be planned: %1").arg(no_plan_)
                         : errors == 0       ? tr("The spec is valid")
                                             : tr("The audit finds %1").arg(countOf(errors, "error"));
    const char* tone = !no_plan_.isEmpty() ? "error" : errors == 0 ? "muted" : "warning";
    if (refused_.isEmpty()) {
      say(QString("%1 · %2").arg(head, diskStatus(destinations_)), tone);
    } else {
      say(refused_, "error");
    }
  } else {
    say(fromStd(destinations.error().text()), "error");
  }
  present();
}

void ExportView::fillFiles() {
  const QSignalBlocker quiet(files_);
  const int before = files_->currentIndex();
  files_->clear();
  for (const yaml::ExportFile& file : result_.files) files_->addItem(fromStd(file.name));
  files_->setCurrentIndex(std::clamp(before, 0, std::max(0, files_->count() - 1)));
  files_->setVisible(files_->count() > 1);
}

void ExportView::present() {
  const QString path = shownPath();
  title_->setFullText(QFileInfo(path).fileName());
  command_->setFullText(exportCommand(spec_path_, row(), context_, path));
  QStringList left_out = notCarried();
  not_carried_->setText(left_out.isEmpty() ? tr("The export includes everything in the spec.")
                                           : left_out.join(QStringLiteral("\n\n")));
  if (shownFile() >= result_.files.size()) return;
  const yaml::ExportFile& file = result_.files[shownFile()];
  if (mode() == Diff) {
    const bool known = shownFile() < destinations_.size();
    code_->setDiff(diffText(known ? destinations_[shownFile()].present.value_or("") : "", file.text));
  } else {
    code_->setCode(fromStd(file.text), CodeView::languageOf(fromStd(file.name)));
  }
  code_->setAccessibleName(mode() == Diff ? tr("Differences from the file on disk") : tr("Text of the file"));
}

void ExportView::presentProblems() {
  fillFiles();
  title_->setFullText(tr("Nothing to export"));
  QStringList problems;
  for (const Error& problem : result_.problems) problems << fromStd(problem.text());
  code_->setCode(problems.join('\n'), CodeView::Language::Plain);
  not_carried_->clear();
  say(tr("The spec has %1.").arg(countOf(static_cast<qint64>(result_.problems.size()), "error")), "error");
}

void ExportView::say(const QString& text, const char* tone) {
  status_->setFullText(text);
  setLook(status_, "tone", tone);
}

QString ExportView::text() const {
  return code_->toPlainText();
}

QStringList ExportView::notCarried() const {
  QStringList sentences;
  for (const std::string& sentence : result_.not_carried) sentences << fromStd(sentence);
  return sentences;
}

void ExportView::copyText() const {
  if (shownFile() < result_.files.size()) ui::copyText(*this, fromStd(result_.files[shownFile()].text));
}

void ExportView::save() {
  refresh();
  if (waits_for_errors_ || !result_.problems.empty()) return;
  if (asks_where_ || (path_.isEmpty() && spec_path_.isEmpty())) return saveAs();
  if (destinations_.empty()) return sayNotSaved(status());
  const auto conflict = std::ranges::find_if(destinations_, [](const auto& file) { return file.isConflict(); });
  if (conflict == destinations_.end()) return write(yaml::Overwriting::Merged);
  files_->setCurrentIndex(static_cast<int>(conflict - destinations_.begin()));
  setMode(Diff);
  present();
  ask(true);
}

void ExportView::saveAs() {
  const QString chosen = QFileDialog::getSaveFileName(this, tr("Export %1").arg(exportTitle(row())), shownPath(), {},
                                                      nullptr, QFileDialog::DontConfirmOverwrite);
  if (chosen.isEmpty()) return;
  setPath(chosen);
  save();
}

void ExportView::ask(bool asking) {
  asking_ = asking;
  question_->setVisible(asking);
  if (!asking) return;
  const auto is_conflict = [](const auto& file) { return file.isConflict(); };
  const auto conflicts = std::ranges::count_if(destinations_, is_conflict);
  const bool can_merge =
      std::ranges::all_of(destinations_, [](const auto& file) { return !file.isConflict() || file.merged; });
  merge_->setVisible(can_merge);
  question_text_->setText(conflicts == 1 ? tr("The file exists with different content; see below.")
                                         : tr("%1 files exist with different content; see below.").arg(conflicts));
}

void ExportView::overwrite() {
  if (asking_) write(yaml::Overwriting::Whole);
}

void ExportView::mergeInto() {
  if (asking_) write(yaml::Overwriting::Merged);
}

void ExportView::write(yaml::Overwriting how) {
  ask(false);
  const auto written = yaml::writeExport(destinations_, how);
  if (!written) return sayNotSaved(shardlens::ui::text(written.error().text()));
  path_ = QString::fromStdU16String(destinations_.front().path.u16string());
  setMode(Preview);
  refresh();
  say(tr("Saved %1").arg(path_), "fine");
  Toast::say(*this, tr("Saved %1").arg(path_));
  emit saved(path_);
}

/// The line of the status may be out of sight. The next Save asks where to.
void ExportView::sayNotSaved(const QString& why) {
  asks_where_ = true;
  say(why, "error");
  Toast::say(*this, tr("Not saved: %1").arg(why));
}

ExportTab::ExportTab(Workspace& workspace, QWidget* parent)

    : QWidget(parent),
      workspace_(workspace),
      view_(new ExportView),
      refresh_(this, [this] { view_->setSpec(workspace_.document.spec(), workspace_.document.path()); }),
      errors_(this, [this] { takeErrors(); }) {
  columnIn(this, {})->addWidget(view_);
  connect(&workspace_.document, &Document::specChanged, &refresh_, &Refresh::want);
  connect(&workspace_.document, &Document::specChanged, &errors_, &Refresh::want);
  connect(&workspace_.plans, &PlanService::snapshotChanged, &errors_, &Refresh::want);
  connect(&workspace_.document, &Document::pathChanged, this, [this] {
    refresh_.want();
    recall();
  });
  connect(&workspace_.document, &Document::leaving, view_,
          [this] { view_->setTarget(yaml::exportTargets().front().id); });
  connect(view_, &ExportView::targetChanged, this, &ExportTab::recall);
  connect(view_, &ExportView::optionChanged, this, [](const std::string& id, const QString& text) {
    QSettings(memoryFile(), QSettings::IniFormat).setValue(optionKey(id), text);
  });
  view_->setOptions(rememberedOptions());
  connect(view_, &ExportView::saved, this, [this](const QString& path) {
    if (!workspace_.document.path().isEmpty())
      QSettings(memoryFile(), QSettings::IniFormat).setValue(memoryKey(), path);
  });
  addPanelMenu(*this, {phrase("tabs", "Export"), [this] { return view_->text(); }});
  refresh_.want();
  errors_.want();
  recall();
}

/// Those of a spec that is none any more are as good as none. They go into files, which are English as those of the
/// command line are.
void ExportTab::takeErrors() {
  const PlanSnapshotPtr plan = workspace_.plans.snapshot();
  const bool is_of_this = plan->audit != nullptr && plan->spec == workspace_.document.spec();
  english_.cancel();
  const bool fails = !plan->issues.empty() && plan->spec == workspace_.document.spec();
  view_->setNoPlan(fails ? problemText(plan->issues.front()) : QString());
  if (!is_of_this || speaksEnglish() || !plan->audit->hasErrors()) {
    return view_->setAuditErrors(is_of_this ? errorSentences(*plan->audit) : std::vector<std::string>());
  }
  view_->waitForAuditErrors();
  const auto in_this_language = [this, plan] { view_->setAuditErrors(errorSentences(*plan->audit)); };
  english_.start(
      [plan](const Work& work) -> std::optional<std::vector<std::string>> {
        const InEnglish english;
        AuditOptions options;
        options.epochs = usualEpochs(*plan->plan, 0, {work.stop, {}});
        options.fixes = false;
        const auto report = audit(*plan->plan, options, work);
        return errorSentences(report ? *report : *plan->audit);
      },
      [this](const std::vector<std::string>& errors) { view_->setAuditErrors(errors); }, {},
      [in_this_language](const Error& /*error*/) { in_this_language(); });
}

QString ExportTab::memoryKey() const {
  const QByteArray document =
      QCryptographicHash::hash(workspace_.document.path().toUtf8(), QCryptographicHash::Sha1).toHex();
  return QString::fromLatin1(document) + '/' + QString::fromStdString(view_->target());
}

void ExportTab::recall() {
  if (workspace_.document.path().isEmpty()) return view_->setPath({});
  view_->setPath(QSettings(memoryFile(), QSettings::IniFormat).value(memoryKey()).toString());
}

}  // namespace shardlens::ui

#include "moc_export_view.cpp"
