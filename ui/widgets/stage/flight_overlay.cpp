// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/stage/flight_overlay.h"

#include "ui/paint/deal_paint.h"

#include <QPainter>

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

void FlightOverlay::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  paintRibbons(painter, ribbons_, theme());
  paintDeal(painter, deal_, theme());
}

}  // namespace shardlens::ui
