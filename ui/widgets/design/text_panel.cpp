// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/design/text_panel.h"

#include "ui/scene/number_text.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/code_highlighter.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/panel_menu.h"
#include "ui/widgets/common/style.h"

#include <QFileInfo>
#include <QHelpEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStringList>
#include <QTextBlock>
#include <QToolTip>

#include <algorithm>

namespace shardlens::ui {
namespace {

constexpr std::size_t kMostShown = 50;

/// "Line 3: there is no key 'sise' in dataset. Did you mean size?"
QString problemLine(const Error& problem) {
  QString line = text(problem.message);
  if (problem.place.line > 0) line = phrase("design", "Line %1: %2").arg(problem.place.line).arg(line);
  if (problem.hint.empty()) return line;
  const QString hint = text(problem.hint);
  const bool ends = hint.endsWith(QLatin1Char('?')) || hint.endsWith(QLatin1Char('.'));
  return line + QLatin1Char(' ') + hint.left(1).toUpper() + hint.mid(1) + (ends ? QString() : QStringLiteral("."));
}

/// "message, hint" without the place: it is shown there.
QString wordsOf(const Error& problem) {
  const QString hint = text(problem.hint);
  return hint.isEmpty() ? text(problem.message) : text(problem.message) + " (" + hint + ")";
}

}  // namespace

TextPanel::TextPanel(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      name_(new ElidedLabel),
      state_(noteLabel({})),
      take_(new LinkButton(tr("Replace the text with the design"))),
      editor_(new SpecEditor),
      problems_(new Column({0, px(2), px(4), px(4)}, px(6))) {
  setSurface(this, "panel");
  setAccessibleName(tr("Design as text"));
  problem_area_ = thinScroll(problems_);
  problem_area_->setFixedHeight(px(132));
  take_->setObjectName("text:takeDesign");
  auto* column = columnIn(this, {px(kMargin), px(8), px(kGap), px(10)}, px(6));
  column->addWidget(headRow());
  column->addWidget(editor_, 1);
  column->addWidget(state_);
  column->addWidget(take_, 0, Qt::AlignLeft);
  column->addWidget(problem_area_);
  SpecText& spec_text = workspace_.text;
  connect(editor_, &SpecEditor::typed, &spec_text, &SpecText::edit);
  connect(editor_, &SpecEditor::left, &spec_text, &SpecText::readNow);
  connect(take_, &QAbstractButton::clicked, &spec_text, &SpecText::takeDesign);
  connect(&spec_text, &SpecText::textChanged, this, &TextPanel::showText);
  connect(&spec_text, &SpecText::stateChanged, this, &TextPanel::showState);
  connect(&workspace_.document, &Document::pathChanged, this, &TextPanel::showState);
  setFocusProxy(editor_);
  addPanelMenu(*this, {tr("Design as text"), [this] { return workspace_.text.text(); }});
  showText();
  showState();
}

QWidget* TextPanel::headRow() {
  setLook(name_, "tone", "muted");
  auto* close = new LinkButton(tr("Close"));
  close->setObjectName("text:close");
  close->setAccessibleName(tr("Close the text"));
  connect(close, &QAbstractButton::clicked, this, &TextPanel::closeWanted);
  auto* row = new QWidget;
  auto* line = rowIn(row, {}, px(kGap));
  line->addWidget(sectionHead(tr("text")));
  line->addWidget(name_, 1);
  line->addWidget(close);
  return row;
}

void TextPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  workspace_.text.setWatched(true);
}

void TextPanel::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  workspace_.text.readNow();
  workspace_.text.setWatched(false);
}

void TextPanel::showText() {
  editor_->putText(workspace_.text.text());
  editor_->setReadOnly(workspace_.text.isTooLong());
}

QString TextPanel::stateText() const {
  const SpecText& spec_text = workspace_.text;
  if (spec_text.isTooLong()) return tr("This text is too long to be edited here.");
  const auto count = static_cast<qint64>(spec_text.problems().size());
  if (!spec_text.brokenFile().isEmpty()) {
    return tr("%1. The form shows %2 until this file can be opened.")
        .arg(countOf(count, "problem"), workspace_.document.path().isEmpty()
                                            ? tr("another design")
                                            : QFileInfo(workspace_.document.path()).fileName());
  }
  if (spec_text.isOutOfStep()) return tr("The design was changed elsewhere while this text has problems.");
  if (count > 0) return tr("%1. The form shows the last text without problems.").arg(countOf(count, "problem"));
  if (spec_text.isRewritten()) return tr("Rewritten: comments and spelling of the earlier text were not kept.");
  return tr("The text matches the form. Comments and order are kept.");
}

QStringList TextPanel::problems() const {
  QStringList lines;
  for (const LinkButton* link : problems_->findChildren<LinkButton*>()) {
    if (!link->isHidden()) lines << link->text();
  }
  return lines;
}

void TextPanel::showState() {
  const SpecText& spec_text = workspace_.text;
  const bool broken = !spec_text.brokenFile().isEmpty();
  const QString path = broken ? spec_text.brokenFile() : workspace_.document.path();
  name_->setFullText(path.isEmpty() ? tr("not saved") : QFileInfo(path).fileName());
  name_->setToolTip(path);
  state_->setText(stateText());
  const bool wrong = !spec_text.problems().empty();
  setLook(state_, "tone", wrong ? "error" : spec_text.isRewritten() ? "warning" : "muted");
  take_->setVisible(broken || spec_text.isOutOfStep());
  take_->setText(broken ? tr("Show the open design instead") : tr("Replace the text with the design"));
  editor_->setProblems(spec_text.problems());
  problem_area_->setVisible(wrong);
  problems_->clear();
  std::vector<QWidget*> links;
  for (const Error& problem : spec_text.problems()) {
    if (links.size() == kMostShown) break;
    auto* link = new LinkButton(problemLine(problem), "muted");
    connect(link, &QAbstractButton::clicked, this, [this, place = problem.place] { editor_->goTo(place); });
    links.push_back(link);
  }
  problems_->set(links);
}

/// The numbers of the lines, left of the text.
class SpecEditor::Numbers : public QWidget {
 public:
  explicit Numbers(SpecEditor* editor) : QWidget(editor), editor_(editor) {}
  [[nodiscard]] int wanted() const {
    const int digits = std::max<int>(2, static_cast<int>(QString::number(editor_->blockCount()).size()));
    return px(14) + digits * QFontMetrics(monoFont()).horizontalAdvance(QLatin1Char('0'));
  }

 protected:
  void paintEvent(QPaintEvent* event) override { editor_->paintNumbers(event); }

 private:
  SpecEditor* editor_;
};

SpecEditor::SpecEditor(QWidget* parent)
    : QPlainTextEdit(parent), highlighter_(new CodeHighlighter(document())), numbers_(new Numbers(this)) {
  setLineWrapMode(NoWrap);
  setTabChangesFocus(true);
  setFont(monoFont());
  setAccessibleName(tr("The design as text"));
  highlighter_->setLanguage(CodeHighlighter::Language::Yaml);
  connect(this, &QPlainTextEdit::blockCountChanged, this, &SpecEditor::layOutNumbers);
  connect(this, &QPlainTextEdit::updateRequest, numbers_, [this] { numbers_->update(); });
  connect(this, &QPlainTextEdit::textChanged, this, [this] {
    if (!putting_) emit typed(toPlainText());
  });
  layOutNumbers();
}

SpecEditor::~SpecEditor() = default;

void SpecEditor::putText(const QString& text) {
  const QString now = toPlainText();
  if (text == now) return;
  qsizetype same = 0;
  const qsizetype shorter = std::min(now.size(), text.size());
  while (same < shorter && now[same] == text[same]) ++same;
  qsizetype tail = 0;
  while (tail < shorter - same && now[now.size() - 1 - tail] == text[text.size() - 1 - tail]) ++tail;
  putting_ = true;
  QTextCursor cursor(document());
  cursor.setPosition(static_cast<int>(same));
  cursor.setPosition(static_cast<int>(now.size() - tail), QTextCursor::KeepAnchor);
  cursor.insertText(text.mid(same, text.size() - tail - same));
  putting_ = false;
}

QTextCursor SpecEditor::cursorAt(const Place& place) const {
  const QTextBlock block = document()->findBlockByNumber(std::clamp(place.line, 1, blockCount()) - 1);
  QTextCursor cursor(block);
  const int column = std::clamp(place.column - 1, 0, std::max(0, block.length() - 1));
  cursor.setPosition(block.position() + column);
  return cursor;
}

void SpecEditor::setProblems(const Issues& problems) {
  problems_ = problems;
  paintMarks();
}

void SpecEditor::paintMarks() {
  QList<QTextEdit::ExtraSelection> selections;
  for (const Error& problem : problems_) {
    if (problem.place.line <= 0) continue;
    QTextEdit::ExtraSelection line;
    line.cursor = cursorAt(problem.place);
    line.format.setBackground(mix(theme().error, theme().field, 0.10));
    line.format.setProperty(QTextFormat::FullWidthSelection, true);
    line.cursor.clearSelection();
    QTextEdit::ExtraSelection word;
    word.cursor = cursorAt(problem.place);
    word.cursor.movePosition(QTextCursor::EndOfWord, QTextCursor::KeepAnchor);
    if (!word.cursor.hasSelection()) word.cursor.movePosition(QTextCursor::NextCharacter, QTextCursor::KeepAnchor);
    if (!word.cursor.hasSelection()) word.cursor.movePosition(QTextCursor::StartOfLine, QTextCursor::KeepAnchor);
    word.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    word.format.setUnderlineColor(theme().error);
    selections << line << word;
  }
  setExtraSelections(selections);
  numbers_->update();
}

std::vector<std::pair<int, int>> SpecEditor::marks() const {
  std::vector<std::pair<int, int>> places;
  for (const QTextEdit::ExtraSelection& mark : extraSelections()) {
    if (mark.format.underlineStyle() == QTextCharFormat::NoUnderline) continue;
    QTextCursor at(document());
    at.setPosition(mark.cursor.selectionStart());
    places.emplace_back(at.blockNumber() + 1, at.positionInBlock() + 1);
  }
  return places;
}

void SpecEditor::goTo(const Place& place) {
  setTextCursor(cursorAt(place));
  centerCursor();
  setFocus(Qt::OtherFocusReason);
}

void SpecEditor::layOutNumbers() {
  const int wide = numbers_->wanted();
  setViewportMargins(wide, 0, 0, 0);
  const QRect inner = contentsRect();
  numbers_->setGeometry(inner.left(), inner.top(), wide, inner.height());
}

void SpecEditor::paintNumbers(QPaintEvent* event) {
  QPainter painter(numbers_);
  painter.fillRect(event->rect(), theme().field);
  painter.setFont(monoFont());
  QTextBlock block = firstVisibleBlock();
  double top = blockBoundingGeometry(block).translated(contentOffset()).top();
  while (block.isValid() && top <= event->rect().bottom()) {
    const double height = blockBoundingRect(block).height();
    const int line = block.blockNumber() + 1;
    const bool wrong =
        std::ranges::any_of(problems_, [line](const Error& problem) { return problem.place.line == line; });
    painter.setPen(wrong ? theme().error : theme().muted);
    painter.drawText(QRectF(0, top, numbers_->width() - px(7), height), Qt::AlignRight | Qt::AlignVCenter,
                     QString::number(line));
    top += height;
    block = block.next();
  }
}

void SpecEditor::resizeEvent(QResizeEvent* event) {
  QPlainTextEdit::resizeEvent(event);
  layOutNumbers();
}

void SpecEditor::changeEvent(QEvent* event) {
  QPlainTextEdit::changeEvent(event);
  if (event->type() != QEvent::PaletteChange && event->type() != QEvent::StyleChange) return;
  highlighter_->recolour();
  paintMarks();
}

void SpecEditor::focusOutEvent(QFocusEvent* event) {
  QPlainTextEdit::focusOutEvent(event);
  emit left();
}

/// What is wrong with the line under the mouse.
bool SpecEditor::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QPlainTextEdit::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const int line = cursorForPosition(help->pos()).blockNumber() + 1;
  QStringList words;
  for (const Error& problem : problems_) {
    if (problem.place.line == line) words << wordsOf(problem);
  }
  words.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), words.join('\n'), this);
  return true;
}

}  // namespace shardlens::ui

#include "moc_text_panel.cpp"
