// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/plan_service.h"

#include "core/schedule/schedule.h"
#include "core/spec/validate.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iterator>

namespace shardlens::ui {
namespace {

bool listsBatches(const RankEpoch& rank) {
  const OrderPtr& order = rank.slice().order();
  return order != nullptr && order->deal() != nullptr && order->deal()->lists_batches;
}

qint64 firstBatch(const RankEpoch& rank) {
  return rank.batches() > 0 ? rank.batch(Step{0}).size() : 0;
}

/// Whether the batches of every step have equal sizes. Batches that a sampler lists are not compared.
bool isAlike(const RankEpoch& a, const RankEpoch& b) {
  return !listsBatches(a) && !listsBatches(b) && a.size() == b.size() && a.batches() == b.batches() &&
         firstBatch(a) == firstBatch(b);
}

using Clock = std::chrono::steady_clock;

double millisSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

bool makePlan(PlanSnapshot& snapshot, SamplerCatalogue catalogue) {
  ValidatedSpec checked = validated(snapshot.spec, catalogue);
  snapshot.issues = std::move(checked.issues);
  if (!checked.spec) return false;
  auto plan = Plan::make(*std::move(checked.spec));
  if (!plan) {
    snapshot.issues = {plan.error()};
    return false;
  }
  snapshot.plan = *std::move(plan);
  return true;
}

/// Where counts need no order.
void countEpoch(PlanSnapshot& snapshot, Epoch epoch, const Work& work) {
  if (!snapshot.plan->knowsShapes()) return;
  if (auto shape = snapshot.plan->epochShape(epoch, work)) snapshot.shape = releasedElsewhere(*std::move(shape));
}

bool computeEpoch(PlanSnapshot& snapshot, Epoch epoch, const Work& work) {
  const auto start = Clock::now();
  auto computed = snapshot.plan->epoch(epoch, work);
  if (!computed) {
    snapshot.issues = {computed.error()};
    return false;
  }
  snapshot.plan_ms = millisSince(start);
  snapshot.outline = EpochOutline::of(*computed, work);
  if (!snapshot.plan->knowsShapes()) snapshot.shape = releasedElsewhere(shapeOf(*computed));
  snapshot.epoch = releasedElsewhere(*std::move(computed));
  return true;
}

void followSchedule(PlanSnapshot& snapshot, const Work& work) {
  snapshot.hang = std::make_shared<const ScheduleHang>(schedule::hangOf(*snapshot.plan, {work.stop, {}}));
}

void computeAudit(PlanSnapshot& snapshot, const Work& work) {
  AuditOptions options;
  options.hang = snapshot.hang.get();
  options.epochs = usualEpochs(*snapshot.plan, 0, {work.stop, {}});
  auto report = audit(*snapshot.plan, options, work);
  if (report) {
    snapshot.audit = releasedElsewhere(*std::move(report));
  } else {
    snapshot.issues = {report.error()};
  }
}

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

std::shared_ptr<const EpochOutline> EpochOutline::of(const EpochPlan& epoch, const Work& work) {
  EpochOutline out;
  out.steps = epoch.steps();
  out.fewest_steps = out.steps;
  for (qint64 at = 0; at < std::ssize(epoch.ranks); ++at) {
    if (work.stopped()) return nullptr;
    const RankEpoch& rank = epoch.ranks[static_cast<std::size_t>(at)];
    out.fewest_steps = std::min<qint64>(out.fewest_steps, rank.batches());
    out.items += rank.size();
    out.handed_out += rank.handedOut();
    out.most_in_first_batch = std::max(out.most_in_first_batch, firstBatch(rank));
    if (rank.batches() < out.steps) out.ragged.push_back({at, rank.batches(), out.steps - 1});
    const std::vector<std::int64_t> padding = rank.padding();
    if (!padding.empty()) {
      out.padded.push_back({at, rank.stepOf(padding.front())->value, rank.stepOf(padding.back())->value});
    }
    if (at == 0 || !isAlike(epoch.ranks[static_cast<std::size_t>(at - 1)], rank)) out.alike.push_back(at);
  }
  return releasedElsewhere(std::move(out));
}

qint64 EpochOutline::samplesOf(const EpochPlan& epoch, Step step, qint64 first, qint64 last) const {
  qint64 samples = 0;
  auto next = std::ranges::upper_bound(alike, first);
  while (first < last) {
    const RankEpoch& rank = epoch.ranks[static_cast<std::size_t>(*std::prev(next))];
    const qint64 end = next == alike.end() ? last : std::min(*next++, last);
    if (step.value < rank.batches()) samples += rank.batch(step).size() * (end - first);
    first = end;
  }
  return samples;
}

PlanService::PlanService(SamplerCatalogue catalogue)
    : catalogue_(catalogue), snapshot_(std::make_shared<const PlanSnapshot>()) {}

PlanService::~PlanService() = default;

void PlanService::request(const PipelineSpec& spec, Epoch epoch) {
  PlanSnapshot known;
  if (snapshot_->plan && snapshot_->spec == spec) known = *snapshot_;
  known.generation = ++generation_;
  known.spec = spec;
  known.issues.clear();
  const auto asked = releasedElsewhere(std::move(known));
  job_.startParts(
      [this, asked, epoch](const Work& work, const LatestJob::HandOver& hand_over) {
        compute(*asked, epoch, work, hand_over);
      },
      {},
      [this, asked](const Error& error) {
        // What was known before stays beside the reason.
        PlanSnapshot failed = snapshot_->generation == asked->generation ? *snapshot_ : *asked;
        failed.issues = {error};
        take(releasedElsewhere(std::move(failed)), true);
      });
  setBusy(true);
}

void PlanService::refuse(const PipelineSpec& spec, const Error& why) {
  cancel();
  PlanSnapshot refused;
  refused.generation = generation_;
  refused.spec = spec;
  refused.issues = {why};
  take(releasedElsewhere(std::move(refused)), true);
}

void PlanService::cancel() {
  job_.cancel();
  ++generation_;
  setBusy(false);
}

void PlanService::forget() {
  cancel();
  snapshot_ = std::make_shared<const PlanSnapshot>();
  last_good_.reset();
  emit snapshotChanged();
}

/// On a worker's thread.
void PlanService::compute(PlanSnapshot snapshot, Epoch epoch, const Work& work, const LatestJob::HandOver& hand_over) {
  const bool planned = snapshot.plan.has_value() || makePlan(snapshot, catalogue_);
  const Epoch shown{planned ? std::min(epoch.value, snapshot.plan->epochs() - 1) : 0};
  if (planned && snapshot.spec.schedule.empty()) followSchedule(snapshot, work);
  if (planned) countEpoch(snapshot, shown, work);
  publish(snapshot, !planned, hand_over);
  if (!planned) return;
  const bool drawn = computeEpoch(snapshot, shown, reporting(work, hand_over, "order"));
  const bool to_audit = drawn && snapshot.audit == nullptr;
  publish(snapshot, !to_audit && snapshot.hang != nullptr, hand_over);
  if (snapshot.hang == nullptr) {
    followSchedule(snapshot, work);
    publish(snapshot, !to_audit, hand_over);
  }
  if (!to_audit) return;
  computeAudit(snapshot, reporting(work, hand_over, "audit"));
  publish(snapshot, true, hand_over);
}

Work PlanService::reporting(const Work& work, const LatestJob::HandOver& hand_over, const QString& what) {
  return {work.stop, [this, hand_over, what, last = Clock::time_point()](double fraction) mutable {
            if (Clock::now() - last < kReportEvery) return;
            last = Clock::now();
            hand_over([this, fraction, what] { emit progressed(fraction, what); });
          }};
}

void PlanService::publish(const PlanSnapshot& snapshot, bool last, const LatestJob::HandOver& hand_over) {
  hand_over([this, part = releasedElsewhere(PlanSnapshot(snapshot)), last] { take(part, last); });
}

void PlanService::take(const PlanSnapshotPtr& part, bool last) {
  snapshot_ = part;
  if (part->plan && part->epoch) last_good_ = part;
  if (last) setBusy(false);
  emit snapshotChanged();
}

void PlanService::setBusy(bool busy) {
  if (busy == busy_) return;
  busy_ = busy;
  emit busyChanged(busy);
}

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

#include "moc_plan_service.cpp"
