// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/veil.h"

#include "ui/scene/theme.h"

#include <QEvent>
#include <QPainter>

namespace shardlens::ui {

constexpr float kVeiled = 0.55F;  ///< how much of the panel's colour covers what is below

Veil::Veil(QWidget* over) : QWidget(over->parentWidget()), over_(over) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  over->installEventFilter(this);
  hide();
}

void Veil::cover() {
  setGeometry(over_->geometry());
  raise();
}

bool Veil::eventFilter(QObject* watched, QEvent* event) {
  const bool moved = event->type() == QEvent::Resize || event->type() == QEvent::Move;
  if (watched == over_ && moved && isVisibleTo(parentWidget())) cover();
  return QWidget::eventFilter(watched, event);
}

void Veil::showEvent(QShowEvent* event) {
  cover();
  QWidget::showEvent(event);
}

void Veil::paintEvent(QPaintEvent* /*event*/) {
  QColor colour = theme().panel;
  colour.setAlphaF(kVeiled);
  QPainter(this).fillRect(rect(), colour);
}

}  // namespace shardlens::ui

#include "moc_veil.cpp"
