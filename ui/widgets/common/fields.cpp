// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/fields.h"

#include "core/spec/field.h"
#include "ui/scene/theme.h"
#include "ui/widgets/common/style.h"

#include <QAbstractItemView>
#include <QAccessible>
#include <QAction>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QEvent>
#include <QFontMetrics>
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

constexpr int kSign = 12;      ///< side of the magnifier
constexpr int kFromEdge = 10;  ///< to what is drawn beside it
constexpr int kApart = 10;     ///< between the words and what is drawn beside them

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
  return {px(kFromEdge) + px(2), (height() - px(kSign)) / 2, px(kSign), px(kSign)};
}

/// Whether the hint has room beside these words.
bool SearchField::fits(const QString& words) const {
  const int hint = hint_.isEmpty() ? 0 : QFontMetrics(smallFont()).horizontalAdvance(hint_) + px(kApart);
  const int from = magnifier_ ? magnifierPlace().right() + px(kGap) : px(kFromEdge);
  return from + fontMetrics().horizontalAdvance(words) + hint <= width() - px(kFromEdge);
}

QRect SearchField::hintPlace() const {
  if (hint_.isEmpty() || !text().isEmpty() || !fits(placeholderText())) return {};
  const int wide = QFontMetrics(smallFont()).horizontalAdvance(hint_);
  return {width() - px(kFromEdge) - wide, 0, wide, height()};
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

SegmentedControl::SegmentedControl(const QStringList& labels, QWidget* parent)
    : QWidget(parent), labels_(labels), hints_(labels) {
  setFocusPolicy(Qt::TabFocus);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setAccessibleName(labels_.value(0));
  setTips(this, [this](QPoint place) { return hints_.value(indexAt(place)); });
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

}  // namespace shardlens::ui

#include "moc_fields.cpp"
