// SPDX-License-Identifier: GPL-3.0-or-later
// What the mouse and the keys do to the Stage.
#include "ui/widgets/common/focus_ring.h"
#include "ui/widgets/stage/stage_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

constexpr double kZoomStep = 1.25;
constexpr int kDragFrom = 4;
/// One notch of a mouse wheel scrolls this many pixels.
constexpr double kNotch = 60;

}  // namespace

void StageView::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  focus_ring_ = showsFocusRing(*this);
  update();
}

void StageView::focusOutEvent(QFocusEvent* /*event*/) {
  focus_ring_ = false;
  update();
}

void StageView::keyPressEvent(QKeyEvent* event) {
  if (!handleViewKey(event) && !handleChoiceKey(event)) QWidget::keyPressEvent(event);
}

bool StageView::handleViewKey(QKeyEvent* event) {
  if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) return false;
  const bool shift = event->modifiers() & Qt::ShiftModifier;
  switch (event->key()) {
    case Qt::Key_W:
    case Qt::Key_S:
      if (shift) {
        zoomRanks(event->key() == Qt::Key_W ? kZoomStep : 1 / kZoomStep);
      } else {
        zoomSteps(event->key() == Qt::Key_W ? kZoomStep : 1 / kZoomStep);
      }
      return true;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      zoomSteps(kZoomStep);
      return true;
    case Qt::Key_Minus:
      zoomSteps(1 / kZoomStep);
      return true;
    case Qt::Key_A:
      panSteps(-steps_.shown() / 8);
      return true;
    case Qt::Key_D:
      panSteps(steps_.shown() / 8);
      return true;
    case Qt::Key_F:
      toggleFit();
      return true;
    default:
      return false;
  }
}

/// Left and Right belong to the playhead until a cell is chosen; Up and Down choose one.
bool StageView::handleChoiceKey(QKeyEvent* event) {
  if ((event->modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier || input_.steps == 0) return false;
  switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
      if (selected_) moveChoice(0, event->key() == Qt::Key_Left ? -1 : 1);
      return selected_.has_value();
    case Qt::Key_Up:
    case Qt::Key_Down:
      moveChoice(event->key() == Qt::Key_Up ? -1 : 1, 0);
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (selected_) emit seekRequested(static_cast<double>(selected_->step));
      return selected_.has_value();
    case Qt::Key_Escape:
      if (selected_) emit choiceCleared();
      return selected_.has_value();
    default:
      return false;
  }
}

void StageView::moveChoice(qint64 ranks, qint64 steps) {
  CellAddress cell{0, std::clamp<qint64>(static_cast<qint64>(position_), 0, input_.steps - 1)};
  if (selected_) {
    cell.rank = std::clamp<qint64>(selected_->rank + ranks, 0, input_.ranks() - 1);
    cell.step = std::clamp<qint64>(selected_->step + steps, 0, input_.steps - 1);
  }
  emit cellChosen(cell);
}

void StageView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return event->ignore();
  pressed_at_ = event->pos();
  pressed_steps_ = steps_;
  pressed_ranks_ = ranks_;
  const int reach = 4;  // an overview is thin: 16 px are aimed at more easily than 8
  if (layout_.steps_overview.adjusted(0, -reach, 0, reach).contains(event->pos()) &&
      !layout_.steps_overview.isEmpty()) {
    drag_ = Drag::StepsOverview;
  } else if (layout_.ranks_overview.adjusted(-reach, 0, reach, 0).contains(event->pos()) &&
             !layout_.ranks_overview.isEmpty()) {
    drag_ = Drag::RanksOverview;
  } else {
    drag_ = Drag::Undecided;
  }
  dragOverview(event->pos());
}

void StageView::dragOverview(QPoint place) {
  if (drag_ == Drag::StepsOverview) {
    const QRect& bar = layout_.steps_overview;
    const double at = (place.x() - bar.left()) / static_cast<double>(bar.width());
    panSteps(at * static_cast<double>(steps_.count) - steps_.shown() / 2 - steps_.first);
  } else if (drag_ == Drag::RanksOverview) {
    const QRect& bar = layout_.ranks_overview;
    const double at = (place.y() - bar.top()) / static_cast<double>(bar.height());
    scrollTo(steps_.first, at * static_cast<double>(ranks_.count) - ranks_.shown() / 2);
  }
}

void StageView::mouseMoveEvent(QMouseEvent* event) {
  dragOverview(event->pos());
  const QPoint moved = event->pos() - pressed_at_;
  if (drag_ == Drag::Undecided && moved.manhattanLength() >= kDragFrom) {
    drag_ = Drag::Pan;
    following_ = false;
    setCursor(Qt::ClosedHandCursor);
  }
  if (drag_ != Drag::Pan) return;
  scrollTo(pressed_steps_.first - moved.x() / steps_.pitch, pressed_ranks_.itemAt(-moved.y()));
}

void StageView::mouseReleaseEvent(QMouseEvent* event) {
  const bool click = drag_ == Drag::Undecided && event->button() == Qt::LeftButton;
  drag_ = Drag::None;
  unsetCursor();
  if (!click) return;
  if (const auto cell = cellAt(event->pos())) {
    emit cellChosen(*cell);
  } else if (const auto rank = rankNameAt(event->pos())) {
    emit rankChosen(*rank);
  } else if (layout_.axis.contains(event->pos())) {
    following_ = true;
    emit seekRequested(steps_.itemAt(event->pos().x() - layout_.cells.left()));
  } else {
    emit choiceCleared();
  }
}

void StageView::mouseDoubleClickEvent(QMouseEvent* event) {
  const auto cell = cellAt(event->pos());
  if (!cell || event->button() != Qt::LeftButton) return;
  following_ = true;
  emit seekRequested(static_cast<double>(cell->step));
}

void StageView::wheelEvent(QWheelEvent* event) {
  const QPointF pixels = event->pixelDelta();
  const double across = pixels.isNull() ? event->angleDelta().x() / 120.0 * kNotch : pixels.x();
  const double down = pixels.isNull() ? event->angleDelta().y() / 120.0 * kNotch : pixels.y();
  const QPointF place = event->position() - layout_.cells.topLeft();
  const bool shift = event->modifiers() & Qt::ShiftModifier;
  const bool alt = event->modifiers() & Qt::AltModifier;  // some platforms turn it sideways
  if (alt || event->modifiers() & Qt::ControlModifier) {
    const double factor = std::pow(kZoomStep, (down + across) / kNotch);
    return alt || shift ? zoomRanks(factor, place.y()) : zoomSteps(factor, place.x());
  }
  // The wheel scrolls the ranks where there are more than fit; sideways, with Shift, or else it scrolls the steps.
  const bool rows = !shift && !ranks_.showsAll();
  if (!rows || across != 0) panSteps(-(across + (rows ? 0 : down)) / steps_.pitch);
  if (rows && down != 0) scrollTo(steps_.first, ranks_.itemAt(-down));
}

bool StageView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto cell = cellAt(help->pos());
  const QString tip = cell ? cellTip(input_, facts_.get(), *cell) : QString();
  tip.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), tip, this, cellOnScreen(*cell));
  return true;
}

}  // namespace shardlens::ui
