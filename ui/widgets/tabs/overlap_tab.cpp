// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tabs/overlap_tab.h"

#include "ui/state/phrase.h"
#include "ui/widgets/common/panel_menu.h"
#include "ui/widgets/common/state_pane.h"
#include "ui/widgets/tabs/audit_watch.h"

#include <QVBoxLayout>

namespace shardlens::ui {

OverlapTab::OverlapTab(Workspace& workspace, QWidget* parent)
    : QWidget(parent), workspace_(workspace), view_(new OverlapView), pane_(new StatePane(view_)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins({});
  column->addWidget(pane_);
  connect(view_, &OverlapView::pairChosen, this, [this](qint64 a, qint64 b) {
    Selected selected = workspace_.selection.current();
    selected.ranks = a == b ? std::vector<qint64>{a} : std::vector<qint64>{a, b};
    workspace_.selection.select(std::move(selected));
  });
  connect(view_, &OverlapView::epochChosen, this,
          [this](qint64 a, qint64 b) { workspace_.playback.seek(std::max(a, b), 0); });
  connect(view_, &OverlapView::placeWanted, this, [this](const Selected& place) { workspace_.goTo(place); });
  connect(view_, &OverlapView::sharedIdsWanted, this, &OverlapTab::findSharedIds);
  connect(view_, &OverlapView::fixWanted, this, [this](const Fix& fix) { applyFix(workspace_.document, *pane_, fix); });
  connect(&workspace_.selection, &Selection::changed, this, &OverlapTab::followSelection);
  addPanelMenu(*this, {phrase("tabs", "Overlap"), [this] { return view_->title() + '\n' + view_->reason() + '\n'; },
                       [this] { return view_->csv(); }, view_});
  watchAudit(workspace_, *pane_,
             [this](const PlanSnapshotPtr& snapshot, const auto& report) { take(snapshot, report); });
}

void OverlapTab::take(const PlanSnapshotPtr& snapshot, const std::shared_ptr<const AuditReport>& report) {
  lookup_.cancel();
  snapshot_ = snapshot;
  report_ = report;
  view_->setReport(report, snapshot->spec.worldSize(), snapshot->spec.world.ranks_per_node);
  followSelection();
}

void OverlapTab::followSelection() {
  const auto& ranks = workspace_.selection.current().ranks;
  view_->setMarkedSample(workspace_.selection.current().sample);
  if (ranks.size() == 2) {
    view_->setPair(OverlapView::Pair{ranks[0], ranks[1]});
  } else if (ranks.size() == 1) {
    view_->setRank(ranks[0]);
  } else if (ranks.empty()) {
    view_->setPair(std::nullopt);
  }
}

void OverlapTab::findSharedIds(qint64 a, qint64 b) {
  if (!snapshot_ || !snapshot_->plan) return;
  const auto& coverage = report_->coverage;
  const Epoch epoch{coverage.empty() ? 0 : coverage.front().epoch};
  lookup_.start(
      [plan = *snapshot_->plan, epoch, a, b](const Work& work) -> std::optional<std::vector<SampleIndex>> {
        auto ids = sharedSamples(plan, epoch, Rank{a}, Rank{b}, kShownIds, work);
        if (!ids) return std::nullopt;
        return std::move(*ids);
      },
      [this, a, b](const std::vector<SampleIndex>& ids) {
        view_->setSharedIds({a, b}, ids);
      });
}

}  // namespace shardlens::ui
