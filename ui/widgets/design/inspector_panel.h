// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/design/inspection.h"
#include "ui/state/latest_job.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/refresh.h"

#include <QWidget>

#include <vector>

class QAbstractButton;
class QGridLayout;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace shardlens::ui {

class LifeView;
class LinkLabel;
class StatePane;

/// What is selected, explained: a batch, a rank, two ranks, a sample. What takes a search arrives a moment later.
class InspectorPanel : public QWidget {
  Q_OBJECT

 public:
  explicit InspectorPanel(Workspace& workspace, QWidget* parent = nullptr);
  [[nodiscard]] const Inspection& shown() const { return shown_; }
  [[nodiscard]] LifeView* life() const { return life_; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct FactLabels {
    LinkLabel* name;
    LinkLabel* value;
    bool is_below = false;  ///< the value, below its name
  };

  void build();
  void clear();
  [[nodiscard]] bool hasFocusInside() const;
  void keepFocus();
  void fitFacts();
  void buildHead(QVBoxLayout& column, QWidget* parent);
  void buildActions(QVBoxLayout& column, QWidget* parent);
  void inspectAgain();
  void showInspection();
  void showFacts();
  void placeFacts();
  void showChips();
  void showLife();
  void showActions();
  LinkLabel* makeText(const char* tone, QWidget* parent);
  [[nodiscard]] std::size_t visibleChips() const;
  void showCopyMenu(QWidget* under);
  void selectSample(qint64 id);

  Workspace& workspace_;
  Inspection shown_;
  bool all_chips_ = false;
  StatePane* pane_;
  QScrollArea* scroll_;
  QAbstractButton* back_;
  QAbstractButton* forward_;
  QLabel* title_;
  QGridLayout* facts_;
  std::vector<FactLabels> fact_labels_;
  LinkLabel* sentence_;
  LifeView* life_;
  QGridLayout* chips_;
  std::vector<QPushButton*> chip_buttons_;
  QHBoxLayout* actions_;
  QAbstractButton* copy_;
  QAbstractButton* more_;
  QAbstractButton* find_;
  QAbstractButton* batch_;
  QLabel* hint_;
  LatestJob inspection_;
  Refresh refresh_;
};

}  // namespace shardlens::ui
