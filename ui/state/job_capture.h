// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/finding.h"
#include "core/capture/capture.h"
#include "core/capture/epochs_of_passes.h"
#include "core/capture/reading.h"
#include "core/collect/job_proof.h"
#include "core/spec/pipeline_spec.h"
#include "ui/state/latest_job.h"
#include "ui/state/run_service.h"
#include "ui/state/selection.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::ui {

/// What `shardlens audit` says of what a loader of the job read. No fixes: what ran cannot be changed any more.
struct LoaderAudit {
  std::string loader;  ///< its name: "train"
  std::vector<Finding> findings;
  std::string not_judged;         ///< why no epoch was judged, one sentence; empty where one was
  std::vector<std::string> said;  ///< what was judged, one sentence each
  capture::Reading reading;       ///< without passes where they could not be counted
  /// The epoch of the proof's grid in which a rank read an epoch that findings name.
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> grid_epochs;

  /// A place that a finding names, as the proof's grid has it: without epoch and step where it does not have them.
  [[nodiscard]] Selected inGrid(Selected place) const;
};

/// What the loaders of the run in view really read, as far as its recording tells, and how that compares. The recording
/// is read on a worker: once when the run is over, and from time to time while it grows.
class JobCapture : public QObject {
  Q_OBJECT

 public:
  using CapturePtr = std::shared_ptr<const capture::Capture>;
  using ProofPtr = std::shared_ptr<const JobProof>;
  using AuditPtr = std::shared_ptr<const LoaderAudit>;

  explicit JobCapture(RunService& runs, QObject* parent = nullptr);
  /// Null: nothing was found, or nothing was read yet.
  [[nodiscard]] const CapturePtr& found() const { return found_; }
  /// Why nothing was found, as a sentence; empty where something was, and before the first look.
  [[nodiscard]] const QString& problem() const { return problem_; }
  /// Its batches beside the design of the recording, or without one beside the spec that was captured from the loader
  /// of its training; or beside otherDesign(). Null while the run goes on, and where noProof() says why.
  [[nodiscard]] const ProofPtr& proof() const { return proof_; }
  /// Which loader proof() is of; empty: what is compared with is the design.
  [[nodiscard]] const QString& loader() const { return loader_; }
  /// Whether its spec holds what was read, so that comparing with it proves nothing.
  [[nodiscard]] bool isRecorded() const { return is_recorded_; }
  /// What is said of all of these batches, one sentence.
  [[nodiscard]] const QString& compared() const { return compared_; }
  /// Of the loader that was compared, or else of the one that is meant. Null until it is known: it follows proof(), and
  /// that of another loader stays until it comes.
  [[nodiscard]] const AuditPtr& audit() const { return audit_; }
  /// The loader that audit() is of, or will be. Empty until the recording was read to its end.
  [[nodiscard]] const QString& judged() const { return judged_; }
  /// Compares what this loader read with the spec that was captured from it.
  void compareWith(const std::string& loader);
  /// Compares what was read with this design, as `shardlens verify` does; with nothing, as at first.
  void compareWithDesign(std::optional<PipelineSpec> design);
  /// The one that was given to that.
  [[nodiscard]] const std::optional<PipelineSpec>& otherDesign() const { return other_design_; }
  /// Whether the recording was read to its end, with a loader in it.
  [[nodiscard]] bool canCompare() const { return found_ != nullptr && is_read_; }
  /// Makes the file of what was captured from this loader, English as all files are; designMade() brings it, unless
  /// another run is in view by then. `unasked`: no user has asked for it.
  void makeDesign(const std::string& loader, bool unasked = false);
  /// Whether that file plans every recorded batch. There is none where a file cannot hold so many ids.
  [[nodiscard]] bool isDesigned(const std::string& loader) const;
  /// One sentence; empty where there is a proof or nothing was compared yet.
  [[nodiscard]] const QString& noProof() const { return no_proof_; }
  /// Reads the recording where it may say more than it did. Cheap enough for every change of the run.
  void refresh();

 signals:
  void changed();
  /// `said`: what of the recording the spec plans, in the window's language; empty where that is not every batch.
  void designMade(const shardlens::PipelineSpec& spec, const QString& text, const QString& said, bool unasked = false);

 private:
  struct Compared;
  struct Found;
  struct Asked {
    std::string file;
    std::optional<PipelineSpec> design;
    std::string loader;     ///< empty: that of the training
    bool is_other = false;  ///< the design is not the recording's own
  };
  /// Which loader is audited, and in which epochs of the grid of its proof its passes are.
  struct Audited {
    std::string file;
    std::string loader;
    std::optional<capture::EpochsOfPasses> in_grid = {};  ///< none: there is no grid
  };
  static Found look(const Asked& asked, bool grows, const Work& work);
  static Compared compare(const capture::Capture& found, const Asked& asked, const Work& work);
  static std::optional<LoaderAudit> audited(const capture::Capture& found, const Audited& of, const Work& work);
  [[nodiscard]] Asked asked() const;
  void compareAgain(const Asked& wanted);
  void read();
  void show(Compared compared);
  void startAudit(std::string loader);

  RunService& runs_;
  QString file_;          ///< the recording that all this is of
  bool is_read_ = false;  ///< to its end: it grows no more
  QElapsedTimer since_;   ///< the last look at a growing recording
  qint64 pause_ms_ = 0;   ///< until the next one
  CapturePtr found_;
  ProofPtr proof_;
  AuditPtr audit_;
  QString problem_;
  QString no_proof_;
  QString compared_;
  QString loader_;
  QString judged_;
  bool is_recorded_ = false;
  std::optional<PipelineSpec> other_design_;
  LatestJob job_;
  LatestJob audit_job_;
  LatestJob design_job_;
};

}  // namespace shardlens::ui
