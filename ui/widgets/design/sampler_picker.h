// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/design/sampler_list.h"
#include "ui/state/latest_job.h"
#include "ui/widgets/common/fields.h"
#include "ui/widgets/common/sheet.h"

#include <QListWidget>

#include <string>
#include <vector>

class QAbstractButton;
class QLabel;
class QPushButton;

namespace shardlens::ui {

class ElidedLabel;
class StageView;

/// What a sampler does, shown with 16 samples on 2 ranks: planned in the background, and drawn as the Stage draws it.
class SamplerPreviewPane : public QWidget {
  Q_OBJECT

 public:
  explicit SamplerPreviewPane(SamplerCatalogue catalogue, QWidget* parent = nullptr);
  /// The newest one wins; the picture before stays until it is there.
  void setType(const std::string& type);
  [[nodiscard]] const SamplerPreview& shown() const { return shown_; }
  [[nodiscard]] const StageView& stage() const { return *stage_; }

 signals:
  /// The user has lists for this sampler and wants to give them.
  void ownListsWanted();

 private:
  class Legend;
  void take(SamplerPreview preview);

  SamplerCatalogue catalogue_;
  SamplerPreview shown_;
  quint64 generation_ = 0;
  StageView* stage_;
  Legend* legend_;
  ElidedLabel* deals_;
  QLabel* made_up_;
  QAbstractButton* own_;
  QLabel* outcome_;
  QLabel* beware_;
  LatestJob job_;  ///< last: it tells all of the above
};

/// Samplers under the heads of their frameworks: name, one line and tags each. One of them is chosen at any time, if
/// there is any.
class SamplerRows : public QListWidget {
  Q_OBJECT

 public:
  explicit SamplerRows(std::string in_use, QWidget* parent = nullptr);

  /// These and no others. Keeps the chosen one where it is among them, else chooses `preferred` or the first.
  void setRows(const std::vector<SamplerRow>& rows, bool with_heads, const std::string& preferred);
  /// The chosen sampler's type; empty when there is none.
  [[nodiscard]] std::string chosen() const;
  /// Chooses the sampler that many rows further; stops at the ends.
  void moveBy(int rows);
  [[nodiscard]] int rowsInSight() const;

 signals:
  void chosenChanged(const QString& type);
  /// It was double-clicked.
  void taken();

 private:
  void addRow(const SamplerRow& row);
  [[nodiscard]] int placeOf(const std::string& type) const;

  std::string in_use_;
};

/// The frameworks, with how many samplers each has; the first line stands for all.
class FrameworkList : public QListWidget {
  Q_OBJECT

 public:
  explicit FrameworkList(QWidget* parent = nullptr);
  /// The same frameworks at every call.
  void setCounts(const std::vector<FrameworkCount>& counts);
  /// Empty: all of them.
  [[nodiscard]] QString chosen() const { return currentRow() <= 0 ? QString() : currentItem()->text(); }
};

/// Chooses a sampler: by framework and search, with a line on each and a preview. The search keeps the keyboard: its
/// arrow keys choose, Enter takes, Esc closes and changes nothing.
class SamplerPicker : public Sheet {
  Q_OBJECT

 public:
  /// `in_use`: the sampler that the spec has.
  SamplerPicker(SamplerCatalogue catalogue, const std::string& in_use, QWidget* opener);
  void open();
  [[nodiscard]] SearchField* search() const { return search_; }
  [[nodiscard]] SamplerRows* rows() const { return list_; }
  [[nodiscard]] FrameworkList* frameworks() const { return frameworks_; }
  [[nodiscard]] SamplerPreviewPane* preview() const { return preview_; }

 signals:
  void picked(const QString& type);
  /// The same, and the user has lists of their own to give.
  void pickedForOwnLists(const QString& type);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void panelResized() override;

 private:
  void build();
  QWidget* makeHead();
  QWidget* makeFoot();
  QPushButton* makeFilter(const QString& text);
  void filter();
  [[nodiscard]] SamplerFilter wanted() const;
  void take(bool own_lists);
  bool handleKey(int key);

  SamplerCatalogue catalogue_;
  std::string in_use_;
  std::vector<SamplerRow> all_;
  SearchField* search_;
  QPushButton* training_;
  QPushButton* evaluation_;
  QPushButton* no_lists_;
  FrameworkList* frameworks_;
  SamplerRows* list_;
  SamplerPreviewPane* preview_;
  QPushButton* use_;
  LatestJob reading_;  ///< last: it tells all of the above
};

}  // namespace shardlens::ui
