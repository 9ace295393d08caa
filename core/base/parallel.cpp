// SPDX-License-Identifier: Apache-2.0
#include "core/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace shardlens {
namespace {

class Tasks {
 public:
  Tasks(std::size_t count, const Work& work, const Task& task)
      : count_(count), work_(work), task_(task), forward_(work.stop, [this] { stop_.request_stop(); }) {}

  /// Takes tasks until none is left or one has failed.
  void takeTurns() {
    while (!stop_.stop_requested()) {
      const std::size_t index = next_.fetch_add(1);
      if (index >= count_) return;
      note(guarded([&] { return task_(index, Work{stop_.get_token(), {}}); }));
    }
  }

  /// Once every thread is done.
  Result<void> outcome() {
    const MutexLock lock(mutex_);
    if (error_) return *std::move(error_);
    if (done_ < count_) return cancelled();
    return {};
  }

 private:
  void note(const Result<void>& result) {
    if (!result) return fail(result.error());
    if (count()) report();
  }

  /// Counts a task that is done; true when no thread reports yet, and this one has to.
  bool count() {
    const MutexLock lock(mutex_);
    ++done_;
    return !std::exchange(reporting_, true);
  }

  void fail(const Error& error) {
    {
      const MutexLock lock(mutex_);
      if (!error_) error_ = error;
    }
    stop_.request_stop();
  }

  /// What is done, when that is more than `said`; else the reporting is over.
  std::optional<std::size_t> moreThan(std::size_t said) {
    const MutexLock lock(mutex_);
    reporting_ = done_ > said;
    return reporting_ ? std::optional(done_) : std::nullopt;
  }

  /// By one thread at a time, and without the lock: who listens may take as long as it likes.
  void report() {
    for (std::optional<std::size_t> done = moreThan(0); done; done = moreThan(*done)) {
      const double share = static_cast<double>(*done) / static_cast<double>(count_);
      if (const auto told = guarded([&] { work_.progress(share); }); !told) fail(told.error());
    }
  }

  std::size_t count_;
  const Work& work_;
  const Task& task_;
  std::stop_source stop_;
  std::stop_callback<std::function<void()>> forward_;
  std::atomic<std::size_t> next_{0};
  Mutex mutex_;
  std::size_t done_ SHARDLENS_GUARDED_BY(mutex_) = 0;
  bool reporting_ SHARDLENS_GUARDED_BY(mutex_) = false;
  std::optional<Error> error_ SHARDLENS_GUARDED_BY(mutex_);
};

constexpr std::size_t kThreads = 2;

}  // namespace

Result<void> inParallel(std::size_t count, const Work& work, const Task& task) {
  Tasks tasks(count, work, task);
  // One task needs no other thread: asking for the cores reads a file of the kernel's, which takes longer than many a
  // task.
  const std::size_t threads = count < 2 ? count : std::min<std::size_t>(count, std::thread::hardware_concurrency());
  {
    std::vector<std::jthread> helpers;
    // Where the machine has no more threads, fewer do the work.
    (void)guarded([&] {
      for (std::size_t i = 1; i < threads; ++i) helpers.emplace_back([&] { tasks.takeTurns(); });
    });
    tasks.takeTurns();
  }
  return tasks.outcome();
}

Result<void> inTurn(std::size_t count, const Work& work, const Task& task) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto all = static_cast<double>(count);
    const auto from = static_cast<double>(i);
    if (work.stopped()) return cancelled();
    if (auto done = task(i, work.part(from / all, (from + 1) / all)); !done) return done;
  }
  return {};
}

NewestWorker::~NewestWorker() {
  cancel();
  for (std::jthread& thread : threads_) thread.request_stop();
}

Result<std::stop_token> NewestWorker::submit(Job job) {
  newest_.request_stop();
  newest_ = std::stop_source();
  {
    const MutexLock lock(mutex_);
    waiting_ = Waiting{std::move(job), newest_.get_token()};
  }
  // All at the first job: later, jobs may be filling gigabytes, and who starts a thread waits for the address space.
  while (threads_.size() < kThreads) {
    const auto started = guarded([this] { threads_.emplace_back([this](const std::stop_token& end) { loop(end); }); });
    if (started) continue;
    if (!threads_.empty()) break;
    cancel();
    return started.error();
  }
  wake_.notify_one();
  return newest_.get_token();
}

void NewestWorker::cancel() {
  newest_.request_stop();
  const MutexLock lock(mutex_);
  waiting_.reset();
}

void NewestWorker::loop(const std::stop_token& end) {
  while (auto job = next(end)) {
    (void)guarded([&] { job->job(Work{job->stop, {}}); });
  }
}

std::optional<NewestWorker::Waiting> NewestWorker::next(const std::stop_token& end) {
  MutexLock lock(mutex_);
  const auto is_waiting = [this]() SHARDLENS_REQUIRES(mutex_) { return waiting_.has_value(); };
  if (!wake_.wait(lock, end, is_waiting)) return std::nullopt;
  return std::exchange(waiting_, std::nullopt);
}

}  // namespace shardlens
