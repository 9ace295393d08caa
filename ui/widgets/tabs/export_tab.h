// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/latest_job.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/refresh.h"
#include "ui/widgets/tabs/export_view.h"

#include <QWidget>

#include <string>

namespace shardlens::ui {

/// The Export tab of a window. Remembers for each document and target the file that was picked.
class ExportTab : public QWidget {
  Q_OBJECT

 public:
  explicit ExportTab(Workspace& workspace, QWidget* parent = nullptr);

  [[nodiscard]] ExportView& view() const { return *view_; }

 private:
  void recall();
  void takeErrors();
  [[nodiscard]] QString memoryKey() const;

  Workspace& workspace_;
  ExportView* view_;
  Refresh refresh_;
  Refresh errors_;
  LatestJob english_;  ///< finds the audit's errors once more, in English
};

}  // namespace shardlens::ui
