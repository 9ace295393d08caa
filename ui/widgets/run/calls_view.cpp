// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/calls_view.h"

#include "ui/scene/theme.h"
#include "ui/widgets/common/metrics.h"

#include <QFontMetrics>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace shardlens::ui {
namespace {

int lineHeight() {
  return QFontMetrics(monoFont()).height() + px(2);
}

int gap() {
  return px(6);
}

}  // namespace

CallsView::CallsView(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void CallsView::setCalls(const CallList& calls) {
  std::vector<CallList::Row> rows = calls.shortened();
  setAccessibleName(calls.head);
  setAccessibleDescription(calls.text());
  if (rows == rows_) return;
  rows_ = std::move(rows);
  updateGeometry();
  update();
}

int CallsView::heightOf(const CallList::Row& row) const {
  return lineHeight() * (row.is_own && !row.code.isEmpty() ? 2 : 1) + gap();
}

QSize CallsView::sizeHint() const {
  int height = 0;
  for (const CallList::Row& row : rows_) height += heightOf(row);
  return {px(220), height};
}

QSize CallsView::minimumSizeHint() const {
  return {px(120), sizeHint().height()};
}

bool CallsView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  int top = 0;
  for (const CallList::Row& row : rows_) {
    if (help->y() >= top && help->y() < top + heightOf(row)) {
      QToolTip::showText(help->globalPos(), row.function + '\n' + row.file + '\n' + row.place, this);
      return true;
    }
    top += heightOf(row);
  }
  QToolTip::hideText();
  return true;
}

void CallsView::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  int top = 0;
  for (const CallList::Row& row : rows_) {
    const int height = heightOf(row);
    paintRow(painter, row, {0, top, width(), height - gap()});
    top += height;
  }
}

void CallsView::paintRow(QPainter& painter, const CallList::Row& row, const QRect& area) const {
  painter.fillRect(QRect(0, area.top(), px(2), area.height()), row.is_own ? theme().error : theme().hairline);
  QFont font = monoFont();
  const QFontMetrics metrics(font);
  const int left = px(10);
  const int line = lineHeight();
  const int place_width = std::min(metrics.horizontalAdvance(row.place) + 2, area.width() / 2);
  const int function_width = area.width() - left - place_width - px(8);
  painter.setFont(font);
  painter.setPen(theme().muted);
  painter.drawText(QRect(area.right() - place_width + 1, area.top(), place_width, line),
                   Qt::AlignRight | Qt::AlignVCenter, metrics.elidedText(row.place, Qt::ElideLeft, place_width));
  if (row.is_own && !row.code.isEmpty()) {
    painter.drawText(QRect(left, area.top() + line, area.width() - left, line), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(row.code, Qt::ElideRight, area.width() - left));
  }
  font.setBold(row.is_own);
  painter.setFont(font);
  painter.setPen(theme().text);
  painter.drawText(QRect(left, area.top(), function_width, line), Qt::AlignLeft | Qt::AlignVCenter,
                   QFontMetrics(font).elidedText(row.function, Qt::ElideRight, function_width));
}

}  // namespace shardlens::ui

#include "moc_calls_view.cpp"
