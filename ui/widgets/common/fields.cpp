// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/fields.h"

#include "core/spec/field.h"
#include "ui/scene/theme.h"
#include "ui/widgets/common/metrics.h"

#include <QAbstractItemView>
#include <QAction>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QPainterPath>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QWheelEvent>

#include <algorithm>
#include <memory>

namespace shardlens::ui {
namespace {

constexpr qint64 kBigStep = 10;
constexpr int kArrowsWidth = 20;
constexpr int kLeastLine = 14;  ///< height of a choice's text, in pixels

/// A chevron of 7 x 3.5 px around `centre`; up or down.
void drawChevron(QPainter& painter, QPointF centre, bool up) {
  const double half = px(7) / 2.0;
  const double tip = (up ? -1 : 1) * half / 2;
  QPainterPath path(centre + QPointF(-half, -tip));
  path.lineTo(centre + QPointF(0, tip));
  path.lineTo(centre + QPointF(half, -tip));
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme().muted, 1.3, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.drawPath(path);
}

}  // namespace

std::optional<qint64> wholeNumber(const QString& text) {
  const auto value = parseValue(Field{}, text.trimmed().toStdString());
  if (!value) return std::nullopt;
  return std::get<std::int64_t>(*value);
}

NumberField::NumberField(QWidget* parent) : QLineEdit(parent) {
  setTextMargins(0, 0, px(kArrowsWidth) - px(kGap), 0);
}

void NumberField::setUnit(const QString& unit) {
  if (unit == unit_) return;
  unit_ = unit;
  update();
}

void NumberField::paintUnit(QPainter& painter) {
  const QFontMetrics metrics(smallFont());
  const QRect room =
      rect().adjusted(px(10) + fontMetrics().horizontalAdvance(text() + "00"), 0, -px(kArrowsWidth + 2), 0);
  if (unit_.isEmpty() || metrics.horizontalAdvance(unit_) > room.width()) return;
  painter.setFont(smallFont());
  painter.setPen(theme().muted);
  painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter, unit_);
}

QRect NumberField::arrows() const {
  return {width() - px(kArrowsWidth), 0, px(kArrowsWidth), height()};
}

void NumberField::paintEvent(QPaintEvent* event) {
  QLineEdit::paintEvent(event);
  QPainter painter(this);
  paintUnit(painter);
  const QPointF centre = QRectF(arrows()).center();
  drawChevron(painter, centre - QPointF(1, px(4)), true);
  drawChevron(painter, centre + QPointF(-1, px(4)), false);
}

void NumberField::step(qint64 steps) {
  if (!stepper_ || isReadOnly()) return;
  const QString next = stepper_(text(), steps);
  if (next.isEmpty()) return;
  setText(next);
  emit stepped(next);
}

void NumberField::keyPressEvent(QKeyEvent* event) {
  const qint64 size = event->modifiers() & Qt::ShiftModifier ? kBigStep : 1;
  switch (event->key()) {
    case Qt::Key_Up:
      return step(size);
    case Qt::Key_Down:
      return step(-size);
    case Qt::Key_PageUp:
      return step(kBigStep);
    case Qt::Key_PageDown:
      return step(-kBigStep);
    default:
      QLineEdit::keyPressEvent(event);
  }
}

void NumberField::wheelEvent(QWheelEvent* event) {
  if (!hasFocus() || event->angleDelta().y() == 0) return event->ignore();
  step(event->angleDelta().y() > 0 ? 1 : -1);
  event->accept();
}

void NumberField::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !arrows().contains(event->pos())) return QLineEdit::mousePressEvent(event);
  const qint64 size = event->modifiers() & Qt::ShiftModifier ? kBigStep : 1;
  step(event->pos().y() < height() / 2 ? size : -size);
}

void NumberField::mouseMoveEvent(QMouseEvent* event) {
  setCursor(arrows().contains(event->pos()) ? Qt::ArrowCursor : Qt::IBeamCursor);
  QLineEdit::mouseMoveEvent(event);
}

void ListField::pasteText() {
  const QString pasted = QGuiApplication::clipboard()->text();
  const qsizetype begin = hasSelectedText() ? selectionStart() : cursorPosition();
  const qsizetype replaced = selectedText().size();
  if (text().size() - replaced + pasted.size() < maxLength()) return paste();
  emit pastedLong(text().replace(begin, replaced, pasted));
}

void ListField::keyPressEvent(QKeyEvent* event) {
  if (!event->matches(QKeySequence::Paste)) return QLineEdit::keyPressEvent(event);
  pasteText();
  event->accept();
}

void ListField::contextMenuEvent(QContextMenuEvent* event) {
  const std::unique_ptr<QMenu> menu(createStandardContextMenu());
  if (auto* action = menu->findChild<QAction*>("edit-paste")) {
    action->disconnect();
    connect(action, &QAction::triggered, this, &ListField::pasteText);
  }
  menu->exec(event->globalPos());
}

ChoiceField::ChoiceField(QWidget* parent) : QComboBox(parent) {
  setMinimumContentsLength(4);
  setFocusPolicy(Qt::StrongFocus);
}

/// What AdjustToMinimumContentsLengthWithIcon gives, unless another policy is chosen. Setting that one makes the list
/// of the popup at once: 1 ms for each choice of a form.
QSize ChoiceField::sizeHint() const {
  if (sizeAdjustPolicy() != QComboBox::AdjustToContentsOnFirstShow) return QComboBox::sizeHint();
  ensurePolished();
  const int text = minimumContentsLength() * fontMetrics().horizontalAdvance(QLatin1Char('X'));
  const int height = std::max({qCeil(QFontMetricsF(font()).height()), kLeastLine, iconSize().height()}) + 2;
  QStyleOptionComboBox option;
  initStyleOption(&option);
  return style()->sizeFromContents(QStyle::CT_ComboBox, &option, {text + iconSize().width() + 4, height}, this);
}

QSize ChoiceField::minimumSizeHint() const {
  return sizeAdjustPolicy() != QComboBox::AdjustToContentsOnFirstShow ? QComboBox::minimumSizeHint() : sizeHint();
}

void ChoiceField::paintEvent(QPaintEvent*) {
  QStylePainter painter(this);
  QStyleOptionComboBox option;
  initStyleOption(&option);
  painter.drawComplexControl(QStyle::CC_ComboBox, option);
  if (!isEditable()) {
    const QRect room = rect().adjusted(px(10), 0, -px(kArrowsWidth), 0);
    painter.setPen(isEnabled() ? theme().text : theme().faint);
    // What stands behind a middle dot gives way first.
    QString line = currentText();
    if (fontMetrics().horizontalAdvance(line) > room.width()) line = line.section(QStringLiteral(" · "), 0, 0);
    painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft,
                     fontMetrics().elidedText(line, Qt::ElideRight, room.width()));
  }
  drawChevron(painter, {width() - px(kArrowsWidth) / 2.0 - 1, height() / 2.0}, false);
}

void ChoiceField::showPopup() {
  if (popup_) return popup_();
  view()->setMinimumWidth(view()->sizeHintForColumn(0) + px(2 * kGap + kArrowsWidth));
  QComboBox::showPopup();
}

void ChoiceField::wheelEvent(QWheelEvent* event) {
  if (hasFocus()) {
    QComboBox::wheelEvent(event);
  } else {
    event->ignore();
  }
}

}  // namespace shardlens::ui

#include "moc_fields.cpp"
