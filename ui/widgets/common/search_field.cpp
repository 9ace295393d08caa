// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/search_field.h"

#include "ui/scene/theme.h"
#include "ui/widgets/common/metrics.h"

#include <QEvent>
#include <QFontMetrics>
#include <QPainter>

namespace shardlens::ui {
namespace {

constexpr int kSign = 12;   ///< side of the magnifier
constexpr int kInset = 10;  ///< from an edge to what is drawn there
constexpr int kApart = 10;  ///< between the words and what is drawn beside them

}  // namespace

SearchField::SearchField(QWidget* parent) : QLineEdit(parent) {
  connect(this, &QLineEdit::textChanged, this, [this] { arrange(); });
}

void SearchField::setWords(const QString& words, const QString& brief) {
  words_ = words;
  brief_ = brief;
  arrange();
}

void SearchField::setMagnifier(bool shown) {
  magnifier_ = shown;
  arrange();
}

void SearchField::setHint(const QString& hint) {
  hint_ = hint;
  arrange();
}

QRect SearchField::magnifierPlace() const {
  if (!magnifier_) return {};
  return {px(kInset) + px(2), (height() - px(kSign)) / 2, px(kSign), px(kSign)};
}

/// Whether the hint has room beside these words.
bool SearchField::fits(const QString& words) const {
  const int hint = hint_.isEmpty() ? 0 : QFontMetrics(smallFont()).horizontalAdvance(hint_) + px(kApart);
  const int from = magnifier_ ? magnifierPlace().right() + px(kGap) : px(kInset);
  return from + fontMetrics().horizontalAdvance(words) + hint <= width() - px(kInset);
}

QRect SearchField::hintPlace() const {
  if (hint_.isEmpty() || !text().isEmpty() || !fits(placeholderText())) return {};
  const int wide = QFontMetrics(smallFont()).horizontalAdvance(hint_);
  return {width() - px(kInset) - wide, 0, wide, height()};
}

/// What is typed keeps clear of what is drawn.
void SearchField::arrange() {
  if (!words_.isEmpty()) setPlaceholderText(fits(words_) ? words_ : brief_);
  const QRect hint = hintPlace();
  const int left = magnifier_ ? px(kSign) + px(kGap) : 0;
  const int right = hint.isEmpty() ? 0 : hint.width() + px(kApart) / 2;
  setTextMargins(left, 0, right, 0);
  update();
}

void SearchField::paintEvent(QPaintEvent* event) {
  QLineEdit::paintEvent(event);
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  if (const QRect place = magnifierPlace(); !place.isEmpty()) {
    painter.setPen(QPen(theme().muted, px(15) / 10.0, Qt::SolidLine, Qt::RoundCap));
    const double glass = place.width() * 0.68;
    painter.drawEllipse(QRectF(place.left() + 0.5, place.top() + 0.5, glass, glass));
    const double edge = 0.5 + glass * 0.86;
    painter.drawLine(QPointF(place.left() + edge, place.top() + edge),
                     QPointF(place.right() + 0.5, place.bottom() + 0.5));
  }
  if (const QRect place = hintPlace(); !place.isEmpty()) {
    painter.setFont(smallFont());
    painter.setPen(theme().muted);
    painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter, hint_);
  }
}

void SearchField::resizeEvent(QResizeEvent* event) {
  QLineEdit::resizeEvent(event);
  arrange();
}

void SearchField::changeEvent(QEvent* event) {
  QLineEdit::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) arrange();
}

}  // namespace shardlens::ui
