// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tabs/code_view.h"

#include "ui/scene/theme.h"

#include <QEvent>
#include <QFileInfo>
#include <QScrollBar>
#include <QTextBlock>

namespace shardlens::ui {

CodeView::CodeView(QWidget* parent) : QPlainTextEdit(parent), highlighter_(new CodeHighlighter(document())) {
  setReadOnly(true);
  setLineWrapMode(NoWrap);
  setTabChangesFocus(true);
  setFont(monoFont());
  setFrameShape(QFrame::NoFrame);
  setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
}

CodeView::~CodeView() = default;

CodeView::Language CodeView::languageOf(const QString& file_name) {
  const QString suffix = QFileInfo(file_name).suffix();
  if (suffix == QLatin1String("yaml") || suffix == QLatin1String("yml")) return Language::Yaml;
  if (suffix == QLatin1String("sh") || suffix == QLatin1String("sbatch")) return Language::Shell;
  return suffix == QLatin1String("py") ? Language::Python : Language::Plain;
}

void CodeView::putText(const QString& text) {
  if (text == toPlainText()) return;
  const int top = verticalScrollBar()->value();  // an edit elsewhere must not move what is being read
  setPlainText(text);
  verticalScrollBar()->setValue(top);
}

void CodeView::setCode(const QString& text, Language language) {
  marks_.clear();
  putText(text);
  highlighter_->setLanguage(language);
  paintMarks();
}

void CodeView::setDiff(const DiffText& diff) {
  marks_ = diff.marks;
  highlighter_->setLanguage(Language::Plain);
  putText(diff.text);
  paintMarks();
}

void CodeView::paintMarks() {
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

void CodeView::changeEvent(QEvent* event) {
  QPlainTextEdit::changeEvent(event);
  if (event->type() != QEvent::PaletteChange && event->type() != QEvent::StyleChange) return;
  highlighter_->recolour();
  paintMarks();
}

}  // namespace shardlens::ui

#include "moc_code_view.cpp"
