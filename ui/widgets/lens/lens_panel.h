// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/lens/lanes.h"
#include "ui/scene/stage/legend.h"
#include "ui/scene/stage/stage_input.h"
#include "ui/state/latest_job.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/page.h"
#include "ui/widgets/common/refresh.h"
#include "ui/widgets/lens/lens_column_view.h"

#include <QStringList>
#include <QTimer>
#include <QVariantMap>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

class QSplitter;
class QToolButton;

namespace shardlens::ui {

class FormPanel;

/// What the marks in the cells and the colours of the bars mean: in one line where there is room, else in two.
class LensLegend : public QWidget {
  Q_OBJECT

 public:
  explicit LensLegend(QWidget* parent = nullptr);

  void setEntries(std::vector<LegendEntry> cells, std::vector<LegendEntry> bar);
  [[nodiscard]] const std::vector<LegendEntry>& cells() const { return cells_; }
  [[nodiscard]] const std::vector<LegendEntry>& bar() const { return bar_; }
  /// How many of them there is room for.
  [[nodiscard]] std::size_t shownEntries() const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  /// Entries on one line.
  struct Group {
    QRect place;
    bool of_cells = false;
    std::vector<LegendEntry> entries;
  };

  void arrange();
  void placeBar();
  void addLines(bool of_cells, const std::vector<LegendEntry>& entries);
  [[nodiscard]] static bool fits(const QRect& line, const std::vector<LegendEntry>& entries);

  std::vector<Group> groups_;
  std::vector<LegendEntry> cells_;
  std::vector<LegendEntry> bar_;
};

struct Workspace;
class TransportBar;

/// The framework lens: the document's design as several frameworks would deal it, side by side; batches that are not
/// those of the first column are marked. Columns appear one after the other, as they are computed. They scroll and zoom
/// together and follow one playhead; the first one stays beside whichever others are in sight.
class LensPanel : public QWidget {
  Q_OBJECT

 public:
  explicit LensPanel(Workspace& workspace, QWidget* parent = nullptr);
  ~LensPanel() override;

  /// As they stand beside each other.
  [[nodiscard]] const std::vector<LensColumnView*>& columns() const { return columns_->columns(); }
  [[nodiscard]] QString summary() const { return summary_->fullText(); }
  [[nodiscard]] const LensLegend* legend() const { return legend_; }
  [[nodiscard]] bool isShown(const std::string& id) const { return isUsualColumn(id) != (chosen_.count(id) > 0); }
  void setShown(const std::string& id, bool shown);
  /// The ids of the columns that are shown, the first one left out: what `shardlens lens --only` takes.
  [[nodiscard]] QStringList shownIds() const;

  void setPinned(const std::string& id, bool pinned);
  void setOrder(LensOrder::By by);
  void moveColumn(const std::string& id, int by);

  /// What the user chose, for a session to keep: which columns are shown, pinned, and in which order.
  [[nodiscard]] QVariantMap choice() const;
  void setChoice(const QVariantMap& choice);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void build();
  QWidget* headRow();
  QToolButton* menuButton(const QString& name);
  void makeOrderMenu();
  void computeSoon();
  void compute();
  void computeToo(const std::set<std::string>& ids);
  void computeWith(LensLanes& maker, const LensLanes::Wanted& wanted, LaneStops& stops, const Work& work,
                   const LatestJob::HandOver& hand_over);
  void showError(const Error& error);
  void begin(const std::shared_ptr<LensLanes>& maker, std::vector<LensLane> lanes);
  void take(std::size_t place, LensLane lane);
  void showWaiting();
  void showColumns();
  void showHead();
  /// What is drawn in the columns in view, the marks of what is selected too.
  void showLegend();
  void showLane(LensColumnView& view, const LensLane& lane);
  [[nodiscard]] std::vector<LensLane> shownLanes() const;
  [[nodiscard]] const LensLane* laneOf(const std::string& id) const;
  LensColumnView* viewOf(const std::string& id);
  LensColumnView* addColumn();
  void wireStage(LensColumnView* view);
  void stop(const LensColumnView& view);
  void fillMenu();
  void addChoices();
  void showAll(bool all);
  void alignTo(const LensColumnView& moved);
  void showPlayhead();
  void showSelection();
  void enableUse();
  [[nodiscard]] bool areOfDesign() const;
  void use(const std::string& id);
  [[nodiscard]] const LensLane* mendOf(const std::string& id) const;

  /// A column whose cells with the selected samples are looked for.
  struct Sought {
    std::string id;
    std::shared_ptr<const EpochPlan> epoch;
    std::vector<SampleIndex> samples;
    std::vector<CellAddress> cells;
  };

  Workspace& workspace_;
  TransportBar* transport_ = nullptr;
  QLabel* title_;
  ElidedLabel* summary_;
  QToolButton* order_button_;
  QToolButton* choose_;
  LensColumns* columns_;
  LensLegend* legend_;
  std::map<LensOrder::By, QAction*> orders_;
  std::map<std::string, QAction*> choices_;
  std::vector<std::pair<std::string, std::string>> offered_;  ///< column and family of each entry of the menu
  std::map<std::string, LensColumnView*> views_;
  std::set<std::string> pending_;  ///< columns that show an older picture until theirs is there
  std::vector<LensLane> lanes_;
  std::shared_ptr<LensLanes> maker_;  ///< of the lanes in hand
  qint64 lanes_epoch_ = 0;
  std::set<std::string> chosen_;  ///< shown although they are not at first, and the other way round
  LensOrder order_;
  quint64 generation_ = 0;
  bool aligning_ = false;
  bool reveals_playhead_ = false;  ///< the panel came into sight: so does the playhead, in what is shown first
  std::shared_ptr<LaneStops> stops_;
  QTimer patience_;
  LatestJob job_;
  LatestJob marks_;
  Refresh refresh_;
};

/// The Lens perspective: the form at the left, the frameworks beside it.
class LensPage : public Page {
  Q_OBJECT

 public:
  explicit LensPage(Workspace& workspace, QWidget* parent = nullptr);

  [[nodiscard]] FormPanel* form() const { return form_; }
  [[nodiscard]] LensPanel* panel() const { return panel_; }

  void enter(const QString& /*perspective*/) override { panel_->setFocus(); }
  [[nodiscard]] QString command() const override;
  [[nodiscard]] QVariantMap layout() const override;
  void restoreLayout(const QVariantMap& layout) override;

 private:
  Workspace& workspace_;
  QSplitter* columns_;
  FormPanel* form_;
  LensPanel* panel_;
};

}  // namespace shardlens::ui
