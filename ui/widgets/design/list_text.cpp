// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/design/list_text.h"

#include "ui/scene/theme.h"

#include <QMimeData>
#include <QTextBlock>

namespace shardlens::ui {
namespace {

constexpr qsizetype kMostTyped = 200'000;

}  // namespace

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

#include "moc_list_text.cpp"
