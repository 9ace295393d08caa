// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/capture.h"
#include "core/collect/job_proof.h"
#include "ui/state/latest_job.h"
#include "ui/state/run_service.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <string>

namespace shardlens::ui {

/// What the loaders of the run in view really read, as far as its recording tells, and how that compares. The recording
/// is read on a worker: once when the run is over, and from time to time while it grows.
class JobCapture : public QObject {
  Q_OBJECT

 public:
  using CapturePtr = std::shared_ptr<const capture::Capture>;
  using ProofPtr = std::shared_ptr<const JobProof>;

  explicit JobCapture(RunService& runs, QObject* parent = nullptr);
  /// Null: nothing was found, or nothing was read yet.
  [[nodiscard]] const CapturePtr& found() const { return found_; }
  /// Why nothing was found, as a sentence; empty where something was, and before the first look.
  [[nodiscard]] const QString& problem() const { return problem_; }
  /// Its batches beside the design of the recording, or without one beside the spec that was captured from the loader
  /// of its training. Null while the run goes on, and where noProof() says why.
  [[nodiscard]] const ProofPtr& proof() const { return proof_; }
  /// Which loader proof() is of; empty: what is compared with is the design.
  [[nodiscard]] const QString& loader() const { return loader_; }
  /// What is said of all of these batches, one sentence.
  [[nodiscard]] const QString& compared() const { return compared_; }
  /// Compares what this loader read with the spec that was captured from it.
  void compareWith(const std::string& loader);
  /// One sentence; empty where there is a proof or nothing was compared yet.
  [[nodiscard]] const QString& noProof() const { return no_proof_; }
  /// Reads the recording where it may say more than it did. Cheap enough for every change of the run.
  void refresh();

 signals:
  void changed();

 private:
  struct Compared;
  struct Found;
  struct Asked {
    std::string file;
    std::optional<PipelineSpec> design;
    std::string loader;  ///< empty: that of the training
  };
  static Found look(const Asked& asked, bool grows, const Work& work);
  static Compared compare(const capture::Capture& found, const Asked& asked, const Work& work);
  [[nodiscard]] Asked asked() const;
  void read();
  void show(Compared compared);

  RunService& runs_;
  QString file_;          ///< the recording that all this is of
  bool is_read_ = false;  ///< to its end: it grows no more
  QElapsedTimer since_;   ///< the last look at a growing recording
  qint64 pause_ms_ = 0;   ///< until the next one
  CapturePtr found_;
  ProofPtr proof_;
  QString problem_;
  QString no_proof_;
  QString compared_;
  QString loader_;
  LatestJob job_;
};

}  // namespace shardlens::ui
