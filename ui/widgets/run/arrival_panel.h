// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plot/arrival_plot.h"
#include "ui/scene/run/lanes.h"
#include "ui/scene/run/time_window.h"
#include "ui/state/latest_job.h"
#include "ui/state/run_service.h"

#include <QWidget>

#include <optional>
#include <vector>

class QLabel;

namespace shardlens::ui {

class ElidedLabel;

/// When each rank comes to the collectives, after the first one; with very many ranks the latest of them.
class ArrivalPanel : public QWidget {
  Q_OBJECT

 public:
  explicit ArrivalPanel(QWidget* parent = nullptr);
  /// Of the last collectives.
  void setRun(const RunState& state);
  /// Of the collectives in view, found on a worker. Where their times are no longer known one by one, of the last ones.
  void setInView(const RunStatePtr& state, const RunLanes& lanes, const TimeWindow& window);
  /// Marks their rows.
  void setSelected(const std::vector<qint64>& ranks) { plot_->setSelected(ranks); }
  /// What is shown: a sentence for each rank, and the same as CSV.
  [[nodiscard]] QString asText() const;
  [[nodiscard]] QString csv() const;

 signals:
  void rankClicked(qint64 rank);

 private:
  void showArrivals(const RunState& state, const std::vector<shardlens::Arrival>& arrivals, const QString& which);

  ElidedLabel* head_;
  QLabel* note_;
  ArrivalPlot* plot_;
  std::optional<std::pair<std::int64_t, std::int64_t>> in_view_;  ///< what is shown, or being looked for
  LatestJob job_;
};

}  // namespace shardlens::ui
