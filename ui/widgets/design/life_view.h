// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "ui/state/latest_job.h"
#include "ui/state/selection.h"

#include <QWidget>

#include <optional>

class QAbstractButton;
class QLabel;
class QTableView;

namespace shardlens::ui {

class LifeModel;
class ProgressBar;

/// Where one sample goes in every epoch: rows that jump. The search runs in a worker, shows its rows as they come, and
/// can be stopped; the newest sample wins.
class LifeView : public QWidget {
  Q_OBJECT

 public:
  explicit LifeView(QWidget* parent = nullptr);

  /// Starts the search, unless this sample of this plan is shown already. Nothing: the view is empty.
  void follow(const std::optional<Plan>& plan, std::optional<SampleIndex> sample);
  /// Marks the row of that place, if there is one.
  void mark(const Selected& place);
  /// Stops the search; rows that were found stay.
  void stop();
  [[nodiscard]] const LifeModel& model() const { return *model_; }
  [[nodiscard]] bool isSearching() const { return job_.isBusy(); }
  [[nodiscard]] QTableView* table() const { return table_; }
  /// What stands above the rows.
  [[nodiscard]] QString caption() const;

 signals:
  void placeChosen(const shardlens::ui::Selected& place);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void build();
  void fitColumns();
  void choose(int row);
  void say(const QString& text, bool searching);

  std::optional<Plan> plan_;
  std::optional<SampleIndex> sample_;
  Selected marked_;
  LifeModel* model_;
  QLabel* caption_;
  QAbstractButton* stop_;
  ProgressBar* progress_;
  QTableView* table_;
  LatestJob job_;
};

}  // namespace shardlens::ui
