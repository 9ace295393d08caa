// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/process.h"
#include "core/base/result.h"
#include "core/base/thread_annotations.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace shardlens {

/// A process in a session of its own that outlives us: it does not depend on our terminal, pipes or lifetime. Safe to
/// use from several threads.
class JobProcess {
 public:
  /// `arguments` begins with the program. Both outputs go to the file `log` of a RunFolder, and it is told to write
  /// into that folder why it fails. It runs in `folder`; empty: in ours.
  static Result<std::shared_ptr<JobProcess>> start(const std::vector<std::string>& arguments,
                                                   const std::filesystem::path& log,
                                                   const std::filesystem::path& folder = {});

  [[nodiscard]] ProcessId id() const { return id_; }
  /// Its exit code once it has ended (128 + the signal when one ended it); collects it then, so that no zombie stays.
  std::optional<int> exitCode();

 private:
  explicit JobProcess(ProcessId id) : id_(id) {}

  ProcessId id_;
  Mutex mutex_;
  std::optional<int> exit_code_ SHARDLENS_GUARDED_BY(mutex_);
};

/// Longer than a supervisor takes to end a job that does not obey.
constexpr std::chrono::milliseconds kEndPatience{12'000};

/// Asks the supervisor of a job to end it and waits; after `patience` it kills the supervisor and all its descendants
/// that are left. Returns when all are gone, or another `patience` later when the kernel does not let go of one. Call
/// it on a thread of its own.
void endJob(ProcessId supervisor, std::chrono::milliseconds patience = kEndPatience);

}  // namespace shardlens
