// SPDX-License-Identifier: GPL-3.0-or-later
// How the board answers to mouse and keyboard.
#include "ui/paint/lane_paint.h"
#include "ui/scene/number_text.h"
#include "ui/scene/run/text.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/run/rank_board.h"
#include "ui/widgets/run/time_input.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

constexpr double kNotch = 120;

}  // namespace

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

std::optional<RankBoard::LanePlace> RankBoard::laneAt(qint64 rank, double x) const {
  const QRectF lanes = lanesArea(layoutNow());
  if (rank < 0 || rank >= static_cast<qint64>(lanes_.ranks()) || x < lanes.left() || x > lanes.right())
    return std::nullopt;
  LanePlace place{lanes_.of(static_cast<std::size_t>(rank)), window().momentAt(x - lanes.left(), lanes.width())};
  if (place.ns <= place.source.over_ns) place.span = spanAt(place.source, place.ns);
  return place;
}

/// The step that a rank was in at that place of its lane; nothing where none is known.
std::optional<Selected> RankBoard::stepAt(QPointF place) const {
  const qint64 rank = rankAt(place);
  const auto lane = laneAt(rank, place.x());
  if (!lane || lane->span == nullptr || lane->span->phase == Phase::Unmeasured || !knowsSteps()) return std::nullopt;
  Selected selected;
  selected.ranks = {rank};
  selected.epoch = lane->span->epoch;
  selected.step = lane->span->step;
  return selected;
}

/// A prediction does; of a run, its records say.
bool RankBoard::knowsSteps() const {
  return state_ == nullptr || state_->hasSteps();
}

QString RankBoard::tipAt(QPointF place) const {
  const qint64 rank = rankAt(place);
  if (rank < 0 || rank >= static_cast<qint64>(lanes_.ranks())) return {};
  const auto lane = laneAt(rank, place.x());
  if (!lane) return state_ == nullptr ? QString() : rankTip(rank);
  if (lane->ns > lane->source.over_ns) return phrase("run", "rank %1 has ended").arg(rank);
  if (lane->span == nullptr) return phrase("run", "rank %1: not measured").arg(rank);
  const Span& span = *lane->span;
  const QString in = phaseLabel(span.phase) + ' ' + durationText(span.end_ns - span.begin_ns);
  if (!knowsSteps()) return phrase("run", "rank %1: %2").arg(QString::number(rank), in);
  return phrase("run", "rank %1 · epoch %2 · step %3\n%4 %5")
      .arg(rank)
      .arg(span.epoch)
      .arg(number(span.step), phaseLabel(span.phase), durationText(span.end_ns - span.begin_ns));
}

QString RankBoard::rankTip(qint64 rank) const {
  const RankState& one = state_->ranks[static_cast<std::size_t>(rank)];
  const RankRow row = rowOf(rank);
  return phrase("run", "rank %1 on %2, process %3\nstep %4, %5 samples/s: %6\n%7, %8 lost")
      .arg(QString::number(rank), text(one.host), QString::number(one.pid), row.step, row.rate, row.now,
           countOf(one.samples, "sample"), countOf(one.dropped, "record"));
}

void RankBoard::wheelEvent(QWheelEvent* event) {
  const QPointF angle = event->angleDelta();
  const bool over_lanes = event->position().x() >= layoutNow().lanes_left;
  if (!over_lanes) {
    if (scroll_->isHidden()) return event->ignore();
    scroll_->setValue(scroll_->value() - static_cast<int>(angle.y() / kNotch * 3 * scroll_->singleStep()));
    return event->accept();
  }
  input_.wheel(*event, lanesArea(layoutNow()));
}

void RankBoard::mousePressEvent(QMouseEvent* event) {
  input_.press(*event);
}

void RankBoard::mouseMoveEvent(QMouseEvent* event) {
  if (input_.move(*event, lanesArea(layoutNow()))) update();
}

void RankBoard::mouseReleaseEvent(QMouseEvent* event) {
  const TimeInput::Released released = input_.release(*event, lanesArea(layoutNow()));
  if (released == TimeInput::Released::Brush) return update();
  if (released != TimeInput::Released::Click) return;
  if (const auto step = stepAt(event->position())) return emit placeClicked(*step);
  if (const qint64 rank = rankAt(event->position()); rank >= 0) emit rankClicked(rank);
}

void RankBoard::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->position().x() < layoutNow().lanes_left) return;
  view_->change([this](TimeWindow& window) { state_ == nullptr ? window.fit() : window.reset(); });
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
  if (input_.key(*event)) return update();
  switch (event->key()) {
    case Qt::Key_0:
      return view_->change([](TimeWindow& window) { window.reset(); });
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
  if (state_ != nullptr && !order_chosen_) {
    const RankOrder before = order_;
    chooseOrder();
    if (order_ != before) sortRows();
  }
  arrange();
}

void RankBoard::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) arrange();
}

}  // namespace shardlens::ui
