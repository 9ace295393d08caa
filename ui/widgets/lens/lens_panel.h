// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/lens/lanes.h"
#include "ui/state/latest_job.h"
#include "ui/widgets/common/refresh.h"

#include <QStringList>
#include <QWidget>

#include <map>
#include <set>
#include <string>
#include <vector>

class QAction;
class QHBoxLayout;
class QLabel;
class QProgressBar;
class QScrollArea;
class QToolButton;

namespace shardlens::ui {

struct Workspace;
class LensColumnView;

/// The framework lens: the document's design as several frameworks would deal it, side by side; batches that are not
/// those of the first column are marked. The columns scroll and zoom together and follow one playhead; the first one
/// stays beside whichever others are in sight.
class LensPanel : public QWidget {
  Q_OBJECT

 public:
  explicit LensPanel(Workspace& workspace, QWidget* parent = nullptr);
  ~LensPanel() override;

  [[nodiscard]] const std::vector<LensColumnView*>& columns() const { return columns_; }
  [[nodiscard]] QString summary() const;
  [[nodiscard]] bool isShown(const std::string& id) const;
  void setShown(const std::string& id, bool shown);
  /// The ids of the columns that are shown, the first one left out: what `shardlens lens --only` takes.
  [[nodiscard]] QStringList shownIds() const;

  /// Which columns the user switched, for a session to keep.
  [[nodiscard]] QStringList switched() const;
  void setSwitched(const QStringList& ids);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void build();
  QWidget* headRow();
  void computeSoon();
  void compute();
  void take(std::vector<LensLane> lanes);
  void showLane(LensColumnView& view, const LensLane& lane);
  LensColumnView* addColumn();
  void fillMenu();
  void addChoices();
  void showAll(bool all);
  void pinFirst(int shown);
  void fitColumns();
  void alignTo(const LensColumnView& moved);
  void showPlayhead();
  void showSelection();
  [[nodiscard]] bool areOfDesign() const;
  void use(const LensColumnView& view);

  Workspace& workspace_;
  QLabel* summary_;
  QProgressBar* progress_;
  QToolButton* choose_;
  QHBoxLayout* first_;  ///< the first column, which stays where it is
  QHBoxLayout* row_;    ///< the others, in scroll_
  QScrollArea* scroll_;
  QHBoxLayout* beside_;  ///< both
  std::map<std::string, QAction*> choices_;
  std::vector<LensColumnView*> columns_;
  std::vector<LensLane> lanes_;
  std::set<std::string> chosen_;  ///< shown although they are not at first, and the other way round
  quint64 generation_ = 0;
  bool aligning_ = false;
  LatestJob job_;
  Refresh refresh_;
};

}  // namespace shardlens::ui
