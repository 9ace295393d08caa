// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/elided_links.h"

#include <QEvent>

namespace shardlens::ui {

ElidedLinks::ElidedLinks(QWidget* parent) : LinkLabel(parent) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ElidedLinks::setFull(const QString& text, const Selected& context) {
  if (text == full_ && context == full_context_) return;
  full_ = text;
  full_context_ = context;
  updateGeometry();
  showWhatFits();
}

void ElidedLinks::showWhatFits() {
  if (fontMetrics().horizontalAdvance(full_) <= width()) {
    setPlain(full_, full_context_);
    setToolTip({});
    return;
  }
  setWithoutLinks(fontMetrics().elidedText(full_, Qt::ElideRight, width()));
  setAccessibleName(full_);
  setToolTip(full_);
}

QSize ElidedLinks::minimumSizeHint() const {
  return {fontMetrics().horizontalAdvance(QStringLiteral("…")), fontMetrics().height()};
}

QSize ElidedLinks::sizeHint() const {
  return {fontMetrics().horizontalAdvance(full_) + 1, fontMetrics().height()};
}

void ElidedLinks::resizeEvent(QResizeEvent* event) {
  LinkLabel::resizeEvent(event);
  showWhatFits();
}

void ElidedLinks::changeEvent(QEvent* event) {
  LinkLabel::changeEvent(event);
  if (event->type() == QEvent::FontChange) showWhatFits();
}

}  // namespace shardlens::ui

#include "moc_elided_links.cpp"
