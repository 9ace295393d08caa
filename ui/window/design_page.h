// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/workspace.h"

#include <QWidget>

class QSplitter;

namespace shardlens::ui {

class FormPanel;
class FindingsPanel;
class InspectorPanel;
class Session;
class StagePanel;
class TabStrip;

/// The Design perspective: form at the left, Stage over tabs in the middle, Inspector over Findings at the right.
class DesignPage : public QWidget {
  Q_OBJECT

 public:
  explicit DesignPage(Workspace& workspace, QWidget* parent = nullptr);

  [[nodiscard]] FormPanel* form() const { return form_; }
  [[nodiscard]] StagePanel* stage() const { return stage_; }
  [[nodiscard]] InspectorPanel* inspector() const { return inspector_; }
  [[nodiscard]] FindingsPanel* findings() const { return findings_; }
  [[nodiscard]] TabStrip* tabs() const { return tabs_; }

  void restoreLayout(const Session& session);
  void saveLayout(Session& session) const;
  /// The sizes of the drawings.
  void resetLayout();

 private:
  QSplitter* makeSplitter(Qt::Orientation orientation, QWidget* parent);
  void addTabs(Workspace& workspace);

  FormPanel* form_;
  StagePanel* stage_;
  InspectorPanel* inspector_;
  FindingsPanel* findings_;
  TabStrip* tabs_;
  QSplitter* columns_;
  QSplitter* centre_;
  QSplitter* right_;
};

}  // namespace shardlens::ui
