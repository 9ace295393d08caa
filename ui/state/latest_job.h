// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/work.h"

#include <QMetaObject>
#include <QObject>
#include <QThreadPool>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

namespace shardlens::ui {

/// One background computation at a time of which only the newest counts: starting another stops the one under way and
/// its result is never delivered. Lives on the receiver's thread, as a member of the receiver.
class LatestJob {
 public:
  explicit LatestJob(QObject* receiver) : receiver_(receiver) { pool_.setMaxThreadCount(2); }
  ~LatestJob() { cancel(), pool_.waitForDone(); }
  LatestJob(const LatestJob&) = delete;
  LatestJob& operator=(const LatestJob&) = delete;

  [[nodiscard]] bool isBusy() const { return busy_; }
  /// No job of this program is computing: everything on the screen is final. For the GUI thread.
  [[nodiscard]] static bool allIdle() { return busyJobs() == 0; }
  /// Stops the computation; nothing of it is delivered.
  void cancel() {
    stop_.request_stop();
    setBusy(false);
  }

  /// Runs compute(work) -> std::optional<Value> on another thread; when it was not stopped, deliver(value) on the
  /// receiver's thread. `progress` (0..1), where given, is called on the receiver's thread too.
  template <class Compute, class Deliver>
  void start(Compute compute, Deliver deliver, std::function<void(double)> progress = {}) {
    cancel();
    stop_ = {};
    setBusy(true);
    const Work work{stop_.get_token(), reporter(std::move(progress))};
    pool_.start([this, work, compute = std::move(compute), deliver = std::move(deliver)]() mutable {
      auto value = compute(work);
      post([this, work, value = std::move(value), deliver = std::move(deliver)]() mutable {
        if (work.stopped()) return;
        setBusy(false);
        if (value) deliver(std::move(*value));
      });
    });
  }

 private:
  template <class Call>
  void post(Call call) {
    QMetaObject::invokeMethod(receiver_, std::move(call), Qt::QueuedConnection);
  }
  std::function<void(double)> reporter(std::function<void(double)> progress) {
    if (!progress) return {};
    return [this, stop = stop_.get_token(), progress = std::move(progress)](double fraction) {
      if (stop.stop_requested()) return;
      post([stop, progress, fraction] {
        if (!stop.stop_requested()) progress(fraction);
      });
    };
  }

  static int& busyJobs() {
    static int count = 0;
    return count;
  }
  void setBusy(bool busy) {
    busyJobs() += static_cast<int>(busy) - static_cast<int>(busy_);
    busy_ = busy;
  }

  QObject* receiver_;
  QThreadPool pool_;
  std::stop_source stop_;
  bool busy_ = false;
};

}  // namespace shardlens::ui
