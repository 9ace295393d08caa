// SPDX-License-Identifier: GPL-3.0-or-later
// What moves over the dataset strip and the Stage while it plays.
#include "ui/scene/number_text.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/stage/dataset_strip.h"
#include "ui/widgets/stage/flight_overlay.h"
#include "ui/widgets/stage/stage_panel.h"
#include "ui/widgets/stage/stage_view.h"
#include "ui/widgets/stage/step_glide.h"

#include <cmath>
#include <utility>

namespace shardlens::ui {
namespace {

/// With one on either side, as pixels are rounded.
RanksInView inView(const StageAxis& ranks) {
  const StageAxis::Items seen = ranks.inView();
  return {seen.first - 1, seen.last + 1};
}

}  // namespace

bool StagePanel::isGliding() const {
  return glide_->state() == QAbstractAnimation::Running;
}

bool StagePanel::isSettled() const {
  return !isGliding() && !isTurning();
}

/// One step at a time is dealt as fast as it glides, however fast the design plays.
double StagePanel::dealSpeed() const {
  return isGliding() ? StepGlide::kStepsPerSecond : workspace_.playback.speed();
}

void StagePanel::playheadMoved() {
  const Playback& playback = workspace_.playback;
  const bool in_same_epoch = std::exchange(last_epoch_, playback.epoch()) == playback.epoch();
  const double from = std::exchange(last_position_, playback.position());
  const bool by_hand = in_same_epoch && !playback.isPlaying();
  was_stepped_ = by_hand && playback.position() == std::floor(from) + 1;
  const bool glides = by_hand && !reduced_motion_;
  glides ? glide_->follow(from, playback.position()) : glide_->stop();
  showPlayhead();
}

/// Nothing hangs in the air while it is paused: what has left its place arrives, what has not goes back.
void StagePanel::playingChanged() {
  Playback& playback = workspace_.playback;
  const double paused = playback.position();
  const double end = StepGlide::settled(paused);
  if (playback.isPlaying() || end == paused) return showPlayhead();
  const bool flew = playback.speed() <= kFastestFlight && !reduced_motion_;
  playback.seek(playback.epoch(), end);
  if (flew) glide_->settle(paused);
  showPlayhead();
}

void StagePanel::showPlayhead() {
  const Playback& playback = workspace_.playback;
  const bool here = stage_->input().epochNumber() == playback.epoch();
  double position = isGliding() ? glide_->currentValue().toDouble() : playback.position();
  if (!here) position = 0;
  if (reduced_motion_) position = withoutMotion(position);
  const bool moves = here && !reduced_motion_ && !isTurning() && (isGliding() || playback.isPlaying());
  const bool begun = position > 0 || playback.isPlaying() || isGliding();
  // Where the user scrolled to is left alone while it plays; a step by hand is brought into view.
  const bool leads = playback.isPlaying() || (isGliding() && position == 0);
  stage_->setPlayhead(position, leads, moves ? ranksLanded(stage_->input(), position, dealSpeed()) : 0);
  strip_->setPlayhead(position);
  const bool some_undealt = begun && stepsLanded(position) < playback.steps();
  const LegendDeal deal = dealInLegend();
  const bool was_undealt = std::exchange(some_undealt_, some_undealt);
  const bool other_deal = std::exchange(legend_deal_, deal) != deal;
  if (was_undealt != some_undealt || other_deal) showLegend();
  moves ? overlay_->setDeal(dealAtNow(position), ribbonsAtNow(position)) : overlay_->setDeal({});
  overlay_->setMarks(here ? marksAtNow(position) : std::vector<DealMark>());
  showInFlight(moves ? samplesInFlight(stage_->input(), position, dealSpeed()) : 0);
}

LegendDeal StagePanel::dealInLegend() const {
  const Playback& playback = workspace_.playback;
  const StageInput& input = stage_->input();
  const bool moves = playback.isPlaying() || isGliding();
  if (!moves && !(reduced_motion_ && was_stepped_)) return LegendDeal::None;  // nothing is on its way
  const double speed = playback.isPlaying() ? playback.speed() : StepGlide::kStepsPerSecond;
  if (reduced_motion_) return speed <= kFastestFlight ? LegendDeal::Marks : LegendDeal::None;
  if (flightsMakeSense(input, speed)) return LegendDeal::Flights;
  return ribbonsMakeSense(input, speed) || ribbonsStand(input, speed) ? LegendDeal::Ribbons : LegendDeal::None;
}

void StagePanel::setReducedMotion(bool reduced) {
  reduced_motion_ = reduced;
  if (reduced) {
    endTurn();
    glide_->stop();
  }
  showPlayhead();
}

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
  places.ranks = inView(stage_->ranks());
  return ribbonsAt(stage_->input(), theme(), position, dealSpeed(), places);
}

FlightPlaces StagePanel::places() const {
  const QPointF strip_at = strip_->mapTo(this, QPoint());
  const QPointF stage_at = stage_->mapTo(this, QPoint());
  return {[this, strip_at](SampleIndex sample) { return QRectF(strip_->sampleOnScreen(sample)).translated(strip_at); },
          [this, stage_at](CellAddress cell) {
            const QRectF place = stage_->cellFrame(cell);
            return place.isEmpty() ? place : place.translated(stage_at);
          },
          CellRoom(stage_->steps().pitch, stage_->ranks().pitch), inView(stage_->ranks())};
}

DealFrame StagePanel::dealAtNow(double position) const {
  return dealAt(stage_->input(), facts_.get(), stage_->colour(), theme(), position, dealSpeed(), places());
}

/// While it plays, the step under way; after one step by hand, that step. Nothing where the eye cannot follow.
std::vector<DealMark> StagePanel::marksAtNow(double position) const {
  const Playback& playback = workspace_.playback;
  if (!reduced_motion_) return {};
  const double whole = std::floor(position);
  const auto step = static_cast<qint64>(whole);
  if (playback.isPlaying()) {
    if (playback.speed() > kFastestFlight) return {};
    return dealMarks(stage_->input(), theme(), step, position > whole, places());
  }
  return was_stepped_ ? dealMarks(stage_->input(), theme(), step - 1, true, places()) : std::vector<DealMark>();
}

/// Beside what was handed out, where there is room for it: the words there never move because of it.
void StagePanel::showInFlight(qint64 samples) {
  const QString words = samples > 0 ? tr("%1 in flight ·").arg(number(samples)) : QString();
  const bool fits = in_flight_->fontMetrics().horizontalAdvance(words) + 2 <= in_flight_->width();
  in_flight_->setFullText(fits ? words : QString());
}

}  // namespace shardlens::ui
