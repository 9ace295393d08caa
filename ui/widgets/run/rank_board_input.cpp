// SPDX-License-Identifier: GPL-3.0-or-later
// How the board answers to mouse and keyboard.
#include "ui/paint/lane_paint.h"
#include "ui/scene/number_text.h"
#include "ui/scene/run/text.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/run/rank_board.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

constexpr double kZoom = 1.25;
constexpr double kPan = 0.2;
constexpr double kNotch = 120;

}  // namespace

double RankBoard::placeInLanes(double x) const {
  const BoardLayout layout = layoutNow();
  return std::clamp((x - layout.lanes_left) / (layout.lanes_right - layout.lanes_left), 0.0, 1.0);
}

qint64 RankBoard::rankAt(QPointF place) const {
  const BoardLayout layout = layoutNow();
  if (const qint64 row = layout.rowAt(place.y(), scrolled()); row >= 0 && row < static_cast<qint64>(rows_.size())) {
    return rows_[static_cast<std::size_t>(row)];
  }
  if (!layout.phase_map.contains(place)) return -1;
  const double share = (place.y() - layout.phase_map.top()) / layout.phase_map.height();
  return std::min(static_cast<qint64>(share * static_cast<double>(rows_.size())),
                  static_cast<qint64>(rows_.size()) - 1);
}

QString RankBoard::tipAt(QPointF place) const {
  const qint64 rank = rankAt(place);
  if (rank < 0 || shown_ == nullptr || rank >= static_cast<qint64>(shown_->lanes.size())) return {};
  const BoardLayout layout = layoutNow();
  if (place.x() < layout.lanes_left || place.x() > layout.lanes_right) {
    if (state_ == nullptr) return {};
    const RankState& one = state_->ranks[static_cast<std::size_t>(rank)];
    return QString("rank %1 on %2, process %3\n%4, %5 lost")
        .arg(rank)
        .arg(QString::fromStdString(one.host))
        .arg(one.pid)
        .arg(countOf(one.samples, "sample"), countOf(one.dropped, "record"));
  }
  const auto ns = window_.begin() + std::llround(placeInLanes(place.x()) * static_cast<double>(window_.span()));
  const Span* span = spanAt(shown_->lanes[static_cast<std::size_t>(rank)], ns);
  if (span == nullptr) return QString("rank %1: not measured").arg(rank);
  return QString("rank %1 · epoch %2 · step %3\n%4 %5")
      .arg(rank)
      .arg(span->epoch)
      .arg(number(span->step), phaseLabel(span->phase), durationText(span->end_ns - span->begin_ns));
}

void RankBoard::wheelEvent(QWheelEvent* event) {
  const QPointF angle = event->angleDelta();
  const bool over_lanes = event->position().x() >= layoutNow().lanes_left;
  if (!over_lanes) {
    if (scroll_->isHidden()) return event->ignore();
    scroll_->setValue(scroll_->value() - static_cast<int>(angle.y() / kNotch * 3 * scroll_->singleStep()));
    return event->accept();
  }
  const bool sideways = event->modifiers() & Qt::ShiftModifier || std::abs(angle.x()) > std::abs(angle.y());
  const double notches = (sideways && angle.x() != 0 ? angle.x() : angle.y()) / kNotch;
  changeWindow([&](TimeWindow& window) {
    if (sideways) {
      window.pan(-notches * kPan / 2);
    } else {
      window.zoom(std::pow(kZoom, -notches), placeInLanes(event->position().x()));
    }
  });
  event->accept();
}

void RankBoard::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  drag_ = event->position();
  dragged_ = false;
}

void RankBoard::mouseMoveEvent(QMouseEvent* event) {
  const BoardLayout layout = layoutNow();
  if (!drag_ || drag_->x() < layout.lanes_left) return;
  constexpr double kDead = 3;  // a click that trembles is no drag
  const double moved = event->position().x() - drag_->x();
  if (!dragged_ && std::abs(moved) < kDead) return;
  dragged_ = true;
  drag_ = event->position();
  changeWindow([&](TimeWindow& window) { window.pan(-moved / (layout.lanes_right - layout.lanes_left)); });
}

void RankBoard::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !drag_) return;
  drag_.reset();
  if (dragged_) return;
  if (const qint64 rank = rankAt(event->position()); rank >= 0) emit rankClicked(rank);
}

void RankBoard::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->position().x() >= layoutNow().lanes_left) changeWindow([](TimeWindow& window) { window.fit(); });
}

void RankBoard::selectByKey(int direction) {
  if (rows_.empty()) return;
  const auto shown = static_cast<qint64>(shownRanks().size());
  const auto found = std::find(rows_.begin(), rows_.end(), selected_.empty() ? -1 : selected_.front());
  qint64 index = found == rows_.end() ? (direction > 0 ? 0 : shown - 1) : found - rows_.begin() + direction;
  index = std::clamp<qint64>(index, 0, shown - 1);
  bringIntoView(rows_[static_cast<std::size_t>(index)]);
  emit rankClicked(rows_[static_cast<std::size_t>(index)]);
}

void RankBoard::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_W:
    case Qt::Key_Plus:
      return changeWindow([](TimeWindow& window) { window.zoom(1 / kZoom, 0.5); });
    case Qt::Key_S:
    case Qt::Key_Minus:
      return changeWindow([](TimeWindow& window) { window.zoom(kZoom, 0.5); });
    case Qt::Key_A:
    case Qt::Key_Left:
      return changeWindow([](TimeWindow& window) { window.pan(-kPan); });
    case Qt::Key_D:
    case Qt::Key_Right:
      return changeWindow([](TimeWindow& window) { window.pan(kPan); });
    case Qt::Key_Home:
      return changeWindow([](TimeWindow& window) { window.fit(); });
    case Qt::Key_0:
      changeWindow([](TimeWindow& window) { window.reset(); });
      return follow();
    case Qt::Key_R:
    case Qt::Key_End:
      return follow();
    case Qt::Key_L:
      return setOrder(order_ == RankOrder::ByRank ? RankOrder::ByLateness : RankOrder::ByRank);
    case Qt::Key_Up:
      return selectByKey(-1);
    case Qt::Key_Down:
      return selectByKey(1);
    default:
      QWidget::keyPressEvent(event);
  }
}

void RankBoard::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

void RankBoard::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) arrange();
}

bool RankBoard::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), tipAt(help->pos()), this);
    return true;
  }
  return QWidget::event(event);
}

}  // namespace shardlens::ui
