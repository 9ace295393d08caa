// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/sheet.h"

#include "ui/scene/theme.h"
#include "ui/widgets/common/style.h"

#include <QApplication>
#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace shardlens::ui {
namespace {

constexpr int kBeside = 16;  ///< of the window is always seen around the panel
constexpr const char* kReducedMotion = "reducedMotion";

}  // namespace

Sheet::Sheet(QSize design, QWidget* opener)
    : QWidget(opener->window()), design_(design), panel_(new QFrame(this)), opening_(this) {
  setSurface(panel_, "sheet");
  opening_.setDuration(140);
  opening_.setStartValue(0.0);
  opening_.setEndValue(1.0);
  opening_.setEasingCurve(QEasingCurve::OutCubic);
  connect(&opening_, &QVariantAnimation::valueChanged, this, [this](const QVariant& at) { showAt(at.toDouble()); });
  parentWidget()->installEventFilter(this);
  hide();
}

void Sheet::setReducedMotion(QWidget* window, bool reduced) {
  window->setProperty(kReducedMotion, reduced);
}

bool Sheet::isReducedMotion(const QWidget& window) {
  return window.property(kReducedMotion).toBool();
}

void Sheet::open(QWidget* first) {
  before_ = QApplication::focusWidget();
  place();
  show();
  raise();
  first->setFocus(Qt::PopupFocusReason);
  if (isReducedMotion(*window())) return;
  showAt(0);
  opening_.start();
}

void Sheet::dismiss() {
  opening_.stop();
  hide();
  if (before_ != nullptr) before_->setFocus(Qt::PopupFocusReason);
  deleteLater();
}

void Sheet::showAt(double progress) {
  opened_ = progress;
  place();
  update();
}

void Sheet::place() {
  setGeometry(parentWidget()->rect());
  const int beside = 2 * px(kBeside);
  const QSize size(std::min(px(design_.width()), width() - beside), std::min(px(design_.height()), height() - beside));
  const QPoint corner((width() - size.width()) / 2, (height() - size.height()) / 2);
  const int rise = qRound((1 - opened_) * px(6));
  const bool resized = size != panel_->size();
  panel_->setGeometry(QRect(corner + QPoint(0, rise), size));
  if (resized) panelResized();
}

bool Sheet::event(QEvent* event) {
  // A key that nothing inside wants is no shortcut of the window below.
  if (event->type() == QEvent::ShortcutOverride) event->accept();
  return QWidget::event(event);
}

bool Sheet::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parentWidget() && event->type() == QEvent::Resize) place();
  return QWidget::eventFilter(watched, event);
}

bool Sheet::focusNextPrevChild(bool next) {
  QWidget* const from = QApplication::focusWidget();
  if (from == nullptr) return false;
  for (QWidget* to = from;;) {
    to = next ? to->nextInFocusChain() : to->previousInFocusChain();
    if (to == from) return true;
    if (!isAncestorOf(to) || !to->isEnabled() || !to->isVisibleTo(this) || !(to->focusPolicy() & Qt::TabFocus))
      continue;
    to->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    return true;
  }
}

void Sheet::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) dismiss();
  event->accept();
}

void Sheet::mousePressEvent(QMouseEvent* event) {
  if (!panel_->geometry().contains(event->pos())) dismiss();
  event->accept();
}

void Sheet::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paintShade(painter, rect(), opened_);
}

void paintShade(QPainter& painter, const QRect& part, double share) {
  QColor shade = theme().dark ? theme().window.darker(250) : theme().text;
  shade.setAlphaF((theme().dark ? 0.62F : 0.42F) * static_cast<float>(share));
  painter.fillRect(part, shade);
}

Shade::Shade(QDialog* dialog) : QWidget(dialog->parentWidget()->window()) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  dialog->installEventFilter(this);
  parentWidget()->installEventFilter(this);
  connect(dialog, &QObject::destroyed, this, &QObject::deleteLater);
  hide();
}

bool Shade::eventFilter(QObject* watched, QEvent* event) {
  const bool is_dialog = watched != parentWidget();
  if (is_dialog && (event->type() == QEvent::Show || event->type() == QEvent::Hide)) {
    setGeometry(parentWidget()->rect());
    setVisible(event->type() == QEvent::Show);
    raise();
  }
  if (!is_dialog && event->type() == QEvent::Resize) setGeometry(parentWidget()->rect());
  return QWidget::eventFilter(watched, event);
}

void Shade::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  paintShade(painter, rect());
}

}  // namespace shardlens::ui

#include "moc_sheet.cpp"
