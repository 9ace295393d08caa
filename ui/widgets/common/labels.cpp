// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/labels.h"

#include "ui/scene/theme.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace shardlens::ui {

QLabel* sectionHead(const QString& text, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setFont(headFont());
  setLook(label, "tone", "muted");
  return label;
}

QLabel* textLabel(const QString& text, const char* tone, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setTextFormat(Qt::PlainText);
  setLook(label, "tone", tone);
  return label;
}

QLabel* noteLabel(const QString& text, const char* tone, QWidget* parent) {
  auto* label = textLabel(text, tone, parent);
  setLook(label, "role", "small");
  label->setWordWrap(true);
  return label;
}

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent) : QLabel(parent) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
  setFullText(text);
}

void ElidedLabel::setFullText(const QString& text) {
  if (text == full_) return;
  full_ = text;
  setAccessibleName(text);
  updateGeometry();
  update();
}

void ElidedLabel::setCut(Qt::TextElideMode cut) {
  cut_ = cut;
  update();
}

QSize ElidedLabel::sizeHint() const {
  return {fontMetrics().horizontalAdvance(full_) + 2, fontMetrics().height()};
}

QSize ElidedLabel::minimumSizeHint() const {
  return {std::min(sizeHint().width(), px(24)), fontMetrics().height()};
}

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setPen(palette().color(foregroundRole()));
  const QString shown = fontMetrics().elidedText(full_, cut_, width());
  painter.drawText(rect(), static_cast<int>(alignment() | Qt::TextSingleLine), shown);
}

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

#include "moc_labels.cpp"
