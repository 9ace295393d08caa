// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/shade.h"

#include "ui/scene/theme.h"

#include <QEvent>
#include <QPainter>

namespace shardlens::ui {

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

#include "moc_shade.cpp"
