// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/stage/flight_overlay.h"

#include <QPainter>

namespace shardlens::ui {
namespace {

QRectF square(const Flight& flight) {
  return {flight.at.x() - flight.size / 2, flight.at.y() - flight.size / 2, flight.size, flight.size};
}

QRegion regionOf(const std::vector<Flight>& flights) {
  QRegion region;
  for (const Flight& flight : flights) region += square(flight).adjusted(-2, -2, 2, 2).toAlignedRect();
  return region;
}

}  // namespace

FlightOverlay::FlightOverlay(QWidget* parent) : QWidget(parent) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setAttribute(Qt::WA_NoSystemBackground);
  setFocusPolicy(Qt::NoFocus);
}

void FlightOverlay::setFlights(std::vector<Flight> flights) {
  if (flights.empty() && flights_.empty()) return;
  const QRegion before = regionOf(flights_);
  flights_ = std::move(flights);
  update(before + regionOf(flights_));
}

void FlightOverlay::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  for (const Flight& flight : flights_) {
    painter.setPen(QPen(theme().window, 1));
    painter.setBrush(flight.colour);
    painter.drawRoundedRect(square(flight), 2, 2);
  }
}

}  // namespace shardlens::ui
