// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace shardlens::ui {

struct Workspace;
class DesignPanel;
class LensPanel;

/// The Lens perspective: the form at the left, the frameworks beside it.
class LensView : public QWidget {
  Q_OBJECT

 public:
  explicit LensView(Workspace& workspace, QWidget* parent = nullptr);

  [[nodiscard]] DesignPanel* form() const { return form_; }
  [[nodiscard]] LensPanel* panel() const { return panel_; }

 private:
  DesignPanel* form_;
  LensPanel* panel_;
};

}  // namespace shardlens::ui
