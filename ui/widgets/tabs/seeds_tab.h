// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/workspace.h"
#include "ui/widgets/tabs/seeds_view.h"

#include <QWidget>

namespace shardlens::ui {

/// The Seeds tab of a window.
class SeedsTab : public QWidget {
  Q_OBJECT

 public:
  explicit SeedsTab(Workspace& workspace, QWidget* parent = nullptr);

  [[nodiscard]] SeedsView& view() const { return *view_; }

 private:
  Workspace& workspace_;
  SeedsView* view_;
};

}  // namespace shardlens::ui
