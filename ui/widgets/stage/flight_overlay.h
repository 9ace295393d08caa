// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/stage/flight.h"

#include <QWidget>

namespace shardlens::ui {

/// Lies over the dataset strip and the Stage and draws the samples between them; takes no clicks.
class FlightOverlay : public QWidget {
  Q_OBJECT

 public:
  explicit FlightOverlay(QWidget* parent);
  void setFlights(std::vector<Flight> flights);
  [[nodiscard]] const std::vector<Flight>& flights() const { return flights_; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::vector<Flight> flights_;
};

}  // namespace shardlens::ui
