// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/epoch_audit.h"

#include "ui/state/latest_job.h"

#include <vector>

namespace shardlens::ui {
namespace {

/// The overlap is that of the first epoch in the report.
bool covers(const AuditReport& report, qint64 epoch) {
  return report.coverage.empty() || report.coverage.front().epoch == epoch;
}

/// For a worker: as expensive as the audit of one epoch, without trying fixes.
std::optional<std::shared_ptr<const AuditReport>> reportOf(const PlanSnapshot& snapshot, qint64 epoch,
                                                           const Work& work) {
  const AuditOptions options{.first_epoch = epoch,
                             .epochs = 1,
                             .fixes = false,
                             .later_epochs = false,
                             .hang = snapshot.hang.get(),
                             .own_ids = false};
  auto there = audit(*snapshot.plan, options, work);
  if (!there) return std::nullopt;
  AuditReport merged = *snapshot.audit;
  std::erase_if(merged.coverage, [epoch](const Ledger& ledger) { return ledger.epoch == epoch; });
  merged.coverage.insert(merged.coverage.begin(), std::move(there->coverage.front()));
  merged.ranks = std::move(there->ranks);
  merged.seeds = seedTable(*snapshot.plan, 1, Epoch{epoch});
  if (!addOwnIds(*snapshot.plan, merged.seeds, work)) return std::nullopt;
  return releasedElsewhere<const AuditReport>(std::move(merged));
}

}  // namespace

EpochAudit::EpochAudit(const PlanService& plans, const Playback& playback) : plans_(plans), playback_(playback) {
  connect(&plans, &PlanService::snapshotChanged, this, [this] {
    if (own() == of_) return;
    job_.cancel();
    of_ = own();
    merged_.reset();
    wanted_ = -1;
    emit changed();
  });
  connect(&playback, &Playback::epochChanged, this, [this](qint64 epoch) {
    if (wanted_ >= 0 && wanted_ != epoch) {
      job_.cancel();
      wanted_ = -1;
    }
    emit changed();
  });
}

std::shared_ptr<const AuditReport> EpochAudit::own() const {
  return plans_.snapshot()->audit;
}

std::shared_ptr<const AuditReport> EpochAudit::report() const {
  const auto plain = own();
  return plain != nullptr && merged_ != nullptr && !covers(*plain, playback_.epoch()) ? merged_ : plain;
}

std::optional<qint64> EpochAudit::missing() const {
  const auto shown = report();
  if (shown == nullptr || covers(*shown, playback_.epoch())) return std::nullopt;
  return playback_.epoch();
}

void EpochAudit::want() {
  const auto epoch = missing();
  const PlanSnapshotPtr snapshot = plans_.snapshot();
  if (!epoch || wanted_ == *epoch || !snapshot->plan || !snapshot->audit) return;
  wanted_ = *epoch;
  job_.start([snapshot, asked = *epoch](const Work& work) { return reportOf(*snapshot, asked, work); },
             [this](std::shared_ptr<const AuditReport> report) {
               merged_ = std::move(report);
               wanted_ = -1;
               emit changed();
             });
  emit changed();
}

}  // namespace shardlens::ui

#include "moc_epoch_audit.cpp"
