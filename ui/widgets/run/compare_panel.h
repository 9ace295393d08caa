// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/run/comparison.h"
#include "ui/scene/run/time_window.h"
#include "ui/state/latest_job.h"
#include "ui/state/run_service.h"
#include "ui/state/selection.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/run/time_input.h"

#include <QLabel>
#include <QPixmap>
#include <QWidget>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace shardlens::ui {

/// The lanes of two runs below each other on one axis, which counts from the first step of each. Like the board of a
/// run: see TimeInput.
class CompareLanes : public QWidget {
  Q_OBJECT

 public:
  explicit CompareLanes(TimeView& view, QWidget* parent = nullptr);

  /// Shows the first steps of both.
  void setRuns(ComparedRun first, ComparedRun second);
  /// Marks the lanes of its ranks, and when its step ran in each run. A step without an epoch is of the first one.
  void setSelected(const Selected& place);
  /// Shows the lanes of these ranks alone; all of them when there are none.
  void setOnly(std::vector<qint64> ranks);
  [[nodiscard]] const std::vector<qint64>& only() const { return only_; }
  [[nodiscard]] const TimeWindow& window() const { return view_.window(); }
  [[nodiscard]] const std::array<ComparedRun, 2>& runs() const { return runs_; }
  /// The lanes of the first run begin this far from the left.
  [[nodiscard]] int lanesLeft() const;
  /// Where the lane of a row of the first or the second run is drawn.
  [[nodiscard]] QRectF laneAt(std::size_t run, std::size_t row) const;
  /// The steps that are named above the lanes of the first or the second run; none where they are not known.
  [[nodiscard]] std::vector<StepMark> stepsAt(std::size_t run) const;
  [[nodiscard]] QSize minimumSizeHint() const override { return {px(320), px(212)}; }
  [[nodiscard]] QSize sizeHint() const override { return {px(800), px(420)}; }

 signals:
  /// A rank, and where the lane shows one, its step.
  void placeClicked(const shardlens::ui::Selected& place);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void wheelEvent(QWheelEvent* event) override { input_.wheel(*event, lanesArea()); }
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  /// Where a run is drawn.
  struct Place {
    QRectF head;
    QRectF steps;  ///< the words of the steps
    QRectF lanes;
    double pitch = 0;
    double gap = 0;  ///< between two nodes
  };
  [[nodiscard]] static double topOf(const ComparedRun& run, const Place& place, std::size_t row);
  [[nodiscard]] QRectF axis() const;
  [[nodiscard]] std::array<Place, 2> places() const;
  void paintSteps(QPainter& painter, std::size_t run, const Place& place) const;
  void paintRun(QPainter& painter, const ComparedRun& run, const Place& place) const;
  void paintRuns(QPainter& painter) const;
  /// What is drawn at a place of the widget.
  struct Found {
    std::size_t run = 0;
    const Lane* lane = nullptr;  ///< null: no lane is there
    const Span* span = nullptr;
  };
  [[nodiscard]] Found foundAt(QPointF at) const;
  [[nodiscard]] QString tipAt(QPointF at) const;
  void paintSelected(QPainter& painter) const;
  void selectByKey(int direction);
  void showRuns();
  void findStep();
  /// The lanes of both, with what is between them.
  [[nodiscard]] QRectF lanesArea() const;

  TimeView& view_;
  std::array<ComparedRun, 2> runs_;
  std::array<ComparedRun, 2> shown_;  ///< the lanes of those that are asked for
  std::vector<qint64> only_;
  Selected place_;
  std::array<std::optional<std::pair<std::int64_t, std::int64_t>>, 2> step_times_;  ///< of the selected step
  QPixmap
      picture_;  ///< of both runs, for the window and the size below: dragging over them costs no more than the brush
  TimeWindow pictured_;
  TimeInput input_;
};

struct Workspace;
class LinkButton;
class MinimapView;

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
  [[nodiscard]] QString title() const { return title_->text(); }
  [[nodiscard]] QString waits() const { return waits_->text(); }
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
