// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/run/comparison.h"
#include "ui/scene/run/time_window.h"
#include "ui/state/latest_job.h"
#include "ui/state/run_service.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

class QLabel;

namespace shardlens::ui {

struct Workspace;
class CompareLanes;
class LinkButton;
class MinimapView;
class TimeView;

/// The run in view beside another recording, or beside what its own plan predicts: a sentence about their steps and
/// waits, the minimap of the run in view, and the lanes of both on one axis.
class ComparePanel : public QWidget {
  Q_OBJECT

 public:
  explicit ComparePanel(Workspace& workspace, QWidget* parent = nullptr);

  /// Beside the recording in this file; says why when it cannot be read.
  void compareWith(const QString& run_file);
  /// Beside as many steps as the run has, as its plan predicts them.
  void compareWithPlan();
  /// Beside as many steps of the design that is open in this window, as it is now.
  void compareWithDesign();
  /// Ends the comparison: the other recording is followed no more, and nothing of it is kept.
  void end();
  /// The part that a comparison shows at first, in the time of the run in view; nothing: its first steps.
  void setPart(std::optional<std::pair<std::int64_t, std::int64_t>> part) { part_ = part; }
  /// The part in view, in the time of the run in view; nothing before somebody chose one.
  [[nodiscard]] std::optional<std::pair<std::int64_t, std::int64_t>> chosenPart() const;
  [[nodiscard]] QString title() const;
  [[nodiscard]] QString waits() const;
  [[nodiscard]] CompareLanes* lanes() const { return lanes_; }
  [[nodiscard]] MinimapView* minimap() const { return minimap_; }
  /// The other recording; shows nothing while there is none.
  [[nodiscard]] const RunService& other() const { return other_; }

 signals:
  void closeWanted();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  /// Of the run in view and of the other one.
  using Overviews = std::pair<std::shared_ptr<const Overview>, std::shared_ptr<const Overview>>;
  void take();
  void clear();
  void show(const ComparedRun& first, const ComparedRun& second);
  void followSelection();
  [[nodiscard]] qint64 worldSize() const;  ///< of the larger run
  void predict(const PipelineSpec& spec, const QString& name);
  void say(const QString& title, const QString& waits);
  [[nodiscard]] QString nameOf(const RunService& runs) const;

  Workspace& workspace_;
  RunService other_;
  QString file_;  ///< the other recording; empty: the plan
  QLabel* title_;
  QLabel* waits_;
  LinkButton* only_;  ///< "only rank 3"
  TimeView* view_;
  MinimapView* minimap_;
  CompareLanes* lanes_;
  std::optional<std::pair<std::int64_t, std::int64_t>> part_;
  std::int64_t start_ns_ = 0;  ///< of the first step of the run in view
  TimeWindow at_first_;        ///< what was in view before somebody chose
  Overviews compared_;         ///< that the comparison shows or is being made of
  bool comparing_ = false;
  LatestJob job_;
};

}  // namespace shardlens::ui
