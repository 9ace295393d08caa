// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/latest_job.h"

#include <QEventLoop>

#include <optional>
#include <type_traits>
#include <utility>

namespace shardlens::ui {

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
