// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/lanes_tab.h"

#include "ui/scene/number_text.h"
#include "ui/scene/run/rank_rows.h"
#include "ui/scene/run/text.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/panel_menu.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/run/prediction.h"
#include "ui/widgets/run/rank_board.h"

#include <algorithm>

namespace shardlens::ui {
namespace {

constexpr int kBesideEachOther = 820;  ///< width: twice what a board needs

}  // namespace

LanesTab::LanesTab(Workspace& workspace, QWidget* parent)
    : QWidget(parent), workspace_(workspace), refresh_(this, [this] { showWhatIs(); }) {
  setSurface(this, "window");
  first_ = makeSide("lanesNote");
  beside_ = makeSide("predictedNote");
  auto* both = new QWidget;
  row_ = new QBoxLayout(QBoxLayout::LeftToRight, both);
  row_->setContentsMargins(0, 0, 0, 0);
  row_->setSpacing(px(kGap));
  for (const Side* side : {&first_, &beside_}) row_->addWidget(side->all, 1);
  beside_.all->hide();
  columnIn(this, {0, px(4), 0, 0})->addWidget(thinScroll(both, this));
  connect(&workspace_.runs, &RunService::stateChanged, &refresh_, &Refresh::want);
  connect(&workspace_.runs, &RunService::runFileChanged, this, [this] {
    first_.board->forget();
    predicted_ = {};
    refresh_.want();
  });
  connect(&workspace_.plans, &PlanService::snapshotChanged, &refresh_, &Refresh::want);
  connect(&workspace_.playback, &Playback::epochChanged, &refresh_, &Refresh::want);
  connect(&workspace_.playback, &Playback::playingChanged, &refresh_, &Refresh::want);
  const auto follow = [this] {
    for (const Side* side : {&first_, &beside_}) side->board->setSelected(workspace_.selection.current());
  };
  connect(&workspace_.selection, &Selection::changed, this, follow);
  follow();
  addPanelMenu(*this,
               {phrase("run", "Rank lanes"), [this] { return asText(); }, [this] { return first_.board->csv(); }});
}

LanesTab::Side LanesTab::makeSide(const QString& name) {
  Side side;
  side.all = new QWidget(this);
  side.note = new LinkLabel("muted", "", side.all);
  side.note->setObjectName(name);
  connect(side.note, &LinkLabel::followed, this, [this](const Selected& place) { workspace_.goTo(place); });
  side.board = new RankBoard(RankBoard::Columns::Few, side.all);
  connect(side.board, &RankBoard::rankClicked, &workspace_.selection, &Selection::selectRank);
  connect(side.board, &RankBoard::placeClicked, &workspace_.selection, &Selection::select);
  auto* column = columnIn(side.all, {}, px(2));
  auto* line = rowIn(nullptr, {px(kMargin), 0, px(kMargin), 0});
  line->addWidget(side.note);
  column->addLayout(line);
  column->addWidget(side.board, 1);
  return side;
}

void LanesTab::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh_.want();  // the playhead may have moved meanwhile
}

void LanesTab::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  row_->setDirection(width() < px(kBesideEachOther) ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
  giveHeights();
}

void LanesTab::giveHeights() {
  const int room = height() - layout()->contentsMargins().top();  // the area gets its size after us
  const bool is_stack = row_->direction() == QBoxLayout::TopToBottom && !beside_.all->isHidden();
  int stack = row_->spacing();
  for (const Side* side : {&first_, &beside_}) {
    const int wanted = std::min(side->all->sizeHint().height(), room);
    side->all->setMinimumHeight(is_stack ? wanted : 0);
    stack += wanted;
  }
  // Lower rows are better than rows, or the legend, out of sight.
  QWidget* both = row_->parentWidget();
  both->setMaximumHeight(is_stack ? stack : std::max(room, both->minimumSizeHint().height()));
}

QString LanesTab::asText() const {
  QString out = first_.note->plain() + '\n' + first_.board->asText();
  if (!beside_.all->isHidden()) out += beside_.note->plain() + '\n' + beside_.board->asText();
  return out;
}

void LanesTab::showWhatIs() {
  const RunService& runs = workspace_.runs;
  const RunStatePtr state = workspace_.runOfDesign();
  const bool has_run = state != nullptr;
  beside_.all->setVisible(has_run && workspace_.plans.snapshot()->plan);
  if (has_run) {
    first_.note->setPlain(phrase("run", "Measured: %1").arg(headlineOf(*state).title));
    first_.board->setRun(state, runs.overview(), emulatedNodeSize(*state, runs.facts().get()));
  }
  predictSoon(has_run ? beside_ : first_);
  giveHeights();
}

void LanesTab::predictSoon(const Side& side) {
  const PlanSnapshotPtr snapshot = workspace_.plans.snapshot();
  if (snapshot->shape == nullptr) {
    job_.cancel();
    predicted_ = {};
    return side.note->setPlain(snapshot->plan ? phrase("run", "Counting the steps…")
                                              : phrase("run", "There is no plan to predict from."));
  }
  const Predicted wanted{side.board, snapshot, workspace_.playback.step()};
  if (wanted == predicted_) return;
  predicted_ = wanted;
  job_.cancel();
  if (snapshot->hang == nullptr) return side.note->setPlain(phrase("run", "Following the schedule…"));
  if (*snapshot->hang && **snapshot->hang) {
    return sayNoPrediction(side,
                           (**snapshot->hang)->may_end
                               ? phrase("run", "The schedule of the open design may hang: the tab Waits says where.")
                               : phrase("run", "The schedule of the open design hangs: the tab Waits says where."));
  }
  const auto predict = [wanted](const Work& work) {
    return std::optional(predictedLanes(*wanted.plan->plan, *wanted.plan->shape, wanted.step, work));
  };
  job_.start(predict, [this, side, snapshot](Result<std::shared_ptr<const Timeline>> lanes) {
    if (!lanes) return sayNoPrediction(side, text(lanes.error().text()));
    showPrediction(side, snapshot->spec, *std::move(lanes));
  });
}

void LanesTab::sayNoPrediction(const Side& side, const QString& why) {
  side.board->forget();
  side.note->setPlain(why);
  giveHeights();
}

void LanesTab::showPrediction(const Side& side, const PipelineSpec& spec, std::shared_ptr<const Timeline> lanes) {
  const QString note = spec.schedule.empty()
                           ? phrase("run",
                                    "Predicted for the open design from run.load_ms %1 and run.compute_ms %2; "
                                    "network time is not included")
                           : phrase("run",
                                    "Predicted for the open design from its schedule, run.load_ms %1 and "
                                    "run.compute_ms %2; network time as far as the schedule says it");
  const QString delays = spec.run.delays.empty() ? QString() : " · " + phrase("run", "with run.delays");
  side.note->setPlain(note.arg(spec.run.load_ms).arg(spec.run.compute_ms) + delays);
  side.board->setPrediction(std::move(lanes), equalNodeSize(spec.world));
  giveHeights();
}

}  // namespace shardlens::ui

#include "moc_lanes_tab.cpp"
