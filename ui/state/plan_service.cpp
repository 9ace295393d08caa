// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/plan_service.h"

#include "core/sampling/registry.h"
#include "core/spec/validate.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace shardlens::ui {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kReportEvery{40};

double millisSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

}  // namespace

/// The one background thread. It holds at most one waiting request: a newer one takes its place and stops the one in
/// work.
class PlanService::Worker {
 public:
  explicit Worker(PlanService& service)
      : service_(service), thread_([this](const std::stop_token& stop) { loop(stop); }) {}
  ~Worker() {
    current_.request_stop();
    thread_.request_stop();
    thread_.join();
  }

  /// `known` carries what is already computed for the same spec.
  void submit(PlanSnapshot known, Epoch epoch) {
    const std::lock_guard lock(mutex_);
    current_.request_stop();
    waiting_ = Job{std::move(known), epoch};
    wake_.notify_one();
  }

  void stop() {
    const std::lock_guard lock(mutex_);
    current_.request_stop();
    waiting_.reset();
  }

 private:
  struct Job {
    PlanSnapshot snapshot;
    Epoch epoch;
  };

  void loop(const std::stop_token& stop) {
    while (auto job = next(stop)) run(std::move(*job));
  }

  std::optional<Job> next(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    if (!wake_.wait(lock, stop, [this] { return waiting_.has_value(); })) return std::nullopt;
    current_ = std::stop_source();
    return std::exchange(waiting_, std::nullopt);
  }

  void run(Job job) {
    Work work{current_.get_token(), {}};
    PlanSnapshot& snapshot = job.snapshot;
    const bool planned = snapshot.plan.has_value() || makePlan(snapshot);
    publish(snapshot, work, !planned);
    if (!planned) return;
    if (!computeEpoch(snapshot, job.epoch, reporting(work, snapshot.generation, "order"))) {
      publish(snapshot, work, true);
      return;
    }
    const bool audited = snapshot.audit != nullptr;
    publish(snapshot, work, audited);
    if (audited) return;
    computeAudit(snapshot, reporting(work, snapshot.generation, "audit"));
    publish(snapshot, work, true);
  }

  static bool makePlan(PlanSnapshot& snapshot) {
    ValidatedSpec checked = validated(snapshot.spec, sampling::catalogue());
    snapshot.issues = std::move(checked.issues);
    if (!checked.spec) return false;
    auto plan = Plan::make(*std::move(checked.spec));
    if (!plan) {
      snapshot.issues = {plan.error()};
      return false;
    }
    snapshot.plan = *plan;
    return true;
  }

  static bool computeEpoch(PlanSnapshot& snapshot, Epoch epoch, const Work& work) {
    const auto start = Clock::now();
    const Epoch shown{std::min(epoch.value, snapshot.plan->epochs() - 1)};
    auto computed = snapshot.plan->epoch(shown, work);
    if (!computed) {
      snapshot.issues = {computed.error()};
      return false;
    }
    snapshot.plan_ms = millisSince(start);
    snapshot.epoch = std::make_shared<const EpochPlan>(*std::move(computed));
    return true;
  }

  static void computeAudit(PlanSnapshot& snapshot, const Work& work) {
    auto report = audit(*snapshot.plan, {}, work);
    if (report) {
      snapshot.audit = std::make_shared<const AuditReport>(*std::move(report));
    } else {
      snapshot.issues = {report.error()};
    }
  }

  Work reporting(const Work& work, quint64 generation, const QString& what) {
    Work with_report = work;
    with_report.report = [this, generation, what, last = Clock::time_point()](double fraction) mutable {
      if (Clock::now() - last < kReportEvery) return;
      last = Clock::now();
      emit service_.progressMade(generation, fraction, what, {});
    };
    return with_report;
  }

  void publish(const PlanSnapshot& snapshot, const Work& work, bool last) {
    if (work.stopped()) return;
    emit service_.partComputed(std::make_shared<const PlanSnapshot>(snapshot), last, {});
  }

  PlanService& service_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::optional<Job> waiting_;
  std::stop_source current_;
  std::jthread thread_;  // last: it uses all of the above
};

PlanService::PlanService(QObject* parent)
    : QObject(parent), snapshot_(std::make_shared<const PlanSnapshot>()), worker_(std::make_unique<Worker>(*this)) {
  connect(this, &PlanService::partComputed, this, &PlanService::take, Qt::QueuedConnection);
  connect(
      this, &PlanService::progressMade, this,
      [this](quint64 generation, double fraction, const QString& what) {
        if (generation == generation_ && busy_) emit progressed(fraction, what);
      },
      Qt::QueuedConnection);
}

PlanService::~PlanService() = default;

void PlanService::request(const PipelineSpec& spec, Epoch epoch) {
  PlanSnapshot known;
  if (snapshot_->plan && snapshot_->spec == spec) known = *snapshot_;
  known.generation = ++generation_;
  known.spec = spec;
  known.issues.clear();
  worker_->submit(std::move(known), epoch);
  setBusy(true);
}

void PlanService::cancel() {
  worker_->stop();
  ++generation_;
  setBusy(false);
}

void PlanService::take(const PlanSnapshotPtr& part, bool last) {
  if (part->generation != generation_) return;
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

}  // namespace shardlens::ui
