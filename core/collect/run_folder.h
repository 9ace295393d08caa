// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/process.h"
#include "core/base/result.h"
#include "core/spec/pipeline_spec.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace shardlens {

/// The variable that tells a supervisor where to write the text of an error beside printing it; it keeps the variable
/// from the processes that it starts.
constexpr const char* kFailureVariable = "SHARDLENS_FAILURE_FILE";

/// The files of one launched job, in a folder of their own.
struct RunFolder {
  std::filesystem::path path;

  [[nodiscard]] std::filesystem::path spec() const { return path / "spec.yaml"; }
  [[nodiscard]] std::filesystem::path runFile() const { return path / "run.slrun"; }
  [[nodiscard]] std::filesystem::path elsewhere() const { return path / "elsewhere"; }  ///< says where runFile() is
  [[nodiscard]] std::filesystem::path log() const { return path / "job.log"; }
  [[nodiscard]] std::filesystem::path failure() const { return path / "failure.txt"; }

  /// Which process supervises the job, so that a later session can tell whether it still runs.
  Result<void> writeProcess(const ProcessId& process) const;
  [[nodiscard]] std::optional<ProcessId> process() const;
  /// Why the supervisor failed, or else what it printed last, as one sentence; empty when it said nothing.
  [[nodiscard]] std::string lastWords() const;
};

/// A job of this user, running or over.
struct KnownRun {
  std::filesystem::path run_file;
  std::string name;            ///< of its spec, as far as a file name can hold it
  std::int64_t started_s = 0;  ///< seconds since 1970; 0 = not known
  bool active = false;         ///< its supervisor still runs
};

/// Where the runs of this user are kept: SHARDLENS_RUNS, else a folder of the user's data.
std::filesystem::path runsRoot();
/// The name of a run of this spec in the file system: "<name>-<date>-<time>", local time, whatever the name holds.
std::string runName(const std::string& spec_name);
/// A fresh folder runName() below `root`. Environment when it cannot be made.
Result<RunFolder> makeRunFolder(const std::filesystem::path& root, const std::string& name);
/// The same for a run of this spec, which is written into it.
Result<RunFolder> makeRunFolder(const std::filesystem::path& root, const PipelineSpec& spec);
/// Lists a recording that lies elsewhere, and that this process writes, among the runs below `root`, and lists no more
/// those that are gone. That it cannot be listed is no reason not to record it: nothing is said of it.
void listRun(const std::filesystem::path& root, const std::filesystem::path& recording, const std::string& name);
/// The runs in the folders below `root`, and those listed there, newest first, at most `most`.
std::vector<KnownRun> knownRuns(const std::filesystem::path& root, std::size_t most = 50);

}  // namespace shardlens
