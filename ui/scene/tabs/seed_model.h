// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/audit.h"
#include "ui/scene/number_text.h"
#include "ui/scene/stage/scene.h"
#include "ui/state/selection.h"

#include <QAbstractTableModel>

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace shardlens::ui {

/// Which rows of the seed table are shown. Absent parts let everything through.
struct SeedFilter {
  bool only_collisions = false;
  std::optional<qint64> rank;
  std::optional<qint64> epoch;
  std::optional<quint64> seed = {};

  bool operator==(const SeedFilter&) const = default;
};

/// The seed table, epoch by rank by worker, filtered. A stream that another row of its epoch has too is red and says
/// so.
class SeedModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column {
    EpochColumn,
    NodeColumn,
    RankColumn,
    LocalRankColumn,
    WorkerColumn,
    SeedColumn,
    StreamColumn,
    IdsColumn,
    SameColumn,
    Columns
  };

  using QAbstractTableModel::QAbstractTableModel;

  /// The report is kept: the table is not copied.
  void setReport(std::shared_ptr<const AuditReport> report, const PipelineSpec::World& world);
  void setFilter(const SeedFilter& filter);
  [[nodiscard]] const SeedFilter& filter() const { return filter_; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  [[nodiscard]] const SeedRow& seedRow(int row) const;
  [[nodiscard]] bool collides(int row) const;
  /// The first shown row of that rank, worker, epoch and seed, as far as they are given; -1 when there is none.
  [[nodiscard]] int rowOf(const Selected& place) const;
  /// The shown row that `row` is the same as; -1 when it is none, or filtered out.
  [[nodiscard]] int sameAs(int row) const;
  [[nodiscard]] qint64 total() const;
  /// The rank's own first sample, and the first three random ids after the seed; a sample of -1 where one is not known.
  /// Random ids that several ranks of the first epoch would draw have a colour each.
  [[nodiscard]] std::array<StageChip, 4> tiles(int row) const;
  /// The largest id that a tile may have.
  [[nodiscard]] qint64 largestId() const;

  /// The rows in the table's columns, with a header line.
  [[nodiscard]] QString csv(const std::vector<int>& rows) const;
  [[nodiscard]] QString yaml(const std::vector<int>& rows) const;

 private:
  [[nodiscard]] const std::vector<SeedRow>& table() const;
  [[nodiscard]] QString text(std::size_t at, int column) const;
  [[nodiscard]] QString sameText(std::size_t at) const;
  [[nodiscard]] QString idsTip(const SeedRow& row) const;
  [[nodiscard]] bool passes(std::size_t at) const;
  void countGroups();
  void countIds();
  void select();

  std::shared_ptr<const AuditReport> report_;
  PipelineSpec::World world_;
  SeedFilter filter_;
  /// Later rows with the same stream.
  struct Others {
    std::int32_t first = -1;
    std::int32_t count = 0;
  };
  std::vector<Others> others_;                ///< by table row; empty for all but the first of equal ones
  std::map<SampleIndex, qint64> shared_ids_;  ///< that several ranks would draw, with the number of their colour
  std::vector<std::int32_t> shown_;           ///< table rows that pass the filter
};

/// The seeds in one sentence: "8 distinct streams of 8", "Every node has the same 4 seeds".
struct SeedVerdict {
  QString title;
  Tone tone = Tone::Fine;
  std::optional<Fix> fix;
};
/// "3 of 4 ranks would share random ids", of the first epoch; empty where no two have one stream, or where ranks are
/// too many to be compared.
QString sharedIdsText(const SeedTable& seeds);
SeedVerdict seedVerdict(const AuditReport& report, const PipelineSpec::World& world);

}  // namespace shardlens::ui
