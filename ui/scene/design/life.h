// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/find_sample.h"
#include "ui/state/selection.h"

#include <QAbstractTableModel>

#include <functional>
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

}  // namespace shardlens::ui
