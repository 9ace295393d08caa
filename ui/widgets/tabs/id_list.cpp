// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tabs/id_list.h"

#include "ui/scene/number_text.h"
#include "ui/scene/theme.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/common/toast.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QStringList>
#include <QTextBlock>

namespace shardlens::ui {
namespace {
constexpr int kLeastLines = 26;  ///< a line of ids
}

IdList::IdList(QWidget* parent)
    : QWidget(parent), caption_(new ElidedLabel), copy_(new QPushButton(tr("Copy"))), ids_(new QPlainTextEdit) {
  setLook(copy_, "role", "link");
  setLook(caption_, "tone", "muted");
  ids_->setReadOnly(true);
  ids_->setFont(monoFont());
  ids_->setFrameShape(QFrame::NoFrame);
  ids_->setTabChangesFocus(true);
  ids_->setAccessibleName(tr("Sample ids"));
  ids_->setMinimumHeight(px(kLeastLines));
  auto* head = new QHBoxLayout;
  head->addWidget(caption_, 1);
  head->addWidget(copy_);
  auto* column = columnIn(this, {}, px(4));
  column->addLayout(head);
  column->addWidget(ids_, 1);
  connect(copy_, &QPushButton::clicked, this, &IdList::copy);
  ids_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  ids_->viewport()->setCursor(Qt::PointingHandCursor);
  ids_->setToolTip(tr("Click an id to see where it goes"));
  ids_->installEventFilter(this);
  ids_->viewport()->installEventFilter(this);
}

bool IdList::eventFilter(QObject* watched, QEvent* event) {
  if (watched == ids_->viewport() && event->type() == QEvent::MouseButtonRelease) {
    const auto* mouse = static_cast<QMouseEvent*>(event);
    const bool marks_text = ids_->textCursor().hasSelection();
    if (mouse->button() == Qt::LeftButton && !marks_text) chooseAt(ids_->cursorForPosition(mouse->pos()));
  }
  if (watched == ids_ && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter) chooseAt(ids_->textCursor());
  }
  return QWidget::eventFilter(watched, event);
}

void IdList::chooseAt(const QTextCursor& place) {
  QTextCursor word = place;
  word.select(QTextCursor::WordUnderCursor);
  bool is_id = false;
  const qint64 id = word.selectedText().toLongLong(&is_id);
  if (is_id) emit idChosen(id);
}

void IdList::setMarked(std::optional<SampleIndex> id) {
  if (id == marked_) return;
  marked_ = id;
  mark();
}

void IdList::mark() {
  QList<QTextEdit::ExtraSelection> marks;
  if (marked_) {
    const QRegularExpression whole(QString("\\b%1\\b").arg(*marked_));
    const QTextCursor found = ids_->document()->find(whole);
    if (!found.isNull()) {
      QTextEdit::ExtraSelection mark;
      mark.cursor = found;
      mark.format.setBackground(theme().accent);
      mark.format.setForeground(theme().on_accent);
      marks << mark;
    }
  }
  ids_->setExtraSelections(marks);
}

void IdList::setIds(const QString& caption, const std::vector<SampleIndex>& ids, qint64 total) {
  const auto shown = static_cast<qint64>(ids.size());
  caption_->setFullText(shown < total ? tr("%1, the first %2").arg(caption, number(shown)) : caption);
  caption_->setToolTip(caption_->fullText());
  QStringList words;
  words.reserve(static_cast<qsizetype>(ids.size()));
  for (const SampleIndex id : ids) words << QString::number(id);
  ids_->setPlainText(words.join(QStringLiteral(", ")));
  mark();
  copy_->setEnabled(!ids.empty());
  ids_->setVisible(!ids.empty());
}

QString IdList::text() const {
  return ids_->toPlainText();
}

QString IdList::caption() const {
  return caption_->fullText();
}

void IdList::copy() {
  copyText(*this, text());
}

}  // namespace shardlens::ui

#include "moc_id_list.cpp"
