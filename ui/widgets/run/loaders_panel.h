// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/capture.h"
#include "ui/state/job_capture.h"

#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace shardlens::ui {

/// What the loaders of a command's job really read: each with its sampler, whether a design reproduces all of it, and
/// what it shows; and the way to make a design of it.
class LoadersPanel : public QWidget {
  Q_OBJECT

 public:
  explicit LoadersPanel(RunService& runs, QWidget* parent = nullptr);
  /// The run in view has changed.
  void refresh();
  /// What is known of the loaders of the run in view, and how it compares.
  [[nodiscard]] const JobCapture& capture() const { return capture_; }

 signals:
  /// capture() says something else.
  void changed();
  /// This loader is to be the design; `text` is it as a file.
  void designWanted(const shardlens::PipelineSpec& spec, const QString& text);

 private:
  void showFound();
  void addLoader(const capture::CapturedLoader& loader);

  RunService& runs_;
  JobCapture capture_;
  QLabel* note_;
  QVBoxLayout* loaders_;
  QString shown_ = "?";  ///< what the cards are of
};

}  // namespace shardlens::ui
