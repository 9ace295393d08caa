// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/timeline.h"
#include "ui/state/latest_job.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/refresh.h"

#include <QWidget>

#include <memory>

class QBoxLayout;

namespace shardlens::ui {

class LinkLabel;
class RankBoard;

/// The ranks' lanes as a tab: measured, of a job or recording with as many ranks as the design, else predicted around
/// the playhead from the plan's run times. Where there is a recording and a plan, both: beside each other, or in a
/// narrow tab below each other.
class LanesTab : public QWidget {
  Q_OBJECT

 public:
  explicit LanesTab(Workspace& workspace, QWidget* parent = nullptr);

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  /// A board and the words above it.
  struct Side {
    QWidget* all = nullptr;
    LinkLabel* note = nullptr;
    RankBoard* board = nullptr;
  };
  [[nodiscard]] Side makeSide(const QString& name);
  void showWhatIs();
  /// Below each other, each side has the height that its rows need, if the tab has it.
  void giveHeights();
  /// What the plan predicts, on this side.
  void predictSoon(const Side& side);
  /// Instead of lanes.
  void sayNoPrediction(const Side& side, const QString& why);
  void showPrediction(const Side& side, const PipelineSpec& spec, std::shared_ptr<const Timeline> lanes);
  [[nodiscard]] QString asText() const;

  Workspace& workspace_;
  QBoxLayout* row_ = nullptr;
  Side first_;   ///< measured; without a run, predicted
  Side beside_;  ///< predicted, while a run is shown
  /// What the prediction in view, or the one being made, is of: its board, plan and first step.
  struct Predicted {
    const RankBoard* board = nullptr;
    PlanSnapshotPtr plan;
    qint64 step = 0;
    bool operator==(const Predicted&) const = default;
  };
  Predicted predicted_;
  LatestJob job_;
  Refresh refresh_;
};

}  // namespace shardlens::ui
