// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/toast.h"

#include "ui/scene/theme.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/sheet.h"
#include "ui/widgets/common/style.h"

#include <QAccessible>
#include <QClipboard>
#include <QGuiApplication>
#include <QPainter>
#include <QUndoStack>

#include <algorithm>
#include <utility>

namespace shardlens::ui {
namespace {

constexpr int kAboveFoot = 40;        ///< clears the status line
constexpr qsizetype kShortText = 72;  ///< is told as it is

}  // namespace

Toast::Toast(QWidget* window)
    : QWidget(window), words_(new QLabel(this)), undo_(new LinkButton(tr("Undo"), "", this)), sliding_(this) {
  setObjectName("toast");
  setFocusPolicy(Qt::NoFocus);
  undo_->setObjectName("toast:undo");
  words_->setTextFormat(Qt::PlainText);
  words_->setWordWrap(true);
  auto* row = rowIn(this, {px(kMargin), px(10), px(kMargin), px(10)}, px(kMargin));
  row->addWidget(words_, 1);
  row->addWidget(undo_);
  timer_.setSingleShot(true);
  timer_.setInterval(kShownMs);
  connect(&timer_, &QTimer::timeout, this, [this] { slide(false); });
  connect(undo_, &QAbstractButton::clicked, this, [this] {
    const auto undo = std::exchange(undo_it_, nullptr);
    hide();
    if (undo) undo();
  });
  sliding_.setDuration(140);
  connect(&sliding_, &QVariantAnimation::valueChanged, this, [this](const QVariant& at) {
    risen_ = at.toDouble();
    place();
  });
  connect(&sliding_, &QVariantAnimation::finished, this, [this] { setVisible(risen_ > 0); });
  window->installEventFilter(this);
  undo_->installEventFilter(this);
  hide();
}

Toast& Toast::of(const QWidget& from) {
  QWidget* window = from.window();
  auto* toast = window->findChild<Toast*>(QString(), Qt::FindDirectChildrenOnly);
  return toast != nullptr ? *toast : *new Toast(window);
}

void Toast::sayDone(const QWidget& from, QUndoStack& stack, const QString& text) {
  Toast& toast = of(from);
  const int done = stack.index();
  toast.tell(text, [&stack, done] {
    if (stack.index() == done) stack.undo();
  });
  toast.watched_ = connect(&stack, &QUndoStack::indexChanged, &toast, [&toast, done](int index) {
    if (index == done) return;
    disconnect(toast.watched_);
    toast.undo_it_ = nullptr;
    toast.hide();
  });
}

void Toast::sayWithUndo(const QWidget& from, const QString& text, std::function<void()> undo) {
  of(from).tell(text, std::move(undo));
}

void Toast::tell(const QString& text, std::function<void()> undo) {
  disconnect(watched_);
  undo_it_ = std::move(undo);
  words_->setText(text);
  undo_->setVisible(undo_it_ != nullptr);
  setAccessibleName(text);
  if (isHidden()) risen_ = 0;
  place();
  show();
  raise();
  slide(true);
  // Nothing here takes the focus, so that a screen reader would not come by.
  QAccessibleEvent event(this, QAccessible::Alert);
  QAccessible::updateAccessibility(&event);
  undo_->hasFocus() || underMouse() ? timer_.stop() : timer_.start();
}

void Toast::place() {
  const QWidget& window = *parentWidget();
  const int most = std::min(px(560), window.width() - 2 * px(kMargin));
  const int beside = 2 * px(kMargin) + (undo_it_ ? undo_->sizeHint().width() + px(kMargin) : 0);
  words_->setFixedWidth(std::min(words_->fontMetrics().horizontalAdvance(words_->text()) + 4, most - beside));
  const QSize size(words_->width() + beside,
                   std::max(words_->heightForWidth(words_->width()), undo_->height()) + 2 * px(10));
  const int risen = qRound(risen_ * (px(kAboveFoot) + size.height()));
  setGeometry(QRect(QPoint((window.width() - size.width()) / 2, window.height() - risen), size));
}

void Toast::slide(bool in) {
  sliding_.stop();
  if (Sheet::isReducedMotion(*parentWidget())) {
    risen_ = in ? 1 : 0;
    place();
    setVisible(in);
    return;
  }
  sliding_.setStartValue(risen_);
  sliding_.setEndValue(in ? 1.0 : 0.0);
  sliding_.start();
}

void Toast::enterEvent(QEnterEvent* event) {
  QWidget::enterEvent(event);
  timer_.stop();
}

void Toast::leaveEvent(QEvent* event) {
  QWidget::leaveEvent(event);
  if (isVisible()) timer_.start();
}

bool Toast::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible()) place();
  const bool focus_moved = event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut;
  if (watched == undo_ && focus_moved && isVisible()) {
    event->type() == QEvent::FocusIn ? timer_.stop() : timer_.start();
  }
  return QWidget::eventFilter(watched, event);
}

void Toast::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(mix(theme().text, theme().panel, 0.35), 1));
  painter.setBrush(theme().panel);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), px(8), px(8));
}

void copyText(const QWidget& from, const QString& text) {
  QGuiApplication::clipboard()->setText(text);
  const auto lines = text.trimmed().count('\n') + 1;
  if (lines > 1) return Toast::say(from, Toast::tr("Copied %1 lines").arg(lines));
  const QString shown = text.size() <= kShortText ? text : text.left(kShortText - 1) + QStringLiteral("…");
  Toast::say(from, Toast::tr("Copied: %1").arg(shown.trimmed()));
}

}  // namespace shardlens::ui

#include "moc_toast.cpp"
