// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/thread_annotations.h"

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

namespace shardlens {

/// Takes the bytes of a segment, whole frames at a time.
class FrameSink {
 public:
  virtual ~FrameSink() = default;
  /// Returns when the operating system has them, however long that takes. Not called again after its first error.
  virtual Result<void> write(std::string_view frames) = 0;
};

/// Writes frames on a thread of its own, so that a slow disk delays no other thread. The thread takes no signals. The
/// owner's functions are for one thread.
class WriteQueue {
 public:
  /// Environment when the machine has no thread for it.
  static Result<std::unique_ptr<WriteQueue>> start(std::unique_ptr<FrameSink> sink);
  /// Waits until everything is written.
  ~WriteQueue();
  WriteQueue(const WriteQueue&) = delete;
  WriteQueue& operator=(const WriteQueue&) = delete;

  /// Never waits for the sink.
  void push(std::string frames) SHARDLENS_EXCLUDES(mutex_);
  /// Returns when everything pushed has been written, or after an error.
  void wait() SHARDLENS_EXCLUDES(mutex_);
  /// Bytes that were pushed and are not yet written.
  [[nodiscard]] std::size_t waiting() const SHARDLENS_EXCLUDES(mutex_);
  /// The sink's first error. What was pushed since is lost.
  [[nodiscard]] Result<void> failure() const SHARDLENS_EXCLUDES(mutex_);

 private:
  explicit WriteQueue(std::unique_ptr<FrameSink> sink) : sink_(std::move(sink)) {}
  void loop(const std::stop_token& end);
  std::optional<std::string> next(const std::stop_token& end) SHARDLENS_EXCLUDES(mutex_);
  void finish(const Result<void>& wrote) SHARDLENS_EXCLUDES(mutex_);

  std::unique_ptr<FrameSink> sink_;
  mutable Mutex mutex_;
  std::condition_variable_any wake_;
  std::condition_variable_any written_;
  std::string frames_ SHARDLENS_GUARDED_BY(mutex_);
  std::size_t under_way_ SHARDLENS_GUARDED_BY(mutex_) = 0;  ///< bytes that the sink has been given
  Result<void> failure_ SHARDLENS_GUARDED_BY(mutex_);
  std::jthread thread_;  ///< last: it uses all of the above
};

}  // namespace shardlens
