// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/design/inspection.h"
#include "ui/state/latest_job.h"
#include "ui/state/workspace.h"

#include <QWidget>

class QVBoxLayout;

namespace shardlens::ui {

/// What is selected, explained: a batch, a rank, two ranks, a sample. What takes a search arrives a moment later.
class InspectorPanel : public QWidget {
  Q_OBJECT

 public:
  explicit InspectorPanel(Workspace& workspace, QWidget* parent = nullptr);
  [[nodiscard]] const Inspection& shown() const { return shown_; }
  /// No search is under way.
  [[nodiscard]] bool isComplete() const { return !search_.isBusy(); }

 private:
  void refresh();
  void show(Inspection inspection);
  void rebuild();
  void addFacts(QVBoxLayout& column);
  void addChips(QVBoxLayout& column);
  void addActions(QVBoxLayout& column);
  void showCopyMenu(QWidget* under);
  void selectSample(qint64 id);

  Workspace& workspace_;
  Inspection shown_;
  bool all_chips_ = false;
  QWidget* content_ = nullptr;
  QVBoxLayout* outer_;
  LatestJob search_;
};

}  // namespace shardlens::ui
