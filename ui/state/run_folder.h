// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/process.h"
#include "core/base/result.h"
#include "core/spec/pipeline_spec.h"

#include <QDateTime>
#include <QString>

#include <filesystem>
#include <optional>
#include <vector>

namespace shardlens::ui {

/// The files of one launched job, in a folder of their own.
struct RunFolder {
  std::filesystem::path path;

  [[nodiscard]] std::filesystem::path spec() const { return path / "spec.yaml"; }
  [[nodiscard]] std::filesystem::path runFile() const { return path / "run.slrun"; }
  [[nodiscard]] std::filesystem::path log() const { return path / "job.log"; }

  /// Which process supervises the job, so that a later session can tell whether it still runs.
  Result<void> writeProcess(const ProcessId& process) const;
  [[nodiscard]] std::optional<ProcessId> process() const;
  /// What the supervisor said last, as one sentence; empty when it said nothing.
  [[nodiscard]] std::string lastWords() const;
};

/// A job of this user, running or over.
struct KnownRun {
  QString run_file;
  QString name;
  QDateTime started;
  bool active = false;  ///< its supervisor still runs
};

/// Where runs are kept: SHARDLENS_RUNS, else the application's own data folder.
std::filesystem::path runsRoot();
/// A fresh folder <name>-<date> below `root`, with the spec in it.
Result<RunFolder> makeRunFolder(const std::filesystem::path& root, const PipelineSpec& spec);
/// Newest first, at most `most`.
std::vector<KnownRun> knownRuns(const std::filesystem::path& root, std::size_t most = 50);

}  // namespace shardlens::ui
