// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/segmented.h"

#include "ui/scene/theme.h"
#include "ui/widgets/common/focus_ring.h"
#include "ui/widgets/common/metrics.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

namespace shardlens::ui {

SegmentedControl::SegmentedControl(const QStringList& labels, QWidget* parent)
    : QWidget(parent), labels_(labels), hints_(labels) {
  setFocusPolicy(Qt::TabFocus);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setAccessibleName(labels_.value(0));
}

void SegmentedControl::setLabels(const QStringList& labels) {
  labels_ = labels;
  hints_ = labels;
  current_ = 0;
  setAccessibleName(labels_.value(0));
  updateGeometry();
  update();
}

void SegmentedControl::setCurrent(int index) {
  if (index == current_ || index < 0 || index >= labels_.size()) return;
  current_ = index;
  setAccessibleName(labels_[index]);
  update();
  emit currentChanged(index);
}

void SegmentedControl::setHint(int index, const QString& tip) {
  hints_[index] = tip;
}

QSize SegmentedControl::sizeHint() const {
  int widest = px(72);
  for (const QString& label : labels_) widest = std::max(widest, fontMetrics().horizontalAdvance(label) + px(28));
  return {widest * static_cast<int>(labels_.size()) + 2, px(28)};
}

QRectF SegmentedControl::segment(int index) const {
  const double each = (width() - 2.0) / static_cast<double>(labels_.size());
  return {1 + each * index, 1, each, height() - 2.0};
}

int SegmentedControl::indexAt(QPointF place) const {
  for (int i = 0; i < labels_.size(); ++i) {
    if (segment(i).contains(place)) return i;
  }
  return current_;
}

void SegmentedControl::paintEvent(QPaintEvent*) {
  const Theme& colors = theme();
  const double radius = px(6);
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(showsFocusRing(*this) ? colors.accent : colors.hairline, 1));
  painter.setBrush(colors.dark ? colors.field : colors.window);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
  painter.setPen(QPen(colors.hairline, 1));
  painter.setBrush(colors.dark ? colors.window : colors.panel);
  painter.drawRoundedRect(segment(current_).adjusted(1.5, 1.5, -1.5, -1.5), radius - 1.5, radius - 1.5);
  for (int i = 0; i < labels_.size(); ++i) {
    QFont font = this->font();
    font.setWeight(i == current_ ? QFont::DemiBold : QFont::Normal);
    painter.setFont(font);
    painter.setPen(i == current_ ? colors.text : colors.muted);
    painter.drawText(segment(i), Qt::AlignCenter, labels_[i]);
  }
}

void SegmentedControl::mousePressEvent(QMouseEvent* event) {
  setCurrent(indexAt(event->position()));
}

void SegmentedControl::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Left) return setCurrent(current_ - 1);
  if (event->key() == Qt::Key_Right) return setCurrent(current_ + 1);
  QWidget::keyPressEvent(event);
}

bool SegmentedControl::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), hints_.value(indexAt(help->pos())), this);
    return true;
  }
  return QWidget::event(event);
}

}  // namespace shardlens::ui

#include "moc_segmented.cpp"
