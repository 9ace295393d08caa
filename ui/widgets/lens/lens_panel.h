// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/latest_job.h"
#include "ui/view/lens_lanes.h"

#include <QWidget>

#include <set>
#include <string>
#include <vector>

class QHBoxLayout;
class QLabel;
class QProgressBar;
class QToolButton;

namespace shardlens::ui {

struct Workspace;
class LensColumnView;

/// The framework lens: the document's design as several frameworks would deal it, side by side; batches that are not
/// those of the first column are marked. The columns scroll and zoom together and follow one playhead.
class LensPanel : public QWidget {
  Q_OBJECT

 public:
  explicit LensPanel(Workspace& workspace, QWidget* parent = nullptr);
  ~LensPanel() override;

  [[nodiscard]] const std::vector<LensColumnView*>& columns() const { return columns_; }
  [[nodiscard]] QString summary() const;
  [[nodiscard]] bool isShown(const std::string& id) const;
  void setShown(const std::string& id, bool shown);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void build();
  QWidget* headRow();
  void compute();
  void take(std::vector<LensLane> lanes);
  void showLane(LensColumnView& view, const LensLane& lane);
  LensColumnView* addColumn();
  void fillMenu();
  void alignTo(const LensColumnView& moved);
  void showPlayhead();
  void showSelection();
  void use(const LensColumnView& view);

  Workspace& workspace_;
  QLabel* summary_;
  QProgressBar* progress_;
  QToolButton* choose_;
  QHBoxLayout* row_;
  std::vector<LensColumnView*> columns_;
  std::vector<LensLane> lanes_;
  std::set<std::string> chosen_;  ///< shown although they are not at first, and the other way round
  quint64 generation_ = 0;
  bool stale_ = true;  ///< something changed while nobody looked
  bool aligning_ = false;
  LatestJob job_;
};

}  // namespace shardlens::ui
