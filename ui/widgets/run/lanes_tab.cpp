// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/lanes_tab.h"

#include "ui/scene/number_text.h"
#include "ui/scene/run/text.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/run/prediction.h"
#include "ui/widgets/run/rank_board.h"

#include <QVBoxLayout>

namespace shardlens::ui {

LanesTab::LanesTab(Workspace& workspace, QWidget* parent)
    : QWidget(parent), workspace_(workspace), refresh_(this, [this] { showWhatIs(); }) {
  setLook(this, "surface", "window");
  setAttribute(Qt::WA_StyledBackground);
  note_ = textLabel({}, "muted", this);
  note_->setObjectName("lanesNote");
  board_ = new RankBoard(RankBoard::Columns::Few, this);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, px(8), 0, 0);
  column->setSpacing(px(4));
  auto* line = new QHBoxLayout;
  line->setContentsMargins(px(kMargin), 0, px(kMargin), 0);
  line->addWidget(note_);
  column->addLayout(line);
  column->addWidget(board_, 1);
  connect(&workspace_.runs, &RunService::stateChanged, &refresh_, &Refresh::want);
  connect(&workspace_.runs, &RunService::runFileChanged, board_, &RankBoard::forget);
  connect(&workspace_.plans, &PlanService::snapshotChanged, &refresh_, &Refresh::want);
  connect(&workspace_.playback, &Playback::epochChanged, &refresh_, &Refresh::want);
  connect(&workspace_.playback, &Playback::playingChanged, &refresh_, &Refresh::want);
  connect(board_, &RankBoard::rankClicked, this, [this](qint64 rank) {
    Selected selected = workspace_.selection.current();
    selected.ranks = {rank};
    workspace_.selection.select(selected);
  });
  connect(&workspace_.selection, &Selection::changed, this, [this] {
    const auto& ranks = workspace_.selection.current().ranks;
    board_->setSelectedRank(ranks.empty() ? std::nullopt : std::optional(ranks.front()));
  });
}

void LanesTab::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh_.want();  // the playhead may have moved meanwhile
}

void LanesTab::showWhatIs() {
  const RunService& runs = workspace_.runs;
  if (runs.isActive() && runs.state() != nullptr) {
    job_.cancel();
    note_->setText(headlineOf(*runs.state()).title);
    board_->setRun(runs.state(), runs.facts() != nullptr ? runs.facts()->spec.world.ranks_per_node : 0);
  } else {
    predictSoon();
  }
}

void LanesTab::predictSoon() {
  const PlanSnapshotPtr snapshot = workspace_.plans.snapshot();
  if (!snapshot->plan) return note_->setText("There is no plan to predict from.");
  if (snapshot->shape == nullptr) return note_->setText("Counting the steps …");
  const qint64 step = workspace_.playback.step();
  job_.start(
      [snapshot, step](const Work& work) { return predictedLanes(*snapshot->plan, *snapshot->shape, step, work); },
      [this, snapshot](std::shared_ptr<const Timeline> lanes) {
        const auto& run = snapshot->spec.run;
        note_->setText(QString("Estimated from run.load_ms %1 and run.compute_ms %2; network time is not "
                               "included")
                           .arg(run.load_ms)
                           .arg(run.compute_ms));
        board_->setPrediction(std::move(lanes), snapshot->spec.world.ranks_per_node);
      });
}

}  // namespace shardlens::ui
