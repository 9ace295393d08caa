// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/stage/flight.h"
#include "ui/scene/stage/ribbon.h"

#include <QWidget>

namespace shardlens::ui {

/// Lies over the dataset strip and the Stage and draws what moves between them, or the marks that stand for it; takes
/// no clicks.
class FlightOverlay : public QWidget {
  Q_OBJECT

 public:
  explicit FlightOverlay(QWidget* parent);
  void setDeal(DealFrame deal, std::vector<Ribbon> ribbons = {});
  /// Where motion is reduced.
  void setMarks(std::vector<DealMark> marks);
  void setTurn(EpochTurn turn);
  [[nodiscard]] const EpochTurn& turn() const { return turn_; }
  [[nodiscard]] const DealFrame& deal() const { return deal_; }
  [[nodiscard]] const std::vector<Ribbon>& ribbons() const { return ribbons_; }
  [[nodiscard]] const std::vector<DealMark>& marks() const { return marks_; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  DealFrame deal_;
  std::vector<Ribbon> ribbons_;
  std::vector<DealMark> marks_;
  EpochTurn turn_;
};

}  // namespace shardlens::ui
