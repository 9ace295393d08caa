// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/stage/flight_overlay.h"

#include "ui/paint/strip_paint.h"

#include <QPainter>

namespace shardlens::ui {
namespace {

/// A square of at least this many pixels carries its sample's id.
constexpr double kIdFrom = 15;

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
  QFont font = uiFont();
  font.setPixelSize(font.pixelSize() * 10 / 13);
  painter.setFont(font);
  for (const Flight& flight : flights_) {
    painter.setPen(QPen(theme().window, 1));
    painter.setBrush(flight.colour);
    painter.drawRoundedRect(square(flight), 3, 3);
    if (flight.size < kIdFrom) continue;
    painter.setPen(readableOn(flight.colour));
    painter.drawText(square(flight), Qt::AlignCenter, QString::number(flight.sample));
  }
}

}  // namespace shardlens::ui
