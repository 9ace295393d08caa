// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/audit.h"
#include "core/base/work.h"
#include "core/plan/plan.h"
#include "core/sampling/registry.h"
#include "core/schedule/hang.h"
#include "ui/state/latest_job.h"
#include "ui/state/playback.h"

#include <QObject>
#include <QtGlobal>

#include <memory>
#include <optional>
#include <vector>

namespace shardlens::ui {

/// A rank that has something in some of its steps: the first of them, and the last.
struct MarkedRank {
  qint64 rank = 0;
  qint64 first = 0;
  qint64 last = 0;
  bool operator==(const MarkedRank&) const = default;
};

/// What all ranks of an epoch tell together without a look at their samples: counted once, off the GUI thread, so that
/// no frame asks every rank. An immutable value.
struct EpochOutline {
  qint64 steps = 0;                ///< batches of the rank that has most
  qint64 fewest_steps = 0;         ///< batches of the rank that has fewest
  qint64 items = 0;                ///< that the samplers yield
  qint64 handed_out = 0;           ///< of these, in batches
  qint64 most_in_first_batch = 0;  ///< samples of the largest first batch
  std::vector<MarkedRank> padded;  ///< ranks with padding, and the steps that have some; by rank
  std::vector<MarkedRank> ragged;  ///< ranks that run out, and the steps in which they have no batch; by rank
  std::vector<qint64> alike;       ///< ranks that begin a run of ranks whose batches have equal sizes; ascending

  /// Looks through every rank once, and lists its padding. Null when stopped.
  static std::shared_ptr<const EpochOutline> of(const EpochPlan& epoch, const Work& work = {});
  /// The samples that the ranks [first, last) get in a step of this epoch. Costs one look for each run of alike ranks:
  /// few, unless the sampler lists its batches.
  [[nodiscard]] qint64 samplesOf(const EpochPlan& epoch, Step step, qint64 first, qint64 last) const;
};

/// Where the schedule of a plan hangs, as schedule::hangOf() says it.
using ScheduleHang = Result<std::optional<schedule::Hang>>;

/// The newest answer for the document: an immutable value that panels keep and draw from. Parts arrive one after the
/// other: first the plan's counts, then the shown epoch, then where a schedule hangs, then the audit. Counts that only
/// drawing tells come with the epoch. Whoever shows it asks the plan for nothing that may draw: that is for workers.
struct PlanSnapshot {
  quint64 generation = 0;
  PipelineSpec spec;  ///< what this answers
  Issues issues;      ///< why there is no plan, or no epoch; empty when there is one
  std::optional<Plan> plan;
  std::shared_ptr<const EpochShape> shape;      ///< counts of the epoch that is to be shown; null until known
  std::shared_ptr<const EpochPlan> epoch;       ///< the shown epoch, null until computed
  std::shared_ptr<const EpochOutline> outline;  ///< of that epoch; null without one
  std::shared_ptr<const AuditReport> audit;     ///< null until computed; of the spec's first epochs, whichever is shown
  double plan_ms = 0;                           ///< time the epoch's order took
  std::shared_ptr<const ScheduleHang> hang;     ///< null until known; without a schedule it comes with the plan
};

using PlanSnapshotPtr = std::shared_ptr<const PlanSnapshot>;

/// Computes plans and audits off the GUI thread; the newest request wins and stops the older ones. What was thrown
/// meanwhile, for want of memory above all, is an issue of the snapshot.
class PlanService : public QObject {
  Q_OBJECT

 public:
  /// Specs are judged by `catalogue`; of its samplers, those can be planned that this build has a rule for.
  explicit PlanService(SamplerCatalogue catalogue = sampling::catalogue());
  ~PlanService() override;

  /// Never null; an empty snapshot before the first answer.
  [[nodiscard]] PlanSnapshotPtr snapshot() const { return snapshot_; }
  /// The newest snapshot that had a plan and its epoch: what to show dimmed while the spec has errors. May be null.
  [[nodiscard]] PlanSnapshotPtr lastGood() const { return last_good_; }
  /// From a request until its last part has arrived, or until cancel().
  [[nodiscard]] bool isBusy() const { return busy_; }

  /// A request for the spec of the snapshot in hand keeps its plan and its audit and computes the epoch alone.
  void request(const PipelineSpec& spec, Epoch epoch);
  /// There is no plan of this spec, and this is why.
  void refuse(const PipelineSpec& spec, const Error& why);
  /// Stops what is running; the last snapshot stays.
  void cancel();
  /// Stops what is running; the snapshot is as before the first answer, so that nothing of another document is shown.
  void forget();

 signals:
  void snapshotChanged();
  /// 0..1 while busy; `what` is "order", "audit".
  void progressed(double fraction, const QString& what);
  void busyChanged(bool busy);

 private:
  void compute(PlanSnapshot known, Epoch epoch, const Work& work, const LatestJob::HandOver& hand_over);
  Work reporting(const Work& work, const LatestJob::HandOver& hand_over, const QString& what);
  void publish(const PlanSnapshot& snapshot, bool last, const LatestJob::HandOver& hand_over);
  void take(const PlanSnapshotPtr& part, bool last);
  void setBusy(bool busy);

  SamplerCatalogue catalogue_;
  PlanSnapshotPtr snapshot_;
  PlanSnapshotPtr last_good_;
  quint64 generation_ = 0;
  bool busy_ = false;
  LatestJob job_;  ///< last: it hands over to all of the above
};

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
  [[nodiscard]] std::shared_ptr<const AuditReport> own() const { return plans_.snapshot()->audit; }

  const PlanService& plans_;
  const Playback& playback_;
  std::shared_ptr<const AuditReport> of_;      ///< the plan's own report that merged_ was made from
  std::shared_ptr<const AuditReport> merged_;  ///< with the coverage and the overlap of another epoch
  qint64 wanted_ = -1;                         ///< under way
  LatestJob job_;
};

}  // namespace shardlens::ui
