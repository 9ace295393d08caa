// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/monitor/run_state.h"
#include "core/spec/pipeline_spec.h"

#include <QObject>
#include <QString>

#include <memory>

namespace shardlens::ui {

using RunStatePtr = std::shared_ptr<const RunState>;

/// The job this window launched, follows or replays. The job itself runs under `shardlens run`, a process of its own
/// that writes a run file; this class starts that process and reads the file as it grows, so that a live job and a
/// recorded one are the same thing, and closing the window does not end a job.
class RunService : public QObject {
  Q_OBJECT

 public:
  explicit RunService(QObject* parent = nullptr);
  ~RunService() override;

  /// Null before the first job or recording.
  [[nodiscard]] RunStatePtr state() const { return state_; }
  [[nodiscard]] bool isActive() const;  ///< a job is starting or running
  [[nodiscard]] const QString& runFile() const { return run_file_; }
  /// "shardlens run spec.yaml --launcher mpirun": what launch() would execute, as one would type it.
  [[nodiscard]] QString commandLine(const QString& spec_path) const;

  /// Starts the job. The spec is written beside the run file, so that later edits do not touch it.
  Result<void> launch(const PipelineSpec& spec);
  /// Ends every process of the job; returns at once, state() tells when it is done.
  void stop();
  /// Shows a run file: a finished recording, or one that still grows.
  Result<void> open(const QString& run_file);
  /// For recordings: shows the state at this moment of the run; negative = the end.
  void seek(qint64 ns);

 signals:
  void stateChanged();  ///< at most 20 times a second
  void activeChanged(bool active);
  void failed(const QString& what);

 private:
  struct Private;
  std::unique_ptr<Private> d_;
  RunStatePtr state_;
  QString run_file_;
};

}  // namespace shardlens::ui
