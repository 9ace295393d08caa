// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/column.h"

#include <QEvent>

namespace shardlens::ui {

Column::Column(QMargins margins, int gap, QWidget* parent) : QWidget(parent), margins_(margins), gap_(gap) {}

void Column::add(QWidget* widget) {
  widget->setParent(this);
  widget->show();
  widgets_.push_back(widget);
  arrange();
}

void Column::clear() {
  for (QWidget* widget : widgets_) {
    widget->hide();
    widget->deleteLater();
  }
  widgets_.clear();
  arrange();
}

void Column::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

bool Column::event(QEvent* event) {
  const bool done = QWidget::event(event);
  if (event->type() == QEvent::LayoutRequest) arrange();
  return done;
}

void Column::arrange() {
  const int room = width() - margins_.left() - margins_.right();
  int y = margins_.top();
  for (QWidget* widget : widgets_) {
    if (widget->isHidden()) continue;
    const int height = widget->hasHeightForWidth() ? widget->heightForWidth(room) : widget->sizeHint().height();
    widget->setGeometry(margins_.left(), y, room, height);
    y += height + gap_;
  }
  setMinimumHeight(y - (y > margins_.top() ? gap_ : 0) + margins_.bottom());
}

}  // namespace shardlens::ui
