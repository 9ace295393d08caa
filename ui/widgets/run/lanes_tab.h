// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/latest_job.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/refresh.h"

#include <QWidget>

class QLabel;

namespace shardlens::ui {

class LinkButton;
class RankBoard;

/// The ranks' lanes as a tab: measured, of the job or recording that Waits shows too, else predicted around the
/// playhead from the plan's run times. Where there is a recording, a link changes between the two.
class LanesTab : public QWidget {
  Q_OBJECT

 public:
  explicit LanesTab(Workspace& workspace, QWidget* parent = nullptr);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void showWhatIs();
  void predictSoon();

  Workspace& workspace_;
  QLabel* note_;
  LinkButton* other_;  ///< "show the prediction"
  bool wants_prediction_ = false;
  RankBoard* board_;
  LatestJob job_;
  Refresh refresh_;
};

}  // namespace shardlens::ui
