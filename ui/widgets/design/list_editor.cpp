// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/design/list_editor.h"

#include "core/base/phrase.h"
#include "ui/scene/number_text.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/state_pane.h"
#include "ui/widgets/common/style.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QListWidget>
#include <QMimeData>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTextBlock>

#include <utility>

namespace shardlens::ui {
namespace {

constexpr QSize kEditorSize{620, 500};

constexpr qsizetype kMostTyped = 200'000;

}  // namespace

ListEditor::ListEditor(const Field& field, const Value& value, const PipelineSpec& spec, QWidget* opener)
    : Sheet(kEditorSize, opener), field_(field), rules_(listRules(field, spec)), before_(value) {
  setObjectName("listEditor");
  setAccessibleName(phrase("design", "Edit %1").arg(ui::text(field_.path)));
  build();
}

/// A long list that was not taken is not given back while the window waits.
ListEditor::~ListEditor() {
  releasedElsewhere(std::move(answer_));
}

QWidget* ListEditor::makeHead() {
  auto* head = new QWidget(panel());
  auto* title = textLabel(ui::text(field_.path), "", head);
  setLook(title, "role", "title");
  auto* column = columnIn(head, {px(kMargin), px(12), px(kMargin), px(10)}, px(2));
  column->addWidget(title);
  column->addWidget(noteLabel(ui::text(worded("fields", field_.help.c_str())), "muted", head));
  column->addWidget(noteLabel(phrase("design", "Takes %1.").arg(rulesText(field_, rules_)), "muted", head));
  column->addWidget(noteLabel(phrase("design",
                                     "Write numbers, ranges such as 0..9, repetitions such as 64 x 1000. A file "
                                     "is text, CSV, .npy or JSON."),
                              "muted", head));
  return head;
}

/// What stands in place of the text: a file, or what was pasted.
QWidget* ListEditor::makeSource() {
  auto* bar = new QWidget(panel());
  auto* from_file = new QPushButton(phrase("design", "From a file…"), bar);
  from_file->setToolTip(
      phrase("design", "Text with ranges, CSV, a one-dimensional .npy array, or a JSON list of numbers"));
  source_ = textLabel({}, "muted", bar);
  columns_ = new QComboBox(bar);
  columns_->setAccessibleName(phrase("design", "Column of the table"));
  type_instead_ = pushButton(phrase("design", "Type instead"), "link", bar);
  auto* line = rowIn(bar, {px(kMargin), 0, px(kMargin), px(kGap)}, px(kGap));
  addAll(line, {from_file, source_, columns_, type_instead_});
  line->addStretch();
  connect(from_file, &QPushButton::clicked, this, [this] {
    const QString path =
        QFileDialog::getOpenFileName(this, phrase("design", "Read a list from a file"), {},
                                     phrase("design", "Lists (*.txt *.csv *.tsv *.npy *.json);;All files (*)"));
    if (!path.isEmpty()) readFromFile(path);
  });
  connect(type_instead_, &QPushButton::clicked, this, [this] {
    file_.clear();
    pasted_.reset();
    readText();
    text_->setFocus();
  });
  connect(columns_, &QComboBox::activated, this, [this](int column) {
    column_ = column;
    readAgain();
  });
  return bar;
}

QWidget* ListEditor::makeAnswer() {
  auto* area = new QWidget(panel());
  count_ = textLabel({}, "", area);
  progress_ = new ProgressBar(area);
  progress_->setAccessibleName(phrase("design", "Reading the list"));
  stop_ = pushButton(phrase("design", "Stop"), "link", area);
  faults_ = new QListWidget(area);
  faults_->setAccessibleName(phrase("design", "What is wrong in the list"));
  faults_->setFixedHeight(px(92));
  faults_->setTextElideMode(Qt::ElideRight);
  auto* line = rowIn(nullptr, {}, px(kGap));
  line->addWidget(count_);
  line->addWidget(progress_, 1);
  line->addWidget(stop_);
  line->addStretch();
  auto* column = columnIn(area, {px(kMargin), px(kGap), px(kMargin), px(kGap)}, px(4));
  column->addLayout(line);
  column->addWidget(faults_);
  connect(stop_, &QPushButton::clicked, this, [this] {
    reading_.cancel();
    ListAnswer stopped;
    stopped.count = phrase("design", "Stopped: no list was read.");
    take(std::move(stopped));
  });
  connect(faults_, &QListWidget::currentRowChanged, this, [this](int row) {
    if (row < 0 || row >= static_cast<int>(answer_.lines.size()) || !text_->isEnabled()) return;
    const int fault = answer_.lines[static_cast<std::size_t>(row)];
    if (fault >= 0) text_->setTextCursor(QTextCursor(text_->document()->findBlockByNumber(fault)));
  });
  return area;
}

QWidget* ListEditor::makeFoot() {
  auto* foot = new QWidget(panel());
  auto* cancel = new QPushButton(phrase("design", "Cancel"), foot);
  use_ = pushButton(phrase("design", "Use this list"), "primary", foot);
  auto* line = rowIn(foot, {px(kMargin), px(7), px(kMargin - 2), px(8)}, px(kGap));
  line->addStretch();
  addAll(line, {cancel, use_});
  connect(cancel, &QPushButton::clicked, this, &Sheet::dismiss);
  // The list that is there already is not set once more.
  connect(use_, &QPushButton::clicked, this, [this] {
    if (!answer_.value) return;
    const Value value = *answer_.value;
    dismiss();
    emit accepted(value);
  });
  return foot;
}

void ListEditor::build() {
  auto* column = columnIn(panel(), {1, 1, 1, 1}, 0);
  addAll(column, {makeHead(), makeSource()});
  text_ = new ListText(panel());
  text_->setAccessibleName(ui::text(field_.path));
  auto* framed = rowIn(nullptr, {px(kMargin), 0, px(kMargin), 0});
  framed->addWidget(text_);
  column->addLayout(framed, 1);
  addAll(column, {makeAnswer(), hairline(Qt::Horizontal, panel()), makeFoot()});
  if (const auto shown = editableText(field_, before_)) {
    text_->setPlainText(*shown);
  } else {
    text_->setPlaceholderText(
        phrase("design", "The list is too long to show as text. What you type or paste here takes its place."));
  }
  connect(text_, &QPlainTextEdit::textChanged, this, &ListEditor::readText);
  connect(text_, &ListText::pastedLong, this, [this](const QString& text) {
    pasted_ = std::make_shared<const std::string>(text.toStdString());
    file_.clear();
    readAgain();
  });
}

void ListEditor::open() {
  Sheet::open(text_);
  text_->selectAll();
  readText();
}

void ListEditor::readFromFile(const QString& path) {
  file_ = path;
  pasted_.reset();
  column_.reset();
  readAgain();
}

void ListEditor::readText() {
  if (file_.isEmpty() && pasted_ == nullptr) readAgain();
}

void ListEditor::readAgain() {
  showSource();
  if (!file_.isEmpty()) {
    return start([rules = rules_, path = std::filesystem::path(file_.toStdString()),
                  column = column_](const Work& work) { return readListFile(rules, path, column, work); });
  }
  auto given = pasted_ != nullptr ? pasted_ : std::make_shared<const std::string>(text_->toPlainText().toStdString());
  start([field = field_, rules = rules_, given = std::move(given)](const Work& work) {
    return readListText(field, rules, *given, work);
  });
}

void ListEditor::start(std::function<ListAnswer(const Work& work)> read) {
  use_->setEnabled(false);
  progress_->setFraction(0);
  reading_.start(
      [read = std::move(read)](const Work& work) {
        auto answer = std::optional(read(work));
        return work.stopped() ? std::nullopt : std::move(answer);
      },
      [this](ListAnswer answer) { take(std::move(answer)); },
      [this](double fraction) {
        progress_->setFraction(fraction);
        progress_->show();
        stop_->show();
      },
      [this](const Error& error) {
        ListAnswer answer;
        answer.faults << ui::text(error.message);
        answer.lines.push_back(-1);
        take(std::move(answer));
      });
}

void ListEditor::take(ListAnswer answer) {
  releasedElsewhere(std::exchange(answer_, std::move(answer)));
  progress_->hide();
  stop_->hide();
  showAnswer();
}

void ListEditor::showAnswer() {
  count_->setText(answer_.count);
  {
    const QSignalBlocker quiet(faults_);
    faults_->clear();
    faults_->addItems(answer_.faults);
    for (int i = 0; i < faults_->count(); ++i) faults_->item(i)->setForeground(theme().error);
  }
  faults_->setVisible(!answer_.faults.isEmpty());
  text_->mark(file_.isEmpty() && pasted_ == nullptr ? answer_.spans : std::vector<ListSpan>());
  if (columns_->count() != answer_.columns.size()) {
    columns_->clear();
    columns_->addItems(answer_.columns);
  }
  columns_->setCurrentIndex(answer_.column);
  columns_->setVisible(answer_.columns.size() > 1);
  use_->setEnabled(answer_.value.has_value());
}

void ListEditor::showSource() {
  const bool typed = file_.isEmpty() && pasted_ == nullptr;
  source_->setText(!file_.isEmpty() ? QFileInfo(file_).fileName()
                   : typed          ? QString()
                                    : countOf(std::ssize(*pasted_), "pasted character"));
  source_->setVisible(!typed);
  type_instead_->setVisible(!typed);
  if (file_.isEmpty()) columns_->hide();
  text_->setEnabled(typed);
}

ListText::ListText(QWidget* parent) : QPlainTextEdit(parent) {
  setFont(monoFont());
  setTabChangesFocus(true);
  setPlaceholderText("0..7, 12");
}

void ListText::insertFromMimeData(const QMimeData* source) {
  const QString pasted = source->text();
  if (pasted.size() <= kMostTyped) return QPlainTextEdit::insertFromMimeData(source);
  emit pastedLong(pasted);
}

void ListText::mark(const std::vector<ListSpan>& spans) {
  QList<QTextEdit::ExtraSelection> marks;
  for (const ListSpan& span : spans) {
    const QTextBlock block = document()->findBlockByNumber(span.line);
    if (!block.isValid() || span.from + span.length > block.length()) continue;
    QTextEdit::ExtraSelection mark;
    mark.cursor = QTextCursor(block);
    mark.cursor.setPosition(block.position() + span.from);
    mark.cursor.setPosition(block.position() + span.from + span.length, QTextCursor::KeepAnchor);
    mark.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    mark.format.setUnderlineColor(theme().error);
    marks.append(mark);
  }
  setExtraSelections(marks);
}

}  // namespace shardlens::ui

#include "moc_list_editor.cpp"
