// SPDX-License-Identifier: GPL-3.0-or-later
// Over the end of an epoch: the strip empties, and the order of the next epoch is seen once.
#include "ui/state/workspace.h"
#include "ui/widgets/stage/dataset_strip.h"
#include "ui/widgets/stage/flight_overlay.h"
#include "ui/widgets/stage/stage_panel.h"
#include "ui/widgets/stage/stage_view.h"

#include <QVariantAnimation>

namespace shardlens::ui {

/// The strip stays full until the next epoch is there; then it empties, and nothing is dealt meanwhile.
void StagePanel::beginTurn(qint64 epoch) {
  const Playback& playback = workspace_.playback;
  const bool is_next = epoch == stage_->input().epochNumber() + 1 || epoch == 0;
  const bool is_followed =
      isVisible() && playback.isPlaying() && playback.speed() <= kFastestFlight && !reduced_motion_;
  if (!is_next || !is_followed || stage_->input().isEmpty() || facts_ == nullptr) return endTurn();
  turn_->stop();
  strip_->keepFull();
  turn_to_ = epoch;
}

void StagePanel::runTurn() {
  if (!turn_to_) return;
  if (*turn_to_ != stage_->input().epochNumber()) return;
  turn_to_.reset();
  turn_->start();
  holdWhileComputing();
}

void StagePanel::showTurn() {
  const double progress = turn_->currentValue().toDouble();
  strip_->setEmptied(progress);
  const QPointF strip_at = strip_->mapTo(this, QPoint());
  const QPointF stage_at = stage_->mapTo(this, QPoint());
  TurnPlaces places;
  places.tick = [&](SampleIndex sample) { return strip_at.x() + QRectF(strip_->sampleOnScreen(sample)).center().x(); };
  places.top = strip_at.y() + strip_->height() - 4;
  places.bottom = stage_at.y() + stage_->cellsOnScreen().top() - 4;
  places.left = strip_at.x();
  places.width = strip_->width();
  overlay_->setTurn(turnAt(stage_->input(), theme(), progress, places));
}

void StagePanel::endTurn() {
  turn_to_.reset();
  turn_->stop();
  strip_->setEmptied(1);
  overlay_->setTurn({});
  holdWhileComputing();
}

bool StagePanel::isTurning() const {
  return turn_to_.has_value() || turn_->state() == QAbstractAnimation::Running;
}

}  // namespace shardlens::ui
