// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tabs/audit_watch.h"

#include "ui/widgets/common/refresh.h"
#include "ui/widgets/common/state_pane.h"

#include <memory>

namespace shardlens::ui {
namespace {

QString firstIssue(const Issues& issues) {
  QString text = QString::fromStdString(issues.front().text());
  if (issues.size() > 1) text += StatePane::tr(" And %n more.", nullptr, static_cast<int>(issues.size()) - 1);
  return text;
}

}  // namespace

void watchAudit(PlanService& plans, StatePane& pane, std::function<void(const PlanSnapshotPtr&)> take) {
  auto shown = std::make_shared<std::shared_ptr<const AuditReport>>();
  const auto update = [&plans, &pane, shown, take = std::move(take)] {
    const PlanSnapshotPtr snapshot = plans.snapshot();
    if (!snapshot->issues.empty()) return pane.showStale(firstIssue(snapshot->issues));
    if (!snapshot->audit) return pane.showProgress(0, StatePane::tr("Auditing"));
    if (snapshot->audit != *shown) {
      *shown = snapshot->audit;
      take(snapshot);
    }
    pane.showContent();
  };
  auto* refresh = new Refresh(&pane, update);
  QObject::connect(&plans, &PlanService::snapshotChanged, refresh, &Refresh::want);
  QObject::connect(&plans, &PlanService::progressed, &pane, [&plans, &pane](double fraction, const QString& what) {
    const bool auditing = !plans.snapshot()->audit;
    if (auditing)
      pane.showProgress(fraction,
                        what == QLatin1String("audit") ? StatePane::tr("Auditing") : StatePane::tr("Planning"));
  });
  refresh->want();
}

void applyFix(Document& document, StatePane& pane, const Fix& fix) {
  const auto done = document.edit(fix.edits, QString::fromStdString(fix.label));
  if (!done) pane.showStale(QString::fromStdString(done.error().text()));
}

}  // namespace shardlens::ui
