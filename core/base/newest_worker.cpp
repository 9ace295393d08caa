// SPDX-License-Identifier: Apache-2.0
#include "core/base/newest_worker.h"

#include "core/base/guarded.h"

#include <utility>

namespace shardlens {
namespace {

constexpr std::size_t kThreads = 2;

}  // namespace

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
