// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/stage/flight_overlay.h"

#include "ui/paint/deal_paint.h"

#include <QPainter>

#include <utility>

namespace shardlens::ui {

FlightOverlay::FlightOverlay(QWidget* parent) : QWidget(parent) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setAttribute(Qt::WA_NoSystemBackground);
  setFocusPolicy(Qt::NoFocus);
}

void FlightOverlay::setDeal(DealFrame deal, std::vector<Ribbon> ribbons) {
  if (deal.isEmpty() && deal_.isEmpty() && ribbons.empty() && ribbons_.empty()) return;
  const QRegion before = regionOf(deal_) + regionOf(ribbons_);
  deal_ = std::move(deal);
  ribbons_ = std::move(ribbons);
  update(before + regionOf(deal_) + regionOf(ribbons_));
}

void FlightOverlay::setMarks(std::vector<DealMark> marks) {
  if (marks == marks_) return;
  const QRegion before = regionOf(marks_);
  marks_ = std::move(marks);
  update(before + regionOf(marks_));
}

void FlightOverlay::setTurn(EpochTurn turn) {
  if (turn.isEmpty() && turn_.isEmpty()) return;
  const QRegion before = regionOf(turn_);
  turn_ = std::move(turn);
  update(before + regionOf(turn_));
}

void FlightOverlay::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  paintMarks(painter, marks_, theme());
  paintRibbons(painter, ribbons_, theme());
  paintDeal(painter, deal_, theme());
  paintTurn(painter, turn_);
}

}  // namespace shardlens::ui

#include "moc_flight_overlay.cpp"
