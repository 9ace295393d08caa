// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/design/life.h"

#include "ui/scene/number_text.h"
#include "ui/state/phrase.h"

#include <QStringList>

#include <algorithm>
#include <chrono>
#include <thread>

namespace shardlens::ui {
namespace {

using LifeClock = std::chrono::steady_clock;

/// Lines come this often: enough to see them come, and little for the window to do.
constexpr std::chrono::milliseconds kHandOverEvery{80};

/// Epochs that are searched together: two rounds of every core.
std::int64_t epochsTogether() {
  return 2 * static_cast<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()));
}

void addRows(std::vector<LifeRow>& rows, qint64 epoch, const std::vector<Sighting>& sightings) {
  if (sightings.empty()) rows.push_back({epoch, std::nullopt});
  for (const Sighting& sighting : sightings) rows.push_back({epoch, sighting});
}

}  // namespace

Result<void> followSample(const Plan& plan, SampleIndex sample, const Work& work,
                          const std::function<void(std::vector<LifeRow> rows)>& take) {
  std::vector<LifeRow> rows;
  auto last = LifeClock::now();
  const auto all = static_cast<double>(plan.epochs());
  for (std::int64_t epoch = 0; epoch < plan.epochs();) {
    const std::int64_t count = std::min(epochsTogether(), plan.epochs() - epoch);
    const auto from = static_cast<double>(epoch);
    const auto found =
        findSample(plan, Epoch{epoch}, count, sample, work.part(from / all, (from + static_cast<double>(count)) / all));
    if (!found) return found.error();
    for (const std::vector<Sighting>& sightings : *found) addRows(rows, epoch++, sightings);
    if (epoch < plan.epochs() && LifeClock::now() - last < kHandOverEvery) continue;
    last = LifeClock::now();
    take(std::exchange(rows, {}));
  }
  return {};
}

void LifeModel::begin(SampleIndex sample, qint64 epochs) {
  beginResetModel();
  sample_ = sample;
  epochs_ = epochs;
  read_ = padding_ = left_out_ = 0;
  rows_.clear();
  endResetModel();
}

void LifeModel::append(const std::vector<LifeRow>& rows) {
  if (rows.empty()) return;
  const int first = rowCount();
  beginInsertRows({}, first, first + static_cast<int>(rows.size()) - 1);
  rows_.insert(rows_.end(), rows.begin(), rows.end());
  for (const LifeRow& row : rows) {
    const bool read = row.at && row.at->step;
    read_ += read ? 1 : 0;
    left_out_ += row.at ? 0 : 1;
    padding_ += read && row.at->padding ? 1 : 0;
  }
  endInsertRows();
}

Selected LifeModel::placeOf(int row) const {
  const LifeRow& line = rows_[static_cast<std::size_t>(row)];
  Selected place;
  place.sample = sample_;
  place.follows_sample = true;
  place.epoch = line.epoch;
  if (!line.at) return place;
  place.ranks = {line.at->rank.value};
  if (line.at->step) place.step = line.at->step->value;
  return place;
}

int LifeModel::rowOf(const Selected& place) const {
  if (!place.epoch) return -1;
  auto line = std::lower_bound(rows_.begin(), rows_.end(), *place.epoch,
                               [](const LifeRow& row, qint64 epoch) { return row.epoch < epoch; });
  for (; line != rows_.end() && line->epoch == *place.epoch; ++line) {
    const bool rank = place.ranks.empty() || (line->at && line->at->rank.value == place.ranks.front());
    const bool step = !place.step || (line->at && line->at->step && line->at->step->value == *place.step);
    if (rank && step) return static_cast<int>(line - rows_.begin());
  }
  return -1;
}

QString LifeModel::summary() const {
  QStringList parts = {phrase("design", "Read %1 in %2").arg(countOf(read_, "time"), countOf(epochs_, "epoch"))};
  if (padding_ > 0) parts += phrase("design", "as padding %1").arg(countOf(padding_, "time"));
  if (left_out_ > 0) parts += phrase("design", "left out of %1").arg(countOf(left_out_, "epoch"));
  const qint64 dropped = static_cast<qint64>(rows_.size()) - read_ - left_out_;
  if (dropped > 0) parts += phrase("design", "dropped by the loader %1").arg(countOf(dropped, "time"));
  return phrase("design", "%1.").arg(parts.join("; "));
}

QString LifeModel::csv() const {
  QString out = "sample,epoch,rank,step,worker,item,padding\n";
  for (const LifeRow& row : rows_) {
    out += QString("%1,%2,").arg(sample_).arg(row.epoch);
    if (!row.at) {
      out += ",,,,\n";
      continue;
    }
    const Sighting& at = *row.at;
    out += QString("%1,%2,%3,%4,%5\n")
               .arg(at.rank.value)
               .arg(at.step ? QString::number(at.step->value) : QString())
               .arg(at.worker)
               .arg(at.item)
               .arg(at.padding ? 1 : 0);
  }
  return out;
}

int LifeModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int LifeModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : Columns;
}

QString LifeModel::text(const LifeRow& row, int column) const {
  if (column == EpochColumn) return number(row.epoch);
  if (!row.at) return column == RankColumn ? phrase("design", "none") : QString();
  const Sighting& at = *row.at;
  switch (column) {
    case RankColumn:
      return number(at.rank.value);
    case StepColumn:
      return at.step ? number(at.step->value) : phrase("design", "dropped");
    case WorkerColumn:
      if (at.worker >= 0) return number(at.worker);
      return at.step ? phrase("design", "main") : QString();
    default:
      return !at.step ? QString() : at.padding ? phrase("design", "%1 pad").arg(number(at.item)) : number(at.item);
  }
}

QVariant LifeModel::data(const QModelIndex& index, int role) const {
  const LifeRow& row = rows_[static_cast<std::size_t>(index.row())];
  if (role == Qt::DisplayRole) return text(row, index.column());
  if (role != Qt::ToolTipRole && role != Qt::AccessibleTextRole) return {};
  if (!row.at) return phrase("design", "epoch %1: in no batch").arg(number(row.epoch));
  const Sighting& at = *row.at;
  QString tip = phrase("design", "epoch %1: rank %2").arg(number(row.epoch), number(at.rank.value));
  if (!at.step && at.worker >= 0)
    return phrase("design", "%1, in the short batch of worker %2, which the loader drops").arg(tip).arg(at.worker);
  if (!at.step) return phrase("design", "%1, dropped by the loader").arg(tip);
  tip = phrase("design", "%1, step %2, place %3 in the batch").arg(tip, number(at.step->value), number(at.item));
  tip = at.worker < 0 ? phrase("design", "%1, loaded by the main process").arg(tip)
                      : phrase("design", "%1, loaded by worker %2").arg(tip).arg(at.worker);
  return at.padding ? phrase("design", "%1, as padding").arg(tip) : tip;
}

QVariant LifeModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return int(Qt::AlignLeft | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  constexpr std::array kNames = {QT_TRANSLATE_NOOP("design", "epoch"), QT_TRANSLATE_NOOP("design", "rank"),
                                 QT_TRANSLATE_NOOP("design", "step"), QT_TRANSLATE_NOOP("design", "worker"),
                                 QT_TRANSLATE_NOOP("design", "place")};
  return phrase("design", kNames[static_cast<std::size_t>(section)]);
}

}  // namespace shardlens::ui

#include "moc_life.cpp"
