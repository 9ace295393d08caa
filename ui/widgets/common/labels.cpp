// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/labels.h"

#include "ui/scene/theme.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"

#include <QPainter>

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

}  // namespace shardlens::ui

#include "moc_labels.cpp"
