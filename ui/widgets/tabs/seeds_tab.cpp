// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tabs/seeds_tab.h"

#include "ui/widgets/common/state_pane.h"
#include "ui/widgets/tabs/audit_watch.h"

#include <QVBoxLayout>

namespace shardlens::ui {

SeedsTab::SeedsTab(Workspace& workspace, QWidget* parent)
    : QWidget(parent), workspace_(workspace), view_(new SeedsView) {
  auto* pane = new StatePane(view_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins({});
  column->addWidget(pane);
  connect(view_, &SeedsView::rankChosen, this, [this](qint64 rank, qint64 epoch) {
    workspace_.selection.select({.ranks = {rank}, .epoch = epoch, .step = {}, .sample = {}});
  });
  connect(view_, &SeedsView::fixWanted, this,
          [this, pane](const Fix& fix) { applyFix(workspace_.document, *pane, fix); });
  watchAudit(workspace_.plans, *pane, [this](const PlanSnapshotPtr& snapshot) {
    view_->setReport(snapshot->audit, snapshot->spec.world.ranks_per_node);
  });
}

}  // namespace shardlens::ui
