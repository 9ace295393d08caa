// SPDX-License-Identifier: Apache-2.0
#include "core/record/write_queue.h"

#include "core/base/process.h"

#include <utility>

namespace shardlens {

Result<std::unique_ptr<WriteQueue>> WriteQueue::start(std::unique_ptr<FrameSink> sink) {
  std::unique_ptr<WriteQueue> queue(new WriteQueue(std::move(sink)));
  WriteQueue* const self = queue.get();
  const NoSignals none;
  const auto started =
      guarded([self] { self->thread_ = std::jthread([self](const std::stop_token& end) { self->loop(end); }); });
  if (!started) return started.error();
  return queue;
}

WriteQueue::~WriteQueue() {
  thread_.request_stop();
}

void WriteQueue::push(std::string frames) {
  {
    const MutexLock lock(mutex_);
    if (!failure_) return;
    if (frames_.empty()) {
      frames_ = std::move(frames);
    } else {
      frames_ += frames;
    }
  }
  wake_.notify_one();
}

void WriteQueue::wait() {
  MutexLock lock(mutex_);
  written_.wait(lock, [this]() SHARDLENS_REQUIRES(mutex_) { return frames_.empty() && under_way_ == 0; });
}

std::size_t WriteQueue::waiting() const {
  const MutexLock lock(mutex_);
  return frames_.size() + under_way_;
}

Result<void> WriteQueue::failure() const {
  const MutexLock lock(mutex_);
  return failure_;
}

void WriteQueue::loop(const std::stop_token& end) {
  while (const auto frames = next(end)) finish(guarded([&] { return sink_->write(*frames); }));
}

/// Also after the end was asked for: what was pushed is written.
std::optional<std::string> WriteQueue::next(const std::stop_token& end) {
  MutexLock lock(mutex_);
  if (!wake_.wait(lock, end, [this]() SHARDLENS_REQUIRES(mutex_) { return !frames_.empty(); })) return std::nullopt;
  under_way_ = frames_.size();
  return std::exchange(frames_, {});
}

void WriteQueue::finish(const Result<void>& wrote) {
  {
    const MutexLock lock(mutex_);
    under_way_ = 0;
    if (!wrote) {
      failure_ = wrote;
      frames_.clear();
    }
  }
  written_.notify_all();
}

}  // namespace shardlens
