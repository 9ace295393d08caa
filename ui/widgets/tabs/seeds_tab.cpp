// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tabs/seeds_tab.h"

#include "ui/state/phrase.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/panel_menu.h"
#include "ui/widgets/common/state_pane.h"
#include "ui/widgets/tabs/audit_watch.h"

#include <QVBoxLayout>

namespace shardlens::ui {

SeedsTab::SeedsTab(Workspace& workspace, QWidget* parent)
    : QWidget(parent), workspace_(workspace), view_(new SeedsView) {
  auto* pane = new StatePane(view_);
  auto* column = columnIn(this, {});
  column->addWidget(pane);
  connect(view_, &SeedsView::placeChosen, &workspace_.selection, &Selection::select);
  const auto follow = [this] { view_->setSelected(workspace_.selection.current()); };
  connect(&workspace_.selection, &Selection::changed, this, follow);
  follow();
  connect(view_, &SeedsView::fixWanted, this,
          [this, pane](const Fix& fix) { applyFix(workspace_.document, *pane, fix); });
  addPanelMenu(*this, {phrase("tabs", "Seeds"), [this] { return view_->title() + '\n' + view_->yaml(); },
                       [this] { return view_->csv(); }, view_});
  watchAudit(workspace_, *pane, [this](const PlanSnapshotPtr& snapshot, const auto& report) {
    view_->setReport(report, snapshot->spec.world);
  });
}

}  // namespace shardlens::ui

#include "moc_seeds_tab.cpp"
