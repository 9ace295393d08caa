// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/latest_job.h"
#include "ui/state/plan_service.h"
#include "ui/state/playback.h"

#include <QObject>

#include <memory>
#include <optional>

namespace shardlens::ui {

/// The audit as it is in the epoch under the playhead. The plan's own is about the first epoch; another one is audited
/// in a worker when a view asks. In a copy of the report its ledger is then the first, and overlap and seeds are its.
class EpochAudit : public QObject {
  Q_OBJECT

 public:
  EpochAudit(const PlanService& plans, const Playback& playback);

  /// The newest report that is about the playhead's epoch, else the plan's own; null before the first.
  [[nodiscard]] std::shared_ptr<const AuditReport> report() const;
  /// The epoch under the playhead, when report() is about another one.
  [[nodiscard]] std::optional<qint64> missing() const;
  [[nodiscard]] bool isBusy() const { return job_.isBusy(); }
  /// Audits the playhead's epoch unless that is done or under way.
  void want();

 signals:
  void changed();

 private:
  [[nodiscard]] std::shared_ptr<const AuditReport> own() const;

  const PlanService& plans_;
  const Playback& playback_;
  std::shared_ptr<const AuditReport> of_;      ///< the plan's own report that merged_ was made from
  std::shared_ptr<const AuditReport> merged_;  ///< with the coverage and the overlap of another epoch
  qint64 wanted_ = -1;                         ///< under way
  LatestJob job_;
};

}  // namespace shardlens::ui
