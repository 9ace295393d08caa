// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/start/tour.h"

#include "ui/scene/theme.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/sheet.h"
#include "ui/widgets/common/style.h"

#include <QAccessible>
#include <QApplication>
#include <QFrame>
#include <QKeyEvent>
#include <QPainter>
#include <QPushButton>

#include <algorithm>
#include <array>
#include <utility>

namespace shardlens::ui {
namespace {

constexpr int kAway = 12;   ///< from the part that it is about
constexpr int kAround = 2;  ///< of the part is seen, too

}  // namespace

Tour::Tour(std::vector<TourStop> stops, QWidget* window)
    : QWidget(window),
      stops_(std::move(stops)),
      card_(new QFrame(this)),
      title_(textLabel({}, "", card_)),
      text_(textLabel({}, "", card_)),
      count_(textLabel({}, "muted", card_)),
      skip_(new QPushButton(tr("Skip (Esc)"), card_)),
      next_(new QPushButton(card_)) {
  setObjectName("tour");
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_DeleteOnClose);
  build();
  window->installEventFilter(this);
  hide();
}

void Tour::build() {
  setSurface(card_, "sheet");
  setLook(title_, "role", "title");
  text_->setWordWrap(true);
  text_->setTextFormat(Qt::PlainText);
  skip_->setObjectName("tour:skip");
  next_->setObjectName("tour:next");
  setLook(skip_, "role", "quiet");
  setLook(next_, "role", "primary");
  for (QPushButton* button : {skip_, next_}) button->setFocusPolicy(Qt::NoFocus);  // the keys are those of the tour
  connect(skip_, &QPushButton::clicked, this, &Tour::end);
  connect(next_, &QPushButton::clicked, this, &Tour::next);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(count_);
  buttons->addStretch(1);
  addAll(buttons, {skip_, next_});
  auto* column = columnIn(card_, {px(kMargin), px(14), px(kMargin), px(14)}, px(kGap));
  addAll(column, {title_, text_});
  column->addSpacing(px(4));
  column->addLayout(buttons);
}

void Tour::begin() {
  before_ = QApplication::focusWidget();
  setGeometry(parentWidget()->rect());
  show();
  raise();
  goTo(0);
  setFocus(Qt::PopupFocusReason);
}

void Tour::goTo(std::size_t stop) {
  current_ = stop;
  part_ = stops_[stop].show();
  title_->setText(stops_[stop].title);
  text_->setText(stops_[stop].text);
  count_->setText(tr("%1 of %2").arg(stop + 1).arg(stops_.size()));
  next_->setText(stop + 1 < stops_.size() ? tr("Next (Enter)") : tr("Done (Enter)"));
  setAccessibleName(stops_[stop].title);
  setAccessibleDescription(stops_[stop].text);
  place();
  QAccessibleEvent said(this, QAccessible::Alert);
  QAccessible::updateAccessibility(&said);
}

void Tour::end() {
  hide();
  if (before_ != nullptr) before_->setFocus(Qt::PopupFocusReason);
  close();
}

void Tour::place() {
  setGeometry(parentWidget()->rect());
  spot_ = {};
  if (part_ != nullptr && part_->isVisible()) {
    const int more = px(kAround);
    spot_ = QRect(part_->mapTo(parentWidget(), QPoint()), part_->size()).adjusted(-more, -more, more, more) & rect();
  }
  const int width = std::min(px(300), this->width() - 2 * px(kAway));
  card_->setGeometry(placeOfCard({width, card_->heightForWidth(width)}));
  setMask(QRegion(rect()) - spot_ + card_->geometry());  // the part itself can be used
  update();
  if (part_ == nullptr) return;
  // Qt repaints what the mask uncovers, but no widget that paints all of itself: the shade would stay on those.
  part_->update();
  for (QWidget* inside : part_->findChildren<QWidget*>()) inside->update();
}

/// Beside the part where there is most room, and always inside the window.
QRect Tour::placeOfCard(const QSize& size) const {
  const int away = px(kAway);
  const QPoint middle = spot_.isEmpty() ? rect().center() : spot_.center();
  const int right = width() - spot_.right();
  const int below = height() - spot_.bottom();
  const std::array<std::pair<int, QPoint>, 4> sides = {{
      {right - size.width(), {spot_.right() + away, middle.y() - size.height() / 2}},
      {spot_.left() - size.width(), {spot_.left() - away - size.width(), middle.y() - size.height() / 2}},
      {spot_.top() - size.height(), {middle.x() - size.width() / 2, spot_.top() - away - size.height()}},
      {below - size.height(), {middle.x() - size.width() / 2, spot_.bottom() + away}},
  }};
  const auto best = std::ranges::max_element(sides, {}, &std::pair<int, QPoint>::first);
  const QPoint corner = spot_.isEmpty() ? middle - QPoint(size.width(), size.height()) / 2 : best->second;
  return {QPoint(std::clamp(corner.x(), away, std::max(away, width() - size.width() - away)),
                 std::clamp(corner.y(), away, std::max(away, height() - size.height() - away))),
          size};
}

bool Tour::event(QEvent* event) {
  // A key that is not the tour's is no shortcut of the window below.
  if (event->type() == QEvent::ShortcutOverride) event->accept();
  return QWidget::event(event);
}

bool Tour::eventFilter(QObject* watched, QEvent* event) {
  const bool moved = event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest;
  if (watched == parentWidget() && moved && isVisible()) place();
  return QWidget::eventFilter(watched, event);
}

void Tour::keyPressEvent(QKeyEvent* event) {
  event->accept();
  switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Right:
      return next();
    case Qt::Key_Left:
    case Qt::Key_Backspace:
      if (current_ > 0) goTo(current_ - 1);
      return;
    case Qt::Key_Escape:
      return end();
    case Qt::Key_Space:
      return event->ignore();  // plays, as the tour says
    default:
      return;
  }
}

void Tour::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  paintShade(painter, rect());
  if (spot_.isEmpty()) return;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme().accent, 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(spot_.adjusted(-1, -1, 0, 0));
}

}  // namespace shardlens::ui

#include "moc_tour.cpp"
