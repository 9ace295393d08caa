// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/column.h"

#include <QEvent>

#include <algorithm>
#include <utility>

namespace shardlens::ui {

Column::Column(QMargins margins, int gap, QWidget* parent) : QWidget(parent), margins_(margins), gap_(gap) {}

void Column::add(QWidget* widget) {
  widget->setParent(this);
  widget->show();
  widgets_.push_back(widget);
  arrange();
}

void Column::set(const std::vector<QWidget*>& widgets) {
  for (QWidget* widget : std::exchange(widgets_, widgets)) {
    if (std::ranges::find(widgets, widget) != widgets.end()) continue;
    widget->hide();
    widget->deleteLater();
  }
  for (QWidget* widget : widgets_) {
    if (widget->parent() == this) continue;
    widget->setParent(this);
    widget->show();
  }
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

#include "moc_column.cpp"
