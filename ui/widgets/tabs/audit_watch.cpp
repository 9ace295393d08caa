// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tabs/audit_watch.h"

#include "ui/widgets/common/refresh.h"
#include "ui/widgets/common/state_pane.h"
#include "ui/widgets/common/toast.h"

#include <memory>

namespace shardlens::ui {
namespace {

QString firstIssue(const Issues& issues) {
  QString text = QString::fromStdString(issues.front().text());
  if (issues.size() > 1) text += StatePane::tr(" And %n more.", nullptr, static_cast<int>(issues.size()) - 1);
  return text;
}

/// Which epoch is shown, where it is not the one under the playhead.
QString epochOffer(const EpochAudit& audits) {
  const auto missing = audits.missing();
  if (!missing) return {};
  const QString shown = StatePane::tr("This is epoch %1.").arg(audits.report()->coverage.front().epoch);
  return audits.isBusy() ? StatePane::tr("%1 Checking epoch %2…").arg(shown).arg(*missing)
                         : StatePane::tr("%1 Show epoch %2").arg(shown).arg(*missing);
}

/// While an edited or opened spec is being planned, the newest answer is that of the spec before.
bool isOfTheDocument(const Workspace& workspace) {
  return workspace.plans.snapshot()->spec == workspace.document.spec();
}

}  // namespace

void watchAudit(Workspace& workspace, StatePane& pane, TakeAudit take) {
  auto shown = std::make_shared<std::shared_ptr<const AuditReport>>();
  const auto update = [&workspace, &pane, shown, take = std::move(take)] {
    const PlanSnapshotPtr snapshot = workspace.plans.snapshot();
    if (!snapshot->issues.empty()) return pane.showStale(firstIssue(snapshot->issues));
    if (!isOfTheDocument(workspace)) return pane.showProgress(0, StatePane::tr("Planning"));
    if (!snapshot->audit) return pane.showProgress(0, StatePane::tr("Auditing"));
    if (!workspace.playback.isPlaying() && !workspace.plans.isBusy()) workspace.audits.want();
    const auto report = workspace.audits.report();
    if (report != *shown) {
      *shown = report;
      take(snapshot, report);
    }
    pane.setOffer(epochOffer(workspace.audits));
    pane.showContent();
  };
  auto* refresh = new Refresh(&pane, update);
  QObject::connect(&workspace.document, &Document::leaving, &pane, &StatePane::clear);
  QObject::connect(&workspace.plans, &PlanService::snapshotChanged, refresh, &Refresh::want);
  QObject::connect(&workspace.plans, &PlanService::busyChanged, refresh, &Refresh::want);
  QObject::connect(&workspace.audits, &EpochAudit::changed, refresh, &Refresh::want);
  QObject::connect(&workspace.playback, &Playback::playingChanged, refresh, &Refresh::want);
  QObject::connect(&workspace.plans, &PlanService::progressed, &pane,
                   [&workspace, &pane](double fraction, const QString& what) {
                     if (workspace.plans.snapshot()->audit && isOfTheDocument(workspace)) return;
                     const bool auditing = what == QLatin1String("audit");
                     pane.showProgress(fraction, auditing ? StatePane::tr("Auditing") : StatePane::tr("Planning"));
                   });
  QObject::connect(&pane, &StatePane::offerTaken, &workspace.audits, &EpochAudit::want);
  refresh->want();
}

void applyFix(Document& document, StatePane& pane, const Fix& fix) {
  const auto done = document.edit(fix.edits, QString::fromStdString(fix.label));
  if (!done) return pane.showStale(QString::fromStdString(done.error().text()));
  if (!*done) return;
  Toast::sayDone(pane, document.undoStack(), StatePane::tr("Fix applied: %1").arg(QString::fromStdString(fix.label)));
}

}  // namespace shardlens::ui
