// SPDX-License-Identifier: GPL-3.0-or-later
// What moves over the dataset strip and the Stage while it plays.
#include "ui/scene/number_text.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/stage/dataset_strip.h"
#include "ui/widgets/stage/stage_panel.h"
#include "ui/widgets/stage/stage_view.h"

namespace shardlens::ui {

std::vector<Ribbon> StagePanel::ribbonsAtNow(double position) const {
  const QPointF strip_at = strip_->mapTo(this, QPoint());
  const QPointF stage_at = stage_->mapTo(this, QPoint());
  const QRect cells = stage_->cellsOnScreen();
  RibbonPlaces places;
  places.tick = [&](SampleIndex sample) { return strip_at.x() + QRectF(strip_->sampleOnScreen(sample)).center().x(); };
  places.ticks_top = strip_at.y() + strip_->height() - 4;
  places.knots = stage_at.y() + cells.top() - 4;
  places.cell = [&](CellAddress cell) {
    const QRectF place = stage_->cellFrame(cell);
    return place.isEmpty() ? place : place.translated(stage_at);
  };
  places.right = stage_at.x() + cells.right();
  return ribbonsAt(stage_->input(), theme(), position, workspace_.playback.speed(), places);
}

DealFrame StagePanel::dealAtNow(double position) const {
  const QPointF strip_at = strip_->mapTo(this, QPoint());
  const QPointF stage_at = stage_->mapTo(this, QPoint());
  const FlightPlaces places{
      [&](SampleIndex sample) { return QRectF(strip_->sampleOnScreen(sample)).translated(strip_at); },
      [&](CellAddress cell) {
        const QRectF place = stage_->cellFrame(cell);
        return place.isEmpty() ? place : place.translated(stage_at);
      }};
  return dealAt(stage_->input(), facts_.get(), stage_->colour(), theme(), position, workspace_.playback.speed(),
                places);
}

/// Beside what was handed out, where there is room for it: the words there never move because of it.
void StagePanel::showInFlight(qint64 samples) {
  const QString words = samples > 0 ? tr("%1 in flight").arg(number(samples)) : QString();
  const bool fits = in_flight_->fontMetrics().horizontalAdvance(words) + 2 <= in_flight_->width();
  in_flight_->setFullText(fits ? words : QString());
}

}  // namespace shardlens::ui
