// SPDX-License-Identifier: Apache-2.0
#include "core/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

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
      note(task_(index, Work{stop_.get_token(), {}}));
    }
  }

  Result<void> outcome() && {
    if (error_) return *std::move(error_);
    if (done_ < count_) return cancelled();
    return {};
  }

 private:
  void note(const Result<void>& result) {
    const std::scoped_lock lock(mutex_);
    if (result) {
      work_.progress(static_cast<double>(++done_) / static_cast<double>(count_));
      return;
    }
    if (!error_) error_ = result.error();
    stop_.request_stop();
  }

  std::size_t count_;
  const Work& work_;
  const Task& task_;
  std::stop_source stop_;
  std::stop_callback<std::function<void()>> forward_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::size_t done_ = 0;
  std::optional<Error> error_;
};

}  // namespace

Result<void> inParallel(std::size_t count, const Work& work, const Task& task) {
  Tasks tasks(count, work, task);
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  {
    std::vector<std::jthread> helpers;
    for (std::size_t i = 1; i < std::min(cores, count); ++i) helpers.emplace_back([&] { tasks.takeTurns(); });
    tasks.takeTurns();
  }
  return std::move(tasks).outcome();
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

}  // namespace shardlens
