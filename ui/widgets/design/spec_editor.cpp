// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/design/spec_editor.h"

#include "ui/scene/number_text.h"
#include "ui/scene/theme.h"
#include "ui/widgets/common/code_highlighter.h"
#include "ui/widgets/common/metrics.h"

#include <QHelpEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStringList>
#include <QTextBlock>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

/// "message, hint" without the place: it is shown there.
QString wordsOf(const Error& problem) {
  const QString hint = text(problem.hint);
  return hint.isEmpty() ? text(problem.message) : text(problem.message) + " (" + hint + ")";
}

}  // namespace

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
    const bool wrong = std::any_of(problems_.begin(), problems_.end(),
                                   [line](const Error& problem) { return problem.place.line == line; });
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

#include "moc_spec_editor.cpp"
