// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/link_button.h"

#include "ui/scene/links.h"
#include "ui/scene/theme.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"

#include <QFontMetrics>
#include <QKeyEvent>
#include <QPainter>

#include <cmath>
#include <cstring>

namespace shardlens::ui {
namespace {

constexpr int kLeastHeight = 24;
constexpr int kInset = 2;  // room for the focus ring

}  // namespace

LinkButton::LinkButton(const QString& text, const char* tone, QWidget* parent)
    : QAbstractButton(parent), muted_(std::strcmp(tone, "muted") == 0) {
  setWords(text);
  setCursor(Qt::PointingHandCursor);
  setFocusPolicy(Qt::TabFocus);
  setAttribute(Qt::WA_Hover);
  QSizePolicy policy(QSizePolicy::Maximum, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void LinkButton::setWords(const QString& text) {
  setText(text);
  setAccessibleName(text);
  updateGeometry();
}

void LinkButton::offer(const QString& text) {
  setWords(text);
  setVisible(!text.isEmpty());
}

QFont LinkButton::shownFont() const {
  QFont shown = font();
  if (!muted_) shown.setWeight(QFont::Medium);
  shown.setUnderline(underMouse() && isEnabled());
  return shown;
}

QSize LinkButton::sizeHint() const {
  // One line, when there is room: with less than a pixel to spare, drawing wraps what measuring does not.
  const int width = static_cast<int>(std::ceil(QFontMetricsF(shownFont()).horizontalAdvance(text())));
  return {width + 2 * kInset + 2, px(kLeastHeight)};
}

QSize LinkButton::minimumSizeHint() const {
  return {std::min(sizeHint().width(), px(64)), px(kLeastHeight)};
}

int LinkButton::heightForWidth(int width) const {
  const QRect room(0, 0, width - 2 * kInset, px(1000));
  const int needed = QFontMetrics(shownFont()).boundingRect(room, Qt::TextWordWrap, breakable(text())).height();
  return std::max(px(kLeastHeight), needed + 2 * kInset);
}

void LinkButton::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
    click();
  } else {
    QAbstractButton::keyPressEvent(event);
  }
}

void LinkButton::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setFont(shownFont());
  painter.setPen(!isEnabled() ? theme().faint : muted_ ? theme().muted : theme().accent);
  painter.drawText(rect().adjusted(kInset, 0, -kInset, 0), Qt::TextWordWrap | Qt::AlignVCenter | Qt::AlignLeft,
                   breakable(text()));
  if (!showsFocusRing(*this)) return;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme().accent, 1));
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), px(4), px(4));
}

}  // namespace shardlens::ui

#include "moc_link_button.cpp"
