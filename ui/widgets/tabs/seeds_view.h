// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/tabs/seed_model.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/fields.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/toast.h"

#include <memory>
#include <vector>

class QPushButton;
class QTableView;

namespace shardlens::ui {

class FixOffer;

/// Every seed of every rank and worker, and which of them are the same. Works on values; SeedsTab connects it.
class SeedsView : public QWidget {
  Q_OBJECT

 public:
  explicit SeedsView(QWidget* parent = nullptr);

  void setReport(const std::shared_ptr<const AuditReport>& report, const PipelineSpec::World& world);

  void setOnlyCollisions(bool only) { only_collisions_->setCurrent(only ? 1 : 0); }
  /// Marks the row of what is selected, and offers to show its rank, or its seed, alone.
  void setSelected(const Selected& place);
  [[nodiscard]] QString title() const { return title_->plain(); }
  /// What copyCsv() and copyYaml() copy.
  [[nodiscard]] QString csv() const { return model_->csv(rowsToCopy()); }
  [[nodiscard]] QString yaml() const { return model_->yaml(rowsToCopy()); }
  [[nodiscard]] SeedModel& model() const { return *model_; }
  /// It shares the height that there is: what scrolls it asks for its least height, not for the usual one.
  [[nodiscard]] bool hasHeightForWidth() const override { return false; }

 public slots:
  /// The selected rows, or every shown one when none is selected.
  void copyCsv() { copyText(*this, csv()); }
  void copyYaml() { copyText(*this, yaml()); }

 signals:
  /// A row: its rank, worker and epoch.
  void placeChosen(const shardlens::ui::Selected& place);
  void fixWanted(const shardlens::Fix& fix);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void buildTable();
  /// Leaves out what has no room beside the filters, and below them what the rows need more.
  void fit();
  [[nodiscard]] QWidget* buildFilters();
  void fillEpochs(const SeedTable& seeds);
  void filter();
  void mark();
  void showOffer();
  void takeOffer();
  void follow(const QModelIndex& index);
  [[nodiscard]] std::vector<int> rowsToCopy() const;

  SeedModel* model_;
  LinkLabel* title_;
  FixOffer* fix_;
  SegmentedControl* only_collisions_;
  QLineEdit* rank_;
  QComboBox* epochs_;
  QLabel* count_;
  QLabel* empty_;  ///< why there is no row
  QTableView* table_;
  QLabel* note_;
  QPushButton* copy_csv_;
  QPushButton* copy_yaml_;
  LinkButton* only_;  ///< "only rank 3"
  Selected selected_;
  std::optional<quint64> only_seed_;
  bool one_node_ = false;  ///< then a rank says its place alone
  bool marking_ = false;   ///< the current row moves because of the selection, not because of the user
  int marked_ = -1;        ///< the row that mark() chose; copying takes no notice of it
};

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
