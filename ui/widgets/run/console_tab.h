// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/workspace.h"

#include <QWidget>

class QStackedWidget;

namespace shardlens::ui {

class ConsoleView;

/// The output of the job as a tab; without one, how to get it.
class ConsoleTab : public QWidget {
  Q_OBJECT

 public:
  explicit ConsoleTab(Workspace& workspace, QWidget* parent = nullptr);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void refresh();

  Workspace& workspace_;
  QStackedWidget* states_;
  ConsoleView* console_;
};

}  // namespace shardlens::ui
