// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/workspace.h"
#include "ui/widgets/common/refresh.h"

#include <QWidget>

class QStackedWidget;

namespace shardlens::ui {

class ConsoleView;

/// The output of the job as a tab; without one, how to get it.
class ConsoleTab : public QWidget {
  Q_OBJECT

 public:
  explicit ConsoleTab(Workspace& workspace, QWidget* parent = nullptr);

 private:
  void showRun();

  Workspace& workspace_;
  QStackedWidget* states_;
  ConsoleView* console_;
  Refresh refresh_;
};

}  // namespace shardlens::ui
