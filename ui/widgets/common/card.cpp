// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/card.h"

#include "ui/scene/theme.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/style.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

namespace shardlens::ui {
namespace {

/// A 1 px line that takes its colour from the theme whenever it is painted.
class Hairline : public QWidget {
 public:
  using QWidget::QWidget;

 protected:
  void paintEvent(QPaintEvent*) override { QPainter(this).fillRect(rect(), theme().hairline); }
};

}  // namespace

Card::Card(Tone tone, QWidget* parent)
    : QFrame(parent), tone_(tone), column_(columnIn(this, {px(16), px(10), px(12), px(10)}, px(4))) {}

void Card::setTone(Tone tone) {
  tone_ = tone;
  update();
}

void Card::setClickable(bool clickable) {
  clickable_ = clickable;
  setFocusPolicy(clickable ? Qt::TabFocus : Qt::NoFocus);
  setCursor(clickable ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void Card::setChosen(bool chosen) {
  if (chosen == chosen_) return;
  chosen_ = chosen;
  update();
}

void Card::paintEvent(QPaintEvent*) {
  const double radius = px(6);
  const QRectF area = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  QPainterPath shape;
  shape.addRoundedRect(area, radius, radius);
  painter.fillPath(shape, primary_ ? theme().accent : theme().field);
  if (tone_ != Tone::Note) {
    painter.setClipPath(shape);
    painter.fillRect(QRectF(0, 0, px(4), height()), toneColor(tone_));
    painter.setClipping(false);
  }
  const QColor ring = primary_ ? theme().text : theme().accent;
  painter.setPen(QPen(showsFocusRing(*this) || chosen_ ? ring : theme().hairline, chosen_ ? 2 : 1));
  painter.drawPath(shape);
}

void Card::mouseReleaseEvent(QMouseEvent* event) {
  if (clickable_ && event->button() == Qt::LeftButton && rect().contains(event->pos())) emit activated();
}

void Card::keyPressEvent(QKeyEvent* event) {
  const bool go = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space;
  if (clickable_ && go) {
    emit activated();
  } else {
    QFrame::keyPressEvent(event);
  }
}

QWidget* emptyState(const QString& title, const QString& text, QWidget* parent) {
  auto* state = new QWidget(parent);
  auto* column = columnIn(state, {px(kMargin), px(kMargin), px(kMargin), px(kMargin)}, px(kGap));
  auto* head = textLabel(title, "", state);
  setLook(head, "role", "title");
  auto* body = textLabel(text, "muted", state);
  body->setWordWrap(true);
  for (QLabel* label : {head, body}) label->setAlignment(Qt::AlignHCenter);
  column->addStretch();
  addAll(column, {head, body});
  column->addStretch();
  return state;
}

QScrollArea* thinScroll(QWidget* content, QWidget* parent) {
  auto* area = new QScrollArea(parent);
  area->setFrameShape(QFrame::NoFrame);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->setWidgetResizable(true);
  area->setFocusPolicy(Qt::NoFocus);
  area->viewport()->setAutoFillBackground(false);
  area->setWidget(content);
  content->setAutoFillBackground(false);  // setWidget() turns it on
  return area;
}

QSplitter* thinSplitter(Qt::Orientation orientation, QWidget* parent) {
  auto* splitter = new QSplitter(orientation, parent);
  splitter->setHandleWidth(1);  // Qt lets one take hold of it from two pixels on either side
  splitter->setChildrenCollapsible(false);
  return splitter;
}

QWidget* hairline(Qt::Orientation orientation, QWidget* parent) {
  auto* line = new Hairline(parent);
  if (orientation == Qt::Horizontal) {
    line->setFixedHeight(1);
  } else {
    line->setFixedWidth(1);
  }
  return line;
}

}  // namespace shardlens::ui

#include "moc_card.cpp"
