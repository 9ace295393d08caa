// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "ui/scene/design/inspection.h"
#include "ui/state/latest_job.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/refresh.h"

#include <QLabel>
#include <QWidget>

#include <optional>
#include <vector>

class QAbstractButton;
class QGridLayout;
class QHBoxLayout;
class QPushButton;
class QScrollArea;
class QTableView;
class QVBoxLayout;

namespace shardlens::ui {

class LinkButton;
class LinkLabel;
class ProgressBar;
class StatePane;

/// Where one sample goes in every epoch: rows that jump. The search runs in a worker, shows its rows as they come, and
/// can be stopped; the newest sample wins.
class LifeView : public QWidget {
  Q_OBJECT

 public:
  explicit LifeView(QWidget* parent = nullptr);

  /// Starts the search, unless this sample of this plan is shown already. Nothing: the view is empty.
  void follow(const std::optional<Plan>& plan, std::optional<SampleIndex> sample);
  /// Marks the row of that place, if there is one.
  void mark(const Selected& place);
  /// Stops the search; rows that were found stay.
  void stop();
  [[nodiscard]] const LifeModel& model() const { return *model_; }
  [[nodiscard]] bool isSearching() const { return job_.isBusy(); }
  [[nodiscard]] QTableView* table() const { return table_; }
  /// What stands above the rows.
  [[nodiscard]] QString caption() const { return caption_->text(); }

 signals:
  void placeChosen(const shardlens::ui::Selected& place);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void build();
  void fitColumns();
  void choose(int row);
  void say(const QString& text, bool searching);

  std::optional<Plan> plan_;
  std::optional<SampleIndex> sample_;
  Selected marked_;
  LifeModel* model_;
  QLabel* caption_;
  QAbstractButton* stop_;
  ProgressBar* progress_;
  QTableView* table_;
  LatestJob job_;
};

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
  LinkButton* more_;
  QAbstractButton* find_;
  QAbstractButton* batch_;
  QLabel* hint_;
  LatestJob inspection_;
  Refresh refresh_;
};

}  // namespace shardlens::ui
