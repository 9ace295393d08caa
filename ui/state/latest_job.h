// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/parallel.h"
#include "core/base/result.h"
#include "core/base/thread_annotations.h"
#include "core/base/work.h"

#include <QEventLoop>
#include <QObject>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace shardlens::ui {

/// Calls destroy(object): on a thread of its own where the GUI thread asks, at once elsewhere. Giving the memory of a
/// large order back to the system takes longer than a frame.
void releaseElsewhere(const void* object, void (*destroy)(const void*)) noexcept;

/// `value`, shared; whoever drops it last, the GUI thread does not wait for its end.
template <class T>
std::shared_ptr<T> releasedElsewhere(T value) {
  return {new T(std::move(value)), [](T* object) {
            releaseElsewhere(object, [](const void* dropped) { delete static_cast<const T*>(dropped); });
          }};
}

/// Hands calls from any thread to the thread that it lives on, in their order.
class Courier : public QObject {
  Q_OBJECT

 public:
  using Call = std::function<void()>;
  Courier();
  /// From any thread.
  void send(Call call) SHARDLENS_EXCLUDES(mutex_);

 signals:
  void sent(QPrivateSignal);

 private:
  void makeCalls() SHARDLENS_EXCLUDES(mutex_);

  Mutex mutex_;
  std::vector<Call> calls_ SHARDLENS_GUARDED_BY(mutex_);
};

/// Where the jobs of this program say what kept them from a result: an exception, no memory, no thread. For the window.
class JobFailures : public QObject {
  Q_OBJECT

 public:
  static JobFailures& ofProgram();

 signals:
  void failed(const QString& sentence);
};

/// Progress is told at most this often: each report crosses to the GUI thread.
constexpr std::chrono::milliseconds kReportEvery{40};

/// One background computation at a time of which only the newest counts: starting another stops the one under way and
/// its result is never delivered. Lives on the thread that its results are for; everything given to it is called there,
/// but for `compute`.
class LatestJob {
 public:
  /// Hands a part of the result over: `deliver` is called unless the job was stopped.
  using HandOver = std::function<void(Courier::Call deliver)>;
  using Progress = std::function<void(double fraction)>;
  using Fail = std::function<void(const Error& error)>;

  LatestJob() = default;
  ~LatestJob();
  LatestJob(const LatestJob&) = delete;
  LatestJob& operator=(const LatestJob&) = delete;

  [[nodiscard]] bool isBusy() const { return busy_; }
  /// No job of this program is computing: everything on the screen is final. For the GUI thread.
  [[nodiscard]] static bool allIdle() { return busyJobs() == 0; }
  /// Stops the computation; nothing of it is delivered.
  void cancel();

  /// Runs compute(work) -> std::optional<Value> on another thread; when it was not stopped, deliver(value). Progress
  /// (0..1) comes at most every 40 ms. `fail` gets what was thrown; without it JobFailures does.
  template <class Compute, class Deliver>
  void start(Compute compute, Deliver deliver, const Progress& progress = {}, const Fail& fail = {}) {
    startParts(
        [compute = std::move(compute), deliver = std::move(deliver)](const Work& work, const HandOver& hand_over) {
          auto value = compute(work);
          if (!value) return;
          hand_over([deliver, value = std::make_shared<std::decay_t<decltype(*value)>>(*std::move(value))] {
            deliver(std::move(*value));
          });
        },
        progress, fail);
  }

  /// The same for a result that comes in several parts.
  using ComputeParts = std::function<void(const Work& work, const HandOver& hand_over)>;
  void startParts(ComputeParts compute, Progress progress = {}, Fail fail = {});

 private:
  static int& busyJobs();
  void setBusy(bool busy);
  void end(const Fail& fail, const std::optional<Error>& error);

  bool busy_ = false;
  std::shared_ptr<Courier> courier_ = std::make_shared<Courier>();
  NewestWorker worker_;  ///< last: its jobs use the courier
};

/// Work that the user waits for, on another thread: the window goes on meanwhile, in an event loop of the call's own.
/// The newest call wins: one that is overtaken, or cancelled, gives nothing.
class AwaitedJob {
 public:
  AwaitedJob() = default;
  AwaitedJob(const AwaitedJob&) = delete;
  AwaitedJob& operator=(const AwaitedJob&) = delete;
  ~AwaitedJob() { cancel(); }

  /// What compute(work), a Result, gives; what it throws is its error. Whatever belongs to the window may have changed
  /// when this returns.
  template <class Compute>
  auto run(Compute compute) {
    using Given = std::invoke_result_t<Compute&, const Work&>;
    cancel();
    std::optional<Given> given;
    QEventLoop loop;
    loop_ = &loop;
    bool waiting = true;
    const auto end = [&] {
      waiting = false;
      loop.quit();
    };
    const auto deliver = [&given, end](Given value) {
      given.emplace(std::move(value));
      end();
    };
    const auto fail = [&given, end](const Error& error) {
      given.emplace(error);
      end();
    };
    job_.start([compute = std::move(compute)](const Work& work) { return std::optional(compute(work)); }, deliver, {},
               fail);
    if (waiting) loop.exec();
    if (loop_ == &loop) loop_ = nullptr;
    return given;
  }

  /// The call under way gives nothing.
  void cancel() {
    job_.cancel();
    if (loop_ != nullptr) std::exchange(loop_, nullptr)->quit();
  }

 private:
  QEventLoop* loop_ = nullptr;  ///< of the newest call, on its stack
  LatestJob job_;
};

}  // namespace shardlens::ui
