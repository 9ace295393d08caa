// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/finding.h"
#include "core/base/work.h"
#include "core/plan/find_sample.h"
#include "ui/state/plan_service.h"
#include "ui/state/selection.h"

#include <QAbstractTableModel>
#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace shardlens::ui {

/// One line of a sample's life: a place that it is read at, or an epoch that leaves it out.
struct LifeRow {
  qint64 epoch = 0;
  std::optional<Sighting> at;

  bool operator==(const LifeRow&) const = default;
};

/// Every place of `sample` in every epoch, in their order, as the engine's findSample() tells them. `take` gets some
/// epochs at a time, several times a second. For a worker.
Result<void> followSample(const Plan& plan, SampleIndex sample, const Work& work,
                          const std::function<void(std::vector<LifeRow> rows)>& take);

/// The life of a sample as a table, filled while it is followed.
class LifeModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { EpochColumn, RankColumn, StepColumn, WorkerColumn, ItemColumn, Columns };

  using QAbstractTableModel::QAbstractTableModel;

  /// Another sample, of which nothing is known yet.
  void begin(SampleIndex sample, qint64 epochs);
  void append(const std::vector<LifeRow>& rows);
  [[nodiscard]] SampleIndex sample() const { return sample_; }
  [[nodiscard]] const std::vector<LifeRow>& lines() const { return rows_; }
  /// What a line selects: the sample, followed, at that place.
  [[nodiscard]] Selected placeOf(int row) const;
  /// The line of that epoch and, where they are given, rank and step; -1 when there is none.
  [[nodiscard]] int rowOf(const Selected& place) const;
  /// "Read 90 times in 90 epochs; padding 2 times; left out of 3 epochs".
  [[nodiscard]] QString summary() const;
  [[nodiscard]] QString csv() const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  [[nodiscard]] QString text(const LifeRow& row, int column) const;

  SampleIndex sample_ = 0;
  qint64 epochs_ = 0;
  qint64 read_ = 0;
  qint64 padding_ = 0;
  qint64 left_out_ = 0;
  std::vector<LifeRow> rows_;
};

/// A sample id as a chip: what it is in its place, and what the whole epoch says about it.
struct SampleChip {
  qint64 id = 0;
  bool padding = false;
  bool shared = false;  ///< another rank gets it in this epoch too
};

/// All that is said about what is selected: a title, facts by name, a sentence, and sample ids.
struct Inspection {
  struct Fact {
    QString name;
    QString value;
    std::optional<Selected> place = {};  ///< what the value selects as a whole
  };
  QString title;
  Selected about;  ///< what the texts are about, for their links
  std::vector<Fact> facts;
  QString sentence;
  std::vector<SampleChip> chips;  ///< at most kMostChips
  qint64 samples = 0;             ///< how many there are, shown or not
  bool is_overview = false;       ///< nothing is selected: this is the epoch as a whole
  bool complete = true;           ///< false: a longer search is still to come, see inspectFully()
};

constexpr std::size_t kMostChips = 1000;

/// What can be said at once, without going through an epoch. Nothing selected is the epoch as a whole.
/// Empty title: there is no plan, or no such rank.
Inspection inspect(const PlanSnapshot& answer, const Selected& selected);

/// The same with what takes a search through whole epochs: which ids other ranks have too, what two ranks share.
/// Long for large plans; nothing when it was stopped.
std::optional<Inspection> inspectFully(const PlanSnapshot& answer, const Selected& selected, const Work& work);

/// The inspection as a text to take along.
QString asYaml(const Inspection& inspection);
QString asCsv(const Inspection& inspection);
/// "shardlens plan spec.yaml --epoch 0 --rank 2": the headless twin of what is shown.
QString twinOf(const Selected& selected, const QString& spec_path);

/// "2 errors · 1 note · 3 fine"
QString findingCounts(const std::vector<Finding>& findings);
/// All of them, for people.
QString findingsText(const std::vector<Finding>& findings);
/// One line each, for programs.
QString findingsCsv(const std::vector<Finding>& findings);
/// Where the finding is seen, with its code.
Selected placeOf(const Finding& finding);

}  // namespace shardlens::ui
