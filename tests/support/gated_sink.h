// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/record/write_queue.h"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace shardlens::test {

/// A disk that a test can hold up. What it was given is kept.
class Gate {
 public:
  void close() { set(false); }
  void open() { set(true); }
  [[nodiscard]] std::string bytes() {
    const std::lock_guard lock(mutex_);
    return bytes_;
  }
  /// A write waited so long that whoever should have opened the gate must have waited for the write.
  [[nodiscard]] bool gaveUp() {
    const std::lock_guard lock(mutex_);
    return gave_up_;
  }
  void write(std::string_view frames) {
    std::unique_lock lock(mutex_);
    if (!gave_up_ && !changed_.wait_for(lock, std::chrono::seconds(20), [this] { return is_open_; })) gave_up_ = true;
    bytes_ += frames;
  }

 private:
  void set(bool open) {
    {
      const std::lock_guard lock(mutex_);
      is_open_ = open;
    }
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_open_ = true;
  bool gave_up_ = false;
  std::string bytes_;
};

class GatedSink : public FrameSink {
 public:
  explicit GatedSink(std::shared_ptr<Gate> gate) : gate_(std::move(gate)) {}
  Result<void> write(std::string_view frames) override {
    gate_->write(frames);
    return {};
  }

 private:
  std::shared_ptr<Gate> gate_;
};

}  // namespace shardlens::test
