// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/run/comparison.h"
#include "ui/state/latest_job.h"
#include "ui/state/run_service.h"

#include <QWidget>

class QLabel;

namespace shardlens::ui {

struct Workspace;
class CompareLanes;

/// The run in view beside another recording, or beside what its own plan predicts: a sentence about their steps and
/// waits, and the lanes of both on one axis.
class ComparePanel : public QWidget {
  Q_OBJECT

 public:
  explicit ComparePanel(Workspace& workspace, QWidget* parent = nullptr);

  /// Beside the recording in this file; says why when it cannot be read.
  void compareWith(const QString& run_file);
  /// Beside the first steps that the plan of the run predicts.
  void compareWithPlan();
  [[nodiscard]] QString title() const;
  [[nodiscard]] QString waits() const;
  [[nodiscard]] CompareLanes* lanes() const { return lanes_; }

 signals:
  void closeWanted();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void take();
  void show(const ComparedRun& first, const ComparedRun& second);
  void say(const QString& title, const QString& waits);
  [[nodiscard]] QString nameOf(const RunService& runs) const;

  Workspace& workspace_;
  RunService other_;
  QString file_;  ///< the other recording; empty: the plan
  QLabel* title_;
  QLabel* waits_;
  CompareLanes* lanes_;
  LatestJob job_;
};

}  // namespace shardlens::ui
