// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/latest_job.h"

#include <QCoreApplication>
#include <QThread>

#include <condition_variable>
#include <thread>

namespace shardlens::ui {
namespace {

struct Dropped {
  const void* object;
  void (*destroy)(const void*);
};

/// One thread that lives as long as the program.
class Releaser {
 public:
  Releaser() {
    std::thread([this] { loop(); }).detach();
  }

  void take(Dropped dropped) {
    const MutexLock lock(mutex_);
    waiting_.push_back(dropped);
    wake_.notify_one();
  }

 private:
  [[noreturn]] void loop() {
    while (true) {
      for (const Dropped& dropped : next()) dropped.destroy(dropped.object);
    }
  }
  std::vector<Dropped> next() {
    MutexLock lock(mutex_);
    while (waiting_.empty()) wake_.wait(lock);
    return std::exchange(waiting_, {});
  }

  Mutex mutex_;
  std::condition_variable_any wake_;
  std::vector<Dropped> waiting_ SHARDLENS_GUARDED_BY(mutex_);
};

/// Never destroyed: objects are dropped until the very end.
Releaser& releaser() {
  static auto& one = *new Releaser;
  return one;
}

bool isGuiThread() {
  const QCoreApplication* app = QCoreApplication::instance();
  return app != nullptr && QThread::currentThread() == app->thread();
}

using Clock = std::chrono::steady_clock;

LatestJob::HandOver handingOver(const std::shared_ptr<Courier>& courier, const Work& work) {
  return [courier, work](Courier::Call deliver) {
    courier->send([work, deliver = std::move(deliver)] {
      if (!work.stopped()) deliver();
    });
  };
}

Work reporting(const Work& work, const LatestJob::Progress& progress, const LatestJob::HandOver& hand_over) {
  if (!progress) return work;
  return {work.stop, [progress, hand_over, last = Clock::time_point()](double fraction) mutable {
            if (Clock::now() - last < kReportEvery) return;
            last = Clock::now();
            hand_over([progress, fraction] { progress(fraction); });
          }};
}

}  // namespace

void releaseElsewhere(const void* object, void (*destroy)(const void*)) noexcept {
  if (isGuiThread() && guarded([&] { releaser().take({object, destroy}); })) return;
  destroy(object);
}

Courier::Courier() {
  connect(this, &Courier::sent, this, &Courier::makeCalls, Qt::QueuedConnection);
}

void Courier::send(Call call) {
  bool first = false;
  {
    const MutexLock lock(mutex_);
    first = calls_.empty();
    calls_.push_back(std::move(call));
  }
  if (first) emit sent({});
}

void Courier::makeCalls() {
  std::vector<Call> calls;
  {
    const MutexLock lock(mutex_);
    calls.swap(calls_);
  }
  for (const Call& call : calls) call();
}

JobFailures& JobFailures::ofProgram() {
  static JobFailures failures;
  return failures;
}

LatestJob::~LatestJob() {
  cancel();
}

void LatestJob::cancel() {
  worker_.cancel();
  setBusy(false);
}

void LatestJob::startParts(ComputeParts compute, Progress progress, Fail fail) {
  cancel();
  setBusy(true);
  auto job = [this, courier = courier_, compute = std::move(compute), progress = std::move(progress),
              fail](const Work& stopping) {
    const HandOver hand_over = handingOver(courier, stopping);
    const Result<void> done = guarded([&] { compute(reporting(stopping, progress, hand_over), hand_over); });
    const std::optional<Error> error = done ? std::nullopt : std::optional(done.error());
    (void)guarded([&] { hand_over([this, fail, error] { end(fail, error); }); });
  };
  const auto submitted = worker_.submit(std::move(job));
  if (!submitted) end(fail, submitted.error());
}

void LatestJob::end(const Fail& fail, const std::optional<Error>& error) {
  setBusy(false);
  if (!error) return;
  if (fail) return fail(*error);
  emit JobFailures::ofProgram().failed(QString::fromStdString(error->text()));
}

int& LatestJob::busyJobs() {
  static int count = 0;
  return count;
}

void LatestJob::setBusy(bool busy) {
  busyJobs() += static_cast<int>(busy) - static_cast<int>(busy_);
  busy_ = busy;
}

}  // namespace shardlens::ui

#include "moc_latest_job.cpp"
