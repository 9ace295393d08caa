// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/link_button.h"

#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"

namespace shardlens::ui {

LinkButton::LinkButton(const QString& text, const char* tone, QWidget* parent)
    : QPushButton(text, parent), full_(text) {
  setLook(this, "role", "link");
  setLook(this, "tone", tone);
  setCursor(Qt::PointingHandCursor);
  setAccessibleName(text);
  setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
}

QSize LinkButton::sizeHint() const {
  QFont font = this->font();
  font.setWeight(QFont::Medium);
  return {QFontMetrics(font).horizontalAdvance(full_) + px(10), px(22)};
}

QSize LinkButton::minimumSizeHint() const {
  return {std::min(sizeHint().width(), px(40)), px(22)};
}

void LinkButton::resizeEvent(QResizeEvent* event) {
  QPushButton::resizeEvent(event);
  const QString shown = fontMetrics().elidedText(full_, Qt::ElideRight, width() - px(6));
  setText(sizeHint().width() <= width() ? full_ : shown);
  setToolTip(text() == full_ ? QString() : full_);
}

}  // namespace shardlens::ui
