// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/thread_annotations.h"
#include "core/base/work.h"

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

namespace shardlens {

/// One of several tasks that do not wait for each other.
using Task = std::function<Result<void>(std::size_t index, const Work& work)>;

/// Runs task(0) .. task(count - 1), each once and in no order, on as many threads as the machine has cores,
/// including the caller's; on fewer if the machine has no more threads. Progress is the share of tasks done,
/// reported by one thread at a time. Returns the first error, also for what a task throws. The other tasks are
/// then stopped by their own stop token, which also follows the one of `work`.
Result<void> inParallel(std::size_t count, const Work& work, const Task& task);
/// Runs the tasks one after the other, with the progress within each.
Result<void> inTurn(std::size_t count, const Work& work, const Task& task);

/// Runs jobs on threads of its own; only the newest job counts: submitting one stops those before it and replaces one
/// that still waits. The first job starts two threads: one runs the newest job while the job before it is about to
/// stop on the other. The owner's functions are for one thread at a time.
class NewestWorker {
 public:
  /// Should end soon when its work is stopped. What it throws is lost: a job that can fail must guard itself.
  using Job = std::function<void(const Work& work)>;

  NewestWorker() = default;
  /// Stops what is under way and waits for its end.
  ~NewestWorker();
  NewestWorker(const NewestWorker&) = delete;
  NewestWorker& operator=(const NewestWorker&) = delete;

  /// Returns the token that stops this job. Environment when the machine has no thread to run it: then it never runs.
  Result<std::stop_token> submit(Job job);
  /// Stops what is under way and forgets what waits.
  void cancel();

 private:
  struct Waiting {
    Job job;
    std::stop_token stop;
  };
  void loop(const std::stop_token& end);
  std::optional<Waiting> next(const std::stop_token& end);

  std::stop_source newest_;
  Mutex mutex_;
  std::condition_variable_any wake_;
  std::optional<Waiting> waiting_ SHARDLENS_GUARDED_BY(mutex_);
  std::vector<std::jthread> threads_;  ///< last: they use all of the above
};

}  // namespace shardlens
