// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/process.h"
#include "core/diagnose/reducer.h"
#include "core/record/recording_reader.h"
#include "tests/support/temp_folder.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::test {

/// Whether jobs can be launched here; says SKIPPED on stdout when not.
bool hasMpirun();

/// Waits for it; false when it did not come true within five minutes.
bool eventually(const std::function<bool()>& is_true);

/// The spec of a job of this many ranks with short steps.
std::string specOf(int ranks, int samples, const std::string& run = "load_ms: 2, compute_ms: 3, gradient_kb: 10");

/// The arguments of a run whose ranks are mpi_rank, in this many groups.
std::vector<std::string> inGroups(int groups);

/// One `shardlens run`, in a process of its own, in a folder of its own. Its destructor ends it.
class RunningJob {
 public:
  /// `arguments` come after "run spec.yaml --run-file run.slrun"; `path` replaces PATH when not empty.
  RunningJob(const std::string& spec, std::vector<std::string> arguments = {}, const std::string& path = {});
  ~RunningJob();
  RunningJob(const RunningJob&) = delete;
  RunningJob& operator=(const RunningJob&) = delete;

  /// Follows the run file until the state satisfies `is_there`, or the job has ended. Fails the test after five
  /// minutes.
  RunState await(const std::function<bool(const RunState&)>& is_there);
  /// The exit code, when it has ended.
  int wait();
  void signal(int number) const;
  /// Processes of this job as they are now, the warden first, then the launcher, or ranks; remembered for leftovers().
  std::vector<ProcessStat> processes();

  /// What the job left: processes seen by processes() that still live, and its folder. Empty when nothing.
  [[nodiscard]] std::string leftovers() const;
  /// Whether this is the job's folder in memory.
  [[nodiscard]] bool isFolder(const std::filesystem::path& path) const;
  [[nodiscard]] std::string output() const { return slurp(folder_ / "stdout"); }
  [[nodiscard]] std::string errors() const { return slurp(folder_ / "stderr"); }
  [[nodiscard]] std::string runFile() const { return (folder_ / "run.slrun").string(); }
  [[nodiscard]] std::string specFile() const { return (folder_ / "spec.yaml").string(); }

 private:
  TempFolder folder_;
  pid_t pid_ = 0;
  std::optional<int> code_;
  std::optional<RecordingReader> reader_;
  Reducer reducer_;
  std::string job_id_;
  std::vector<ProcessId> seen_;
};

/// `shardlens <line>`, its exit code and what it says on stdout as JSON.
std::pair<int, nlohmann::json> jsonOf(const std::string& line);

}  // namespace shardlens::test
