// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/stage/scene.h"

#include "core/base/text.h"
#include "ui/scene/number_text.h"

#include <QStringList>

#include <algorithm>

namespace shardlens::ui {
namespace {

/// Items of a batch whose ids are looked at to colour it by its share of duplicates.
constexpr qint64 kItemsLookedAt = 64;
constexpr qint64 kIdsInTip = 12;
/// A tip is made while the mouse waits for it: repeated samples of a larger batch are not counted.
constexpr qint64 kItemsCountedInTip = 20'000;
/// A cell of at least this size, in pixels, carries ids; a digit takes so many of them.
constexpr double kIdsFromPitch = 44;
constexpr double kIdsFromRow = 20;
constexpr double kDigit = 7.5;
constexpr qint64 kFewestIds = 4;

/// What is true for all of a rank's cells, looked up once a row.
struct Row {
  const RankEpoch* rank = nullptr;
  qint64 batches = 0;
  qint64 full = 0;         ///< samples of a full batch
  qint64 padded_from = 0;  ///< the first batch with padding
};

/// The first item of [low, high) that is padding, `high` when none is: all that come after it are padding, too.
qint64 firstPadded(const RankEpoch& rank, qint64 low, qint64 high) {
  while (low < high) {
    const qint64 middle = (low + high) / 2;
    rank.isPadding(middle) ? high = middle : low = middle + 1;
  }
  return low;
}

/// How many samples of the batch are repeated in the epoch; empty: none.
QString duplicatesText(const RankEpoch& rank, qint64 step, const EpochFacts& facts) {
  const RankEpoch::Range range = rank.batch(Step{step});
  if (range.size() > kItemsCountedInTip) {
    return facts.duplicateCells(rank.rank().value, step, step + 1) > 0 ? QStringLiteral("some") : QString();
  }
  qint64 found = 0;
  for (qint64 k = range.first; k < range.last; ++k) found += facts.isDuplicate(rank.sample(k)) ? 1 : 0;
  return found > 0 ? number(found) : QString();
}

Row rowOf(const RankEpoch& rank) {
  const qint64 batches = rank.batches();
  return {&rank, batches, batches > 0 ? rank.batch(Step{0}).size() : 0, firstPaddedStep(rank)};
}

/// Computes one grid; holds what every cell needs.
class GridBuilder {
 public:
  GridBuilder(const StageInput& input, const EpochFacts* facts, StageColour colour, const Theme& theme, StageGrid& grid)
      : input_(input), facts_(facts), colour_(colour), theme_(theme), grid_(grid) {}

  void fillRow(int row) {
    const StageAxis::Bin ranks = grid_.ranks.bin(row);
    std::vector<Row> rows;
    for (qint64 rank = ranks.first; rank < ranks.last; ++rank) rows.push_back(rowOf(input_.epoch->ranks[rank]));
    for (int column = 0; column < grid_.columns; ++column) {
      grid_.cells[static_cast<std::size_t>(row) * grid_.columns + column] = cell(rows, grid_.steps.bin(column));
    }
  }

 private:
  StageCell cell(const std::vector<Row>& rows, const StageAxis::Bin& steps) {
    StageCell cell;
    const Row* shown = nullptr;
    for (const Row& row : rows) {
      if (row.batches <= steps.first) continue;
      const bool padding = row.padded_from < std::min(steps.last, row.batches);
      const bool duplicate = duplicates(row, steps) > 0;
      const bool differs =
          input_.differences && input_.differences->count(row.rank->rank().value, steps.first, steps.last) > 0;
      cell.fill = std::max(cell.fill, fillOf(row, steps.first));
      // The row that has something wrong gives the colour too.
      if (shown == nullptr || (padding && !cell.padding) || (duplicate && !cell.duplicate) ||
          (differs && !cell.differs))
        shown = &row;
      cell.padding |= padding;
      cell.duplicate |= duplicate;
      cell.differs |= differs;
    }
    if (shown == nullptr) return cell;
    cell.colour = colourOf(*shown, steps).rgb();
    if (cell.padding) cell.padded = static_cast<float>(paddingShare(*shown, steps));
    if (grid_.steps.pitch >= kIdsFromPitch && grid_.ranks.pitch >= kIdsFromRow)
      cell.ids = idsOf(*shown, steps.first, cell.fill);
    return cell;
  }

  /// The ids of a batch on one line: all of them, or as many as fit when those are not too few to mean anything.
  QString idsOf(const Row& row, qint64 step, float fill) {
    const auto room = static_cast<qsizetype>((grid_.steps.pitch * fill - 8) / kDigit);
    const RankEpoch::Range range = row.rank->batch(Step{step});
    QString line;
    for (qint64 k = range.first; k < range.last; ++k) {
      const QString id = QString::number(row.rank->sample(k));
      ++grid_.samples_read;
      if (line.size() + id.size() + (k + 1 < range.last ? 2 : 0) > room) {
        return k - range.first < kFewestIds ? QString() : line + QStringLiteral("…");
      }
      line += (line.isEmpty() ? QString() : QStringLiteral("  ")) + id;
    }
    return line;
  }

  /// An empty batch is a step all the same: it keeps a sliver.
  static float fillOf(const Row& row, qint64 step) {
    constexpr float kSliver = 0.02F;
    if (row.full == 0) return 1;
    const auto share = static_cast<float>(row.rank->batch(Step{step}).size()) / static_cast<float>(row.full);
    return std::clamp(share, kSliver, 1.0F);
  }

  [[nodiscard]] qint64 duplicates(const Row& row, const StageAxis::Bin& steps) const {
    return facts_ ? facts_->duplicateCells(row.rank->rank().value, steps.first, steps.last) : 0;
  }

  QColor colourOf(const Row& row, const StageAxis::Bin& steps) {
    switch (colour_) {
      case StageColour::SamplePosition:
        return positionColour(row, steps.first);
      case StageColour::Worker:
        return workerColour(row, steps);
      case StageColour::Rank:
        return rankColor(row.rank->rank().value, input_.nodes, input_.ranks_per_node);
      case StageColour::Duplicates:
        return shareColour(duplicateShare(row, steps), theme_.error);
      case StageColour::Padding:
        return shareColour(paddingShare(row, steps), theme_.warning);
    }
    return theme_.cell_empty;
  }

  QColor positionColour(const Row& row, qint64 step) {
    ++grid_.samples_read;
    const RankEpoch::Range range = row.rank->batch(Step{step});
    if (range.size() == 0) return theme_.cell_empty;
    const SampleIndex sample = row.rank->sample(range.first);
    return viridis(static_cast<double>(sample) / static_cast<double>(std::max<qint64>(input_.dataset_size - 1, 1)));
  }

  /// Batches go round the workers, so a bin with several batches has them all in equal parts.
  [[nodiscard]] QColor workerColour(const Row& row, const StageAxis::Bin& steps) const {
    if (input_.workers == 0) return mix(theme_.muted, theme_.cell_empty, 0.5);
    const qint64 last = std::min({steps.last, row.batches, steps.first + std::min<qint64>(input_.workers, 8)});
    QColor colour;
    for (qint64 step = steps.first; step < last; ++step) {
      const QColor one = rankColor(row.rank->worker(Step{step}), 1, input_.workers);
      colour = colour.isValid() ? mix(one, colour, 1.0 / static_cast<double>(step - steps.first + 1)) : one;
    }
    return colour;
  }

  /// One batch: the share of its items; several: the share of batches that have any.
  double duplicateShare(const Row& row, const StageAxis::Bin& steps) {
    if (facts_ == nullptr) return 0;
    const qint64 last = std::min(steps.last, row.batches);
    const qint64 cells = duplicates(row, steps);
    if (cells == 0 || last - steps.first > 1)
      return static_cast<double>(cells) / static_cast<double>(last - steps.first);
    const RankEpoch::Range range = row.rank->batch(Step{steps.first});
    const qint64 looks = std::min<qint64>(range.size(), kItemsLookedAt);
    if (looks == 0) return 0;
    qint64 found = 0;
    for (qint64 i = 0; i < looks; ++i) {
      found += facts_->isDuplicate(row.rank->sample(range.first + i * range.size() / looks)) ? 1 : 0;
    }
    grid_.samples_read += looks;
    return static_cast<double>(std::max<qint64>(found, 1)) / static_cast<double>(looks);
  }

  static double paddingShare(const Row& row, const StageAxis::Bin& steps) {
    const qint64 last = std::min(steps.last, row.batches);
    const qint64 padded = std::max<qint64>(0, last - std::max(row.padded_from, steps.first));
    if (last - steps.first > 1 || padded == 0)
      return static_cast<double>(padded) / static_cast<double>(last - steps.first);
    const RankEpoch::Range range = row.rank->batch(Step{steps.first});
    const qint64 padding = range.last - firstPadded(*row.rank, range.first, range.last);
    return range.size() == 0 ? 0 : static_cast<double>(padding) / static_cast<double>(range.size());
  }

  /// Nothing wrong is grey; anything at all is clearly not.
  [[nodiscard]] QColor shareColour(double share, const QColor& full) const {
    const QColor none = mix(theme_.muted, theme_.cell_empty, 0.25);
    return share > 0 ? mix(full, none, 0.35 + 0.65 * share) : none;
  }

  const StageInput& input_;
  const EpochFacts* facts_;
  StageColour colour_;
  const Theme& theme_;
  StageGrid& grid_;
};

}  // namespace

QString stageColourName(StageColour colour) {
  switch (colour) {
    case StageColour::SamplePosition:
      return QStringLiteral("sample position");
    case StageColour::Worker:
      return QStringLiteral("worker");
    case StageColour::Rank:
      return QStringLiteral("rank");
    case StageColour::Duplicates:
      return QStringLiteral("duplicates");
    case StageColour::Padding:
      return QStringLiteral("padding");
  }
  return {};
}

StageInput stageInput(quint64 generation, const PipelineSpec& spec, std::shared_ptr<const EpochPlan> epoch) {
  StageInput input;
  input.generation = generation;
  input.dataset_size = spec.dataset.size;
  input.epochs = spec.epochs;
  input.nodes = spec.world.nodes;
  input.ranks_per_node = std::max<qint64>(spec.world.ranks_per_node, 1);
  input.workers = spec.loader.num_workers;
  input.steps = epoch ? epoch->steps() : 0;
  input.epoch = std::move(epoch);
  return input;
}

StageGrid stageGrid(const StageInput& input, const EpochFacts* facts, const StageAxis& steps, const StageAxis& ranks,
                    StageColour colour, const Theme& theme, const Work& work) {
  StageGrid grid{steps, ranks, steps.bins(), ranks.bins(), {}, 0};
  grid.cells.resize(static_cast<std::size_t>(grid.columns) * grid.rows);
  GridBuilder builder(input, facts, colour, theme, grid);
  for (int row = 0; row < grid.rows; ++row) {
    if (work.stopped()) return {};
    builder.fillRow(row);
  }
  return grid;
}

qint64 firstPaddedStep(const RankEpoch& rank) {
  const qint64 batches = rank.batches();
  if (batches == 0) return 0;
  const qint64 end = rank.handedOut();
  const qint64 first = firstPadded(rank, 0, end);
  return first == end ? batches : rank.stepOf(first)->value;
}

QString raggedNote(const StageInput& input) {
  if (input.isEmpty()) return {};
  qint64 fewest = input.steps;
  for (const RankEpoch& rank : input.epoch->ranks) fewest = std::min<qint64>(fewest, rank.batches());
  if (fewest == input.steps) return {};
  std::vector<std::int64_t> out;
  for (const RankEpoch& rank : input.epoch->ranks) {
    if (rank.batches() == fewest) out.push_back(rank.rank().value);
  }
  const bool one = out.size() == 1;
  return QStringLiteral("%1 %2 %3 out after %4")
      .arg(one ? QStringLiteral("rank") : QStringLiteral("ranks"), text(ranges(out, 4)),
           one ? QStringLiteral("runs") : QStringLiteral("run"), countOf(fewest, "step"));
}

QString cellTip(const StageInput& input, const EpochFacts* facts, CellAddress cell) {
  if (cell.rank >= input.ranks()) return {};
  const RankEpoch& rank = input.epoch->ranks[cell.rank];
  QStringList lines{QStringLiteral("rank %1 · epoch %2 · step %3")
                        .arg(number(cell.rank), number(input.epochNumber()), number(cell.step))};
  if (cell.step >= rank.batches()) {
    lines << QStringLiteral("no batch here: this rank has only %1").arg(countOf(rank.batches(), "step"));
    return lines.join('\n');
  }
  const RankEpoch::Range range = rank.batch(Step{cell.step});
  QString head = countOf(range.size(), "sample");
  if (rank.worker(Step{cell.step}) >= 0) head += QStringLiteral(" · worker %1").arg(rank.worker(Step{cell.step}));
  QStringList ids;
  for (qint64 k = range.first; k < std::min<qint64>(range.last, range.first + kIdsInTip); ++k) {
    ids << QString::number(rank.sample(k));
  }
  lines << head << ids.join(QStringLiteral(", ")) + (range.size() > kIdsInTip ? QStringLiteral(", …") : QString());
  const qint64 padding = range.last - firstPadded(rank, range.first, range.last);
  if (padding > 0) lines << countOf(padding, "padding item");
  const QString repeated = facts != nullptr ? duplicatesText(rank, cell.step, *facts) : QString();
  if (!repeated.isEmpty()) lines << repeated + QStringLiteral(" handed out more than once in this epoch");
  return lines.join('\n');
}

}  // namespace shardlens::ui
