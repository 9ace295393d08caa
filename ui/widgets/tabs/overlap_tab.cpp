// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tabs/overlap_tab.h"

#include "ui/scene/stage/epoch_facts.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/panel_menu.h"
#include "ui/widgets/common/state_pane.h"
#include "ui/widgets/tabs/audit_watch.h"

#include <QVBoxLayout>

#include <algorithm>

namespace shardlens::ui {

OverlapTab::OverlapTab(Workspace& workspace, QWidget* parent)
    : QWidget(parent), workspace_(workspace), view_(new OverlapView), pane_(new StatePane(view_)) {
  auto* column = columnIn(this, {});
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
  connect(&workspace_.document, &Document::leaving, view_, &OverlapView::forgetMode);
  addPanelMenu(*this, {phrase("tabs", "Overlap"), [this] { return view_->title() + '\n' + view_->reason() + '\n'; },
                       [this] { return view_->csv(); }, view_});
  watchAudit(workspace_, *pane_,
             [this](const PlanSnapshotPtr& snapshot, const auto& report) { take(snapshot, report); });
}

void OverlapTab::take(const PlanSnapshotPtr& snapshot, const std::shared_ptr<const AuditReport>& report) {
  lookup_.cancel();
  snapshot_ = snapshot;
  report_ = report;
  view_->setReport(report, snapshot->spec.worldSize(),
                   snapshot->spec.world.ranks_per_node.ofEveryNode().value_or(snapshot->spec.worldSize()));
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
  ranks.size() <= 1 ? findSharingRanks() : sharing_.cancel();
}

/// A selected sample that several ranks get marks their cell: its rank with the first of the others.
void OverlapTab::findSharingRanks() {
  const Selected& selected = workspace_.selection.current();
  const bool is_one = selected.sample && selected.samples == 1;
  if (!is_one || !snapshot_ || !snapshot_->epoch || snapshot_->epoch->epoch.value != view_->epoch()) {
    return sharing_.cancel();
  }
  sharing_.start([epoch = snapshot_->epoch, sample = *selected.sample](
                     const Work& work) { return std::optional(findCells(*epoch, {sample}, work)); },
                 [this](const std::vector<CellAddress>& cells) {
                   const Selected& now = workspace_.selection.current();
                   const qint64 rank = !now.ranks.empty() ? now.ranks.front() : cells.empty() ? 0 : cells.front().rank;
                   const auto other =
                       std::ranges::find_if(cells, [rank](const CellAddress& cell) { return cell.rank != rank; });
                   if (other != cells.end()) view_->setPair(std::minmax(rank, other->rank));
                 });
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

#include "moc_overlap_tab.cpp"
