// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tabs/coverage_tab.h"

#include "ui/state/phrase.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/panel_menu.h"
#include "ui/widgets/common/state_pane.h"
#include "ui/widgets/tabs/audit_watch.h"
#include "ui/widgets/tabs/id_list.h"

#include <QVBoxLayout>

#include <utility>

namespace shardlens::ui {
namespace {
constexpr qint64 kCurvePoints = 400;
}

CoverageTab::CoverageTab(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      view_(new CoverageView),
      pane_(new StatePane(view_)),
      refresh_(this, [this] { showWhatIs(); }) {
  auto* column = columnIn(this, {});
  column->addWidget(pane_);
  connect(view_, &CoverageView::curveWanted, this, [this](qint64 epoch) {
    wanted_ = epoch;
    refresh_.want();
  });
  connect(&view_->ids(), &IdList::idChosen, this, [this](qint64 id) { workspace_.goTo({{}, {}, {}, id}); });
  connect(view_, &CoverageView::placeWanted, this, [this](const Selected& place) { workspace_.goTo(place); });
  const auto mark = [this] {
    view_->ids().setMarked(workspace_.selection.current().sample);
    view_->setSelected(workspace_.selection.current());
  };
  connect(&workspace_.selection, &Selection::changed, this, mark);
  mark();
  connect(&workspace_.playback, &Playback::moved, &refresh_, &Refresh::want);
  connect(&workspace_.playback, &Playback::epochChanged, view_, &CoverageView::setEpoch);
  addPanelMenu(*this, {phrase("tabs", "Coverage"), [this] { return view_->title() + '\n' + view_->facts() + '\n'; },
                       [this] { return view_->csv(); }, view_});
  watchAudit(workspace_, *pane_,
             [this](const PlanSnapshotPtr& snapshot, const auto& report) { take(snapshot, report); });
}

void CoverageTab::take(const PlanSnapshotPtr& snapshot, const std::shared_ptr<const AuditReport>& report) {
  walk_.cancel();
  snapshot_ = snapshot;
  view_->setReport(report);
  view_->setEpoch(workspace_.playback.epoch());
  refresh_.want();
}

void CoverageTab::showWhatIs() {
  if (wanted_ && snapshot_ && snapshot_->plan) findCurve(*std::exchange(wanted_, std::nullopt));
  view_->setPlayhead(workspace_.playback.epoch(), workspace_.playback.position());
}

void CoverageTab::findCurve(qint64 epoch) {
  walk_.start(
      [plan = *snapshot_->plan, epoch](const Work& work) -> std::optional<CoverageCurve> {
        auto curve = coverageCurve(plan, Epoch{epoch}, kCurvePoints, work);
        if (!curve) return std::nullopt;
        return std::move(*curve);
      },
      [this, epoch](CoverageCurve curve) { view_->setCurve(epoch, std::move(curve)); });
}

}  // namespace shardlens::ui

#include "moc_coverage_tab.cpp"
