// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/record/write_queue.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace shardlens::cli {

/// Standard output and standard error of a process that must wait for neither: a thread writes what was put, in its
/// order. Who reads may be slow, may have stopped (a pager, Ctrl+S), or may have gone (`| head`): the job that is being
/// watched goes on.
class Screen {
 public:
  /// Text that is shown and not yet read, at most.
  static constexpr std::size_t kMostWaiting = std::size_t{4} << 20;

  /// Environment when the machine has no thread for it.
  static Result<Screen> open();

  /// So much waits already that what can be left out should be.
  [[nodiscard]] bool isFull() const { return queue_->waiting() > kMostWaiting; }
  /// `text` for the descriptor STDOUT_FILENO or STDERR_FILENO. Never waits.
  void put(int fd, std::string_view text);
  /// Returns when everything was written, or cannot be.
  void finish();

 private:
  explicit Screen(std::unique_ptr<WriteQueue> queue) : queue_(std::move(queue)) {}

  std::unique_ptr<WriteQueue> queue_;
};

}  // namespace shardlens::cli
