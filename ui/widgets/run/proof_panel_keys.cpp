// SPDX-License-Identifier: GPL-3.0-or-later
// The proof by keyboard: one cell has the focus.
#include "ui/scene/theme.h"
#include "ui/widgets/run/proof_panel.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

namespace shardlens::ui {

/// Before anybody has moved it: the selected cell, else the first one.
std::optional<ProofView::Spot> ProofView::cursor(const ProofScene& shown) const {
  if (state_ == nullptr || shown.columns == 0) return std::nullopt;
  const auto ranks = static_cast<qint64>(state_->ranks.size());
  const qint64 selected_rank = selected_.ranks.empty() ? 0 : selected_.ranks.front();
  const qint64 selected_step = globalStepOf(selected_, facts_.get()).value_or(shown.first_step);
  const auto [rank, step] = cursor_.value_or(std::pair(selected_rank, selected_step));
  const qint64 last_step = shown.stepOf(shown.columns - 1);
  const int column = shown.columnOf(std::clamp(step, shown.first_step, last_step));
  return spotOf(shown, shown.rowOf(std::clamp<qint64>(rank, 0, ranks - 1), ranks), std::max(0, column));
}

void ProofView::moveCursor(int rows, int columns) {
  const ProofScene shown = scene();
  const auto from = cursor(shown);
  if (!from) return;
  const int row = std::clamp(from->row + rows, 0, shown.rows - 1);
  const int column = std::clamp(from->column + columns, 0, shown.columns - 1);
  cursor_ = {spotOf(shown, row, column).first, shown.stepOf(column)};
  focus_ring_ = true;
  describe();
  update();
}

void ProofView::describe() {
  if (!hasFocus() && !cursor_) return;
  const ProofScene shown = scene();
  const auto spot = cursor(shown);
  const QString words = spot ? wordsFor(shown, *spot) : QString();
  if (words != accessibleDescription()) setAccessibleDescription(words);
}

void ProofView::keyPressEvent(QKeyEvent* event) {
  const ProofScene shown = scene();
  const int all_rows = event->modifiers().testFlag(Qt::ControlModifier) ? shown.rows : 0;
  switch (event->key()) {
    case Qt::Key_Left:
      return moveCursor(0, -1);
    case Qt::Key_Right:
      return moveCursor(0, 1);
    case Qt::Key_Up:
      return moveCursor(-1, 0);
    case Qt::Key_Down:
      return moveCursor(1, 0);
    case Qt::Key_Home:
      return moveCursor(-all_rows, -shown.columns);
    case Qt::Key_End:
      return moveCursor(all_rows, shown.columns);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
      if (const auto spot = cursor(shown)) return choose(*spot);
      break;
    default:
      break;
  }
  QWidget::keyPressEvent(event);
}

void ProofView::focusInEvent(QFocusEvent* event) {
  focus_ring_ = event->reason() != Qt::MouseFocusReason && event->reason() != Qt::ActiveWindowFocusReason;
  describe();
  update();
}

void ProofView::focusOutEvent(QFocusEvent* /*event*/) {
  focus_ring_ = false;
  update();
}

/// Around the cell; a cell of few pixels gets room for it.
void ProofView::paintCursor(QPainter& painter, const ProofScene& shown) const {
  const auto spot = focus_ring_ ? cursor(shown) : std::nullopt;
  if (!spot) return;
  QRectF ring = shown.rect(spot->row, spot->column).adjusted(-2, -2, 2, 2);
  constexpr double kLeast = 9;
  const double more_x = std::max(0.0, kLeast - ring.width()) / 2;
  const double more_y = std::max(0.0, kLeast - ring.height()) / 2;
  ring.adjust(-more_x, -more_y, more_x, more_y);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme().accent, 2));
  painter.drawRoundedRect(ring, 2, 2);
}

}  // namespace shardlens::ui
