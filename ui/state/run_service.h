// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/collect/job_process.h"
#include "core/collect/planned_batches.h"
#include "core/collect/run_folder.h"
#include "core/collect/run_replay.h"
#include "core/diagnose/run_state.h"
#include "core/spec/pipeline_spec.h"
#include "core/timeline/overview.h"

#include <QObject>
#include <QString>

#include <chrono>
#include <memory>
#include <vector>

namespace shardlens::ui {

using RunStatePtr = std::shared_ptr<const RunState>;

/// The job this window launched, follows or replays. The job itself runs under `shardlens run`, a process of its own
/// that writes a run file; this class starts that process and reads the file as it grows, so that a live job and a
/// recorded one are the same thing, and closing the window does not end a job.
class RunService : public QObject {
  Q_OBJECT

 public:
  /// `end_patience`: how long a job that is stopped has before it is killed.
  explicit RunService(QObject* parent = nullptr, std::chrono::milliseconds end_patience = kEndPatience);
  /// Waits for the end of jobs that stop() was called for, so that each of them has one.
  ~RunService() override;

  /// Null before the first job or recording.
  [[nodiscard]] RunStatePtr state() const { return state_; }
  /// Which batches were the planned ones lately. Null exactly when state() is.
  [[nodiscard]] std::shared_ptr<const BatchProof> proof() const { return proof_; }
  /// The run as a whole, moments after the shown one included; null while nothing is known of it.
  [[nodiscard]] std::shared_ptr<const Overview> overview() const { return overview_; }
  /// What the run's spec promises; null until the recording says which spec it is.
  [[nodiscard]] std::shared_ptr<const RunFacts> facts() const { return facts_; }

  /// Whether stop() can end the job: one that was started elsewhere is ended there.
  [[nodiscard]] bool canStop() const;
  [[nodiscard]] bool isActive() const { return active_; }      ///< a job is starting or running
  [[nodiscard]] bool isStopping() const { return stopping_; }  ///< stop() was called and the job has not ended yet
  /// A recording is shown that was over already when it was opened.
  [[nodiscard]] bool isRecording() const;
  [[nodiscard]] const QString& runFile() const { return run_file_; }
  /// Where the job's own output goes; empty for recordings.
  [[nodiscard]] QString logFile() const;
  /// Where the recordings of jobs that were launched here are kept.
  [[nodiscard]] QString recordingsFolder() const;
  /// "shardlens run spec.yaml --launcher mpirun": what launch() executes for the design in this file, as one would type
  /// it. Edits that are not saved are not in the file.
  [[nodiscard]] QString commandLine(const PipelineSpec& spec, const QString& spec_path) const;
  /// Whether this machine can launch the spec at all: its launcher and our own program are there.
  [[nodiscard]] Result<void> readiness(const PipelineSpec& spec) const;

  /// Starts the job. The spec is written beside the run file, so that later edits do not touch it.
  Result<void> launch(const PipelineSpec& spec);
  /// What a user types to run a command of his own.
  struct OwnCommand {
    QString line;         ///< text that only a shell understands (pipes, variables, `&&`) is given to sh
    QString environment;  ///< lines "NAME=value"; of one name, what stands before the command counts
  };
  /// "shardlens run spec.yaml -- NAME=value COMMAND": what watch() executes, as one would type it; without a spec that
  /// is compared with where its path is empty. BadInput for what cannot be read.
  [[nodiscard]] Result<QString> commandLine(const OwnCommand& command, const QString& spec_path) const;
  /// Runs the command in a folder, as it was typed, with the probes; with a design, what it reads is compared with that
  /// one, which is written beside the run file. BadInput for what cannot be read.
  Result<void> watch(const OwnCommand& command, const QString& folder, const PipelineSpec* design = nullptr);
  /// Ends every process of the job, whatever is shown next; returns at once, state() tells when it is done.
  void stop();
  /// Shows a run file: a finished recording, or one that still grows.
  Result<void> open(const QString& run_file);
  /// Shows nothing any more. A running job goes on.
  void close();
  /// Jobs of this user that windows and command lines recorded, those that still run and finished ones; newest first.
  [[nodiscard]] std::vector<KnownRun> knownRuns() const;
  [[nodiscard]] std::vector<KnownRun> activeRuns() const;

  /// Shows the state at this moment of the run; negative = the newest one, following the job.
  void seek(qint64 ns);
  /// The moment last asked for, negative when the newest one is shown.
  [[nodiscard]] qint64 position() const { return position_; }
  /// A moment was asked for, or has come, that is not shown yet.
  [[nodiscard]] bool isBehind() const;
  /// Length of the recording so far.
  [[nodiscard]] qint64 duration() const { return duration_; }

  /// "Pause view": the job goes on and is recorded, the picture stands still.
  void setPaused(bool paused);
  [[nodiscard]] bool isPaused() const { return paused_; }

 signals:
  void stateChanged();  ///< at most 20 times a second
  void activeChanged(bool active);
  void stoppingChanged(bool stopping);
  void pausedChanged(bool paused);
  void runFileChanged();  ///< another job or recording is shown
  void failed(const QString& what);
  /// A new moment waits to be taken; emitted on the follower's thread.
  void delivered(QPrivateSignal);

 private:
  struct Private;
  Result<void> mayBegin() const;
  Result<void> begin(const RunFolder& folder, std::vector<std::string> arguments, const QString& where,
                     RunState starting);
  void follow(const QString& run_file);
  void take();
  void show();
  void setActive(bool active);
  void setStopping(bool stopping);

  std::unique_ptr<Private> d_;
  RunStatePtr state_;
  std::shared_ptr<const BatchProof> proof_;
  std::shared_ptr<const RunFacts> facts_;
  std::shared_ptr<const Overview> overview_;
  QString run_file_;
  qint64 position_ = -1;
  qint64 duration_ = 0;
  bool active_ = false;
  bool stopping_ = false;
  bool paused_ = false;
};

}  // namespace shardlens::ui
