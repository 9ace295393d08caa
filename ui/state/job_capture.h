// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/capture.h"
#include "ui/state/latest_job.h"
#include "ui/state/run_service.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>

#include <memory>

namespace shardlens::ui {

/// What the loaders of the run in view really read, as far as its recording tells. The recording is read on a worker:
/// once when the run is over, and from time to time while it grows.
class JobCapture : public QObject {
  Q_OBJECT

 public:
  using CapturePtr = std::shared_ptr<const capture::Capture>;

  explicit JobCapture(RunService& runs, QObject* parent = nullptr);
  /// Null: nothing was found, or nothing was read yet.
  [[nodiscard]] const CapturePtr& found() const { return found_; }
  /// Why nothing was found, as a sentence; empty where something was, and before the first look.
  [[nodiscard]] const QString& problem() const { return problem_; }
  /// Reads the recording where it may say more than it did. Cheap enough for every change of the run.
  void refresh();

 signals:
  void changed();

 private:
  void read();

  RunService& runs_;
  QString file_;          ///< the recording that all this is of
  bool is_read_ = false;  ///< to its end: it grows no more
  QElapsedTimer since_;   ///< the last look at a growing recording
  qint64 pause_ms_ = 0;   ///< until the next one
  CapturePtr found_;
  QString problem_;
  LatestJob job_;
};

}  // namespace shardlens::ui
