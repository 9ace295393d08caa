// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/lanes_tab.h"

#include "ui/scene/number_text.h"
#include "ui/scene/run/text.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/link_button.h"
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
  note_->setWordWrap(true);
  board_ = new RankBoard(RankBoard::Columns::Few, this);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, px(8), 0, 0);
  column->setSpacing(px(4));
  auto* line = new QHBoxLayout;
  line->setContentsMargins(px(kMargin), 0, px(kMargin), 0);
  other_ = new LinkButton({}, "", this);
  other_->setObjectName("otherLanes");
  connect(other_, &QAbstractButton::clicked, this, [this] {
    wants_prediction_ = !wants_prediction_;
    refresh_.want();
  });
  line->addWidget(note_, 1);
  line->addWidget(other_);
  column->addLayout(line);
  column->addWidget(board_, 1);
  connect(&workspace_.runs, &RunService::stateChanged, &refresh_, &Refresh::want);
  connect(&workspace_.runs, &RunService::runFileChanged, this, [this] {
    wants_prediction_ = false;
    board_->forget();
    refresh_.want();
  });
  connect(&workspace_.plans, &PlanService::snapshotChanged, &refresh_, &Refresh::want);
  connect(&workspace_.playback, &Playback::epochChanged, &refresh_, &Refresh::want);
  connect(&workspace_.playback, &Playback::playingChanged, &refresh_, &Refresh::want);
  connect(board_, &RankBoard::rankClicked, this, [this](qint64 rank) {
    Selected selected = workspace_.selection.current();
    selected.ranks = {rank};
    workspace_.selection.select(selected);
  });
  const auto follow = [this] { board_->setSelected(workspace_.selection.current()); };
  connect(&workspace_.selection, &Selection::changed, this, follow);
  follow();
}

void LanesTab::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh_.want();  // the playhead may have moved meanwhile
}

void LanesTab::showWhatIs() {
  const RunService& runs = workspace_.runs;
  other_->setText(wants_prediction_ ? phrase("run", "show the run") : phrase("run", "show the prediction"));
  other_->setAccessibleName(other_->text());
  other_->updateGeometry();
  other_->setVisible(runs.state() != nullptr);
  if (runs.state() != nullptr && !wants_prediction_) {
    job_.cancel();
    note_->setText(phrase("run", "Measured: %1").arg(headlineOf(*runs.state()).title));
    board_->setRun(runs.state(), runs.overview(),
                   runs.facts() != nullptr ? runs.facts()->spec.world.ranks_per_node : 0);
  } else {
    predictSoon();
  }
}

void LanesTab::predictSoon() {
  const PlanSnapshotPtr snapshot = workspace_.plans.snapshot();
  if (!snapshot->plan) return note_->setText(phrase("run", "There is no plan to predict from."));
  if (snapshot->shape == nullptr) return note_->setText(phrase("run", "Counting the steps …"));
  const qint64 step = workspace_.playback.step();
  job_.start(
      [snapshot, step](const Work& work) { return predictedLanes(*snapshot->plan, *snapshot->shape, step, work); },
      [this, snapshot](std::shared_ptr<const Timeline> lanes) {
        const auto& run = snapshot->spec.run;
        note_->setText(phrase("run",
                              "Estimated from run.load_ms %1 and run.compute_ms %2; network time is not "
                              "included")
                           .arg(run.load_ms)
                           .arg(run.compute_ms));
        board_->setPrediction(std::move(lanes), snapshot->spec.world.ranks_per_node);
      });
}

}  // namespace shardlens::ui
