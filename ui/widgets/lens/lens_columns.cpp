// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/lens/lens_columns.h"

#include "ui/scene/theme.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/lens/lens_column_view.h"
#include "ui/widgets/stage/stage_view.h"

#include <QAbstractButton>
#include <QLinearGradient>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

constexpr int kColumn = 182;
constexpr int kBetween = 9;
constexpr int kAfterGround = 8;  ///< beyond the usual gap, for the soft edge
constexpr int kTop = 10;
constexpr int kEdge = 7;
constexpr double kNotch = 120;

/// A shadow that says: what is at its right goes on under what is at its left.
class SoftEdge : public QWidget {
 public:
  explicit SoftEdge(QWidget* parent) : QWidget(parent) { setAttribute(Qt::WA_TransparentForMouseEvents); }

 protected:
  void paintEvent(QPaintEvent* /*event*/) override {
    QPainter painter(this);
    QLinearGradient shade(0, 0, width(), 0);
    QColor dark(Qt::black);
    dark.setAlphaF(theme().dark ? 0.4F : 0.12F);
    shade.setColorAt(0, dark);
    dark.setAlphaF(0);
    shade.setColorAt(1, dark);
    painter.fillRect(rect(), shade);
    painter.fillRect(QRect(0, 0, 1, height()), theme().hairline);
  }
};

}  // namespace

LensColumns::LensColumns(QWidget* parent)
    : QWidget(parent), ground_(new QWidget(this)), scroll_(new QScrollArea(this)), strip_(new QWidget) {
  setLook(ground_, "surface", "panel");
  ground_->setAttribute(Qt::WA_StyledBackground);
  scroll_->setObjectName("lens:others");
  scroll_->setWidget(strip_);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setFocusPolicy(Qt::NoFocus);
  edge_ = new SoftEdge(this);
}

int LensColumns::roomForColumns() const {
  return width() - 2 * px(kMargin) - px(kAfterGround);
}

int LensColumns::fitting() const {
  const int gap = px(kBetween);
  return std::max(2, (roomForColumns() + gap) / (px(kColumn) + gap));
}

bool LensColumns::scrolls() const {
  return static_cast<int>(columns_.size()) > fitting();
}

/// From a column to the next. Columns share the width; those that do not all fit are as wide as lets none in sight be
/// cut.
double LensColumns::pitch() const {
  const int beside = std::clamp(static_cast<int>(columns_.size()), 1, fitting());
  return static_cast<double>(roomForColumns() + px(kBetween)) / beside;
}

int LensColumns::columnWidth() const {
  return std::max(1, static_cast<int>(pitch()) - px(kBetween));
}

void LensColumns::setColumns(const std::vector<LensColumnView*>& columns, std::size_t standing) {
  QWidget* focused = window()->focusWidget();  // a column that changes its ground would lose it
  columns_ = columns;
  standing_ = std::min(standing, columns.size());
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    QWidget* place = i < standing_ ? ground_ : strip_;
    if (columns_[i]->parentWidget() != place) {
      columns_[i]->setParent(place);
      columns_[i]->stage()->removeEventFilter(this);
      columns_[i]->stage()->installEventFilter(this);
    }
    columns_[i]->show();
    if (focused != nullptr && columns_[i]->isAncestorOf(focused)) focused->setFocus(Qt::OtherFocusReason);
  }
  orderTabs();
  arrange();
}

/// Tab goes through the columns as they stand.
void LensColumns::orderTabs() {
  QWidget* last = nullptr;
  for (const LensColumnView* column : columns_) {
    for (QWidget* part : {static_cast<QWidget*>(column->menuButton()), static_cast<QWidget*>(column->stopButton()),
                          static_cast<QWidget*>(column->stage()), static_cast<QWidget*>(column->useButton())}) {
      if (last != nullptr) setTabOrder(last, part);
      last = part;
    }
  }
}

void LensColumns::arrange() {
  if (columns_.empty()) return;
  const auto at = [each = pitch()](int place) { return static_cast<int>(std::lround(place * each)); };
  const int left = px(kMargin);
  const auto standing = static_cast<int>(standing_);
  const int ground_width = left + at(standing);
  ground_->setGeometry(0, 0, ground_width, height());
  const int others_from = ground_width + px(kAfterGround);
  scroll_->setGeometry(others_from, 0, std::max(0, width() - left - others_from), height());
  scroll_->setVisible(columns_.size() > standing_);
  const int bar = scrolls() ? scroll_->horizontalScrollBar()->sizeHint().height() : 0;
  const int high = height() - px(kTop) - bar;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const int place = static_cast<int>(i) - (i < standing_ ? 0 : standing);
    columns_[i]->setGeometry(at(place) + (i < standing_ ? left : 0), px(kTop), columnWidth(), high);
  }
  const int others = static_cast<int>(columns_.size()) - standing;
  strip_->setFixedSize(std::max(1, at(others) - px(kBetween)), height() - bar);
  edge_->setGeometry(ground_width, 0, px(kEdge), height());
  edge_->raise();
  alignRows();
}

void LensColumns::alignRows() {
  LensColumnView::Heights heights;
  for (const LensColumnView* column : columns_) heights.include(column->wanted(columnWidth()));
  for (LensColumnView* column : columns_) column->setHeights(heights);
}

void LensColumns::reveal(LensColumnView& column) {
  if (strip_->isAncestorOf(&column)) scroll_->ensureWidgetVisible(&column, 0, 0);
}

int LensColumns::placeAt(QPoint global) const {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const int x = columns_[i]->mapFromGlobal(global).x();
    if (x >= 0 && x < columns_[i]->width() && columns_[i]->visibleRegion().boundingRect().contains(x, 1)) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

/// One notch is one column.
bool LensColumns::scrollBy(const QWheelEvent& event) {
  if (!scrolls() || (event.modifiers() & (Qt::ControlModifier | Qt::ShiftModifier)) != 0) return false;
  const QPoint pixels = event.pixelDelta();
  const QPoint angle = event.angleDelta();
  const bool fine = !pixels.isNull();
  const QPoint delta = fine ? pixels : angle;
  const double turned = std::abs(delta.x()) > std::abs(delta.y()) ? delta.x() : delta.y();
  const double each = pitch();
  QScrollBar* bar = scroll_->horizontalScrollBar();
  bar->setValue(bar->value() - static_cast<int>(std::lround(fine ? turned : turned / kNotch * each)));
  return true;
}

void LensColumns::wheelEvent(QWheelEvent* event) {
  event->setAccepted(scrollBy(*event));
}

bool LensColumns::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Wheel && scrollBy(*static_cast<QWheelEvent*>(event))) return true;
  return QWidget::eventFilter(watched, event);
}

void LensColumns::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

}  // namespace shardlens::ui

#include "moc_lens_columns.cpp"
