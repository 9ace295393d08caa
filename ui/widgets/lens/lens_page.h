// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace shardlens::ui {

struct Workspace;
class FormPanel;
class LensPanel;

/// The Lens perspective: the form at the left, the frameworks beside it.
class LensPage : public QWidget {
  Q_OBJECT

 public:
  explicit LensPage(Workspace& workspace, QWidget* parent = nullptr);

  [[nodiscard]] FormPanel* form() const { return form_; }
  [[nodiscard]] LensPanel* panel() const { return panel_; }

 private:
  FormPanel* form_;
  LensPanel* panel_;
};

}  // namespace shardlens::ui
