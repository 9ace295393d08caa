// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/latest_job.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/refresh.h"

#include <QWidget>

class QLabel;

namespace shardlens::ui {

class RankBoard;

/// The ranks' lanes as a tab: of the job while there is one, else what the plan's run times predict around the
/// playhead.
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
  RankBoard* board_;
  LatestJob job_;
  Refresh refresh_;
};

}  // namespace shardlens::ui
