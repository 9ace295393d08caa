// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/waits_tab.h"

#include "ui/scene/run/text.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/link_button.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/panel_menu.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/run/arrival_panel.h"
#include "ui/widgets/run/prediction.h"
#include "ui/widgets/run/wait_bars.h"

#include <QVBoxLayout>

namespace shardlens::ui {

WaitsTab::WaitsTab(Workspace& workspace, QWidget* parent)
    : QWidget(parent), workspace_(workspace), refresh_(this, [this] { showWhatIs(); }) {
  setLook(this, "surface", "panel");
  setAttribute(Qt::WA_StyledBackground);
  head_ = textLabel({}, "", this);
  head_->setObjectName("waitsHead");
  setLook(head_, "role", "title");
  order_ = new ElidedLabel({}, this);
  order_->setObjectName("arrivalOrder");
  setLook(order_, "tone", "muted");
  owed_ = textLabel({}, "muted", this);
  owed_->setObjectName("waitsOwed");
  owed_->setWordWrap(true);
  bars_ = new WaitBars(this);
  arrivals_ = new ArrivalPanel(this);
  only_ = new LinkButton({}, "", this);
  only_->setObjectName("onlyRanks");
  connect(only_, &QAbstractButton::clicked, this, [this] {
    const bool all = !bars_->only().empty();
    bars_->setOnly(all ? std::vector<qint64>() : workspace_.selection.current().ranks);
    showOffer();
  });
  auto* head = new QHBoxLayout;
  head->addWidget(head_, 1);
  head->addWidget(only_);
  auto* left = new QVBoxLayout;
  left->setSpacing(px(4));
  left->addLayout(head);
  left->addWidget(owed_);
  left->addWidget(order_);
  left->addSpacing(px(4));
  left->addWidget(bars_, 1);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(px(kMargin), px(12), px(kMargin), px(12));
  row->setSpacing(px(32));
  row->addLayout(left, 55);
  row->addWidget(arrivals_, 45);
  const auto select = [this](qint64 rank) {
    Selected selected = workspace_.selection.current();
    selected.ranks = {rank};
    workspace_.selection.select(selected);
  };
  connect(bars_, &WaitBars::rankClicked, this, select);
  connect(arrivals_, &ArrivalPanel::rankClicked, this, select);
  addPanelMenu(*this,
               {phrase("run", "Waits"), [this] { return asText(); }, [this] { return waitsCsv(bars_->rows()); }});
  connect(&workspace_.selection, &Selection::changed, this, &WaitsTab::followSelection);
  followSelection();
  connect(&workspace_.runs, &RunService::stateChanged, &refresh_, &Refresh::want);
  connect(&workspace_.plans, &PlanService::snapshotChanged, &refresh_, &Refresh::want);
  refresh_.want();
}

QString WaitsTab::asText() const {
  QString out = head_->text() + '\n';
  if (!owed_->text().isEmpty()) out += owed_->text() + '\n';
  if (!order_->fullText().isEmpty()) out += order_->fullText() + '\n';
  for (const WaitRow& row : bars_->rows()) out += phrase("run", "rank %1: %2").arg(row.rank).arg(row.words()) + '\n';
  return out;
}

void WaitsTab::followSelection() {
  bars_->setSelected(workspace_.selection.current().ranks);
  arrivals_->setSelected(workspace_.selection.current().ranks);
  showOffer();
}

/// Back to all rows, or what is selected alone.
void WaitsTab::showOffer() {
  const auto& ranks = workspace_.selection.current().ranks;
  QString offer;
  if (!bars_->only().empty()) {
    offer = phrase("run", "all ranks");
  } else if (ranks.size() == 1) {
    offer = phrase("run", "only rank %1").arg(ranks[0]);
  } else if (ranks.size() == 2) {
    offer = phrase("run", "only ranks %1 and %2").arg(ranks[0]).arg(ranks[1]);
  }
  only_->setText(offer);
  only_->setAccessibleName(offer);
  only_->updateGeometry();
  only_->setVisible(!offer.isEmpty());
}

void WaitsTab::showWhatIs() {
  const RunStatePtr state = workspace_.runs.state();
  arrivals_->setVisible(state != nullptr);
  if (state != nullptr) {
    job_.cancel();
    showRun(*state);
  } else {
    predictSoon();
  }
}

void WaitsTab::showRun(const RunState& state) {
  head_->setText(headlineOf(state).title);
  setOwed(owedText(state));
  const QString order = arrivalOrderText(lastArrivals(state.recent));
  order_->setFullText(order.isEmpty()
                          ? phrase("run", "Of the whole run · no collective has completed recently")
                          : phrase("run", "Of the whole run · last collective, in order of arrival: %1").arg(order));
  bars_->setRows(waitRows(state), false);
  arrivals_->setRun(state);
}

void WaitsTab::setOwed(const QString& text) {
  owed_->setText(text);
  owed_->setVisible(!text.isEmpty());
}

void WaitsTab::predictSoon() {
  setOwed({});
  const PlanSnapshotPtr snapshot = workspace_.plans.snapshot();
  if (snapshot->shape == nullptr) {
    head_->setText(snapshot->plan ? phrase("run", "Counting the steps …")
                                  : phrase("run", "There is no plan to predict from"));
    order_->setFullText({});
    return bars_->setRows({}, true);
  }
  job_.start(
      [snapshot](const Work& work) { return predictedLanes(*snapshot->plan, *snapshot->shape, 0, work); },
      [this](const std::shared_ptr<const Timeline>& lanes) {
        head_->setText(phrase("run", "Predicted waits"));
        order_->setFullText(phrase("run", "Estimated from load_ms and compute_ms; network time is not included"));
        bars_->setRows(waitRows(*lanes), true);
      });
}

}  // namespace shardlens::ui
