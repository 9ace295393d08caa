// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/stage/scene.h"

#include "core/base/text.h"
#include "ui/scene/number_text.h"
#include "ui/scene/stage/layout.h"
#include "ui/state/phrase.h"

#include <QStringList>

#include <algorithm>

namespace shardlens::ui {
namespace {

/// So many samples are looked up for one picture to colour its cells by their batches: a few milliseconds.
constexpr qint64 kLooks = 2'000'000;
constexpr qint64 kMostLooks = 64;
constexpr qint64 kFewestLooks = 4;
constexpr qint64 kIdsInTip = 12;
/// A tip is made while the mouse waits for it: repeated samples of a larger batch are not counted.
constexpr qint64 kItemsCountedInTip = 20'000;
constexpr double kDigit = 7.5;  ///< pixels
constexpr qint64 kFewestIds = 4;

/// What is true for all of a rank's cells, looked up once a row.
struct Row {
  const RankEpoch* rank = nullptr;
  qint64 batches = 0;
  qint64 full = 0;  ///< samples of a full batch
  const EpochPadding::OfRank* padding = nullptr;
};

/// How many samples of the batch are repeated in the epoch; empty: none.
QString duplicatesText(const RankEpoch& rank, qint64 step, const EpochFacts& facts) {
  const RankEpoch::Range range = rank.batch(Step{step});
  if (range.size() > kItemsCountedInTip) {
    return facts.duplicateCells(rank.rank().value, step, step + 1) > 0 ? phrase("stage", "some") : QString();
  }
  qint64 found = 0;
  for (qint64 k = range.first; k < range.last; ++k) found += facts.isDuplicate(rank.sample(k)) ? 1 : 0;
  return found > 0 ? number(found) : QString();
}

Row rowOf(const StageInput& input, qint64 index) {
  const RankEpoch& rank = input.epoch->ranks[static_cast<std::size_t>(index)];
  const qint64 batches = rank.batches();
  return {&rank, batches, batches > 0 ? rank.batch(Step{0}).size() : 0, &input.padding->of(index)};
}

qint64 looksFor(const StageGrid& grid) {
  const auto cells = static_cast<qint64>(grid.cells.size());
  return std::clamp(kLooks / std::max<qint64>(cells, 1), kFewestLooks, kMostLooks);
}

/// Computes one grid; holds what every cell needs.
class GridBuilder {
 public:
  GridBuilder(const StageInput& input, const EpochFacts* facts, StageColour colour, const Theme& theme, StageGrid& grid)
      : input_(input),
        facts_(facts),
        mode_(colour),
        colours_(input, facts, colour, theme, looksFor(grid)),
        room_(grid.steps.pitch, grid.ranks.pitch),
        grid_(grid) {}

  [[nodiscard]] qint64 samplesRead() const { return samples_read_ + colours_.samplesRead(); }

  void fillRow(int row) {
    const StageAxis::Bin ranks = grid_.ranks.bin(row);
    std::vector<Row> rows;
    for (qint64 rank = ranks.first; rank < ranks.last; ++rank) rows.push_back(rowOf(input_, rank));
    for (int column = 0; column < grid_.columns; ++column) {
      grid_.cells[static_cast<std::size_t>(row) * grid_.columns + column] = cell(rows, grid_.steps.bin(column));
    }
  }

 private:
  StageCell cell(const std::vector<Row>& rows, const StageAxis::Bin& steps) {
    StageCell cell;
    const Row* shown = nullptr;
    for (const Row& row : rows) {
      if (row.batches <= steps.first) {
        cell.never |= isOther(row, steps);
        continue;
      }
      const std::vector<qint64>& padded = row.padding->steps;
      const auto next = std::ranges::lower_bound(padded, steps.first);
      const bool padding = next != padded.end() && *next < steps.last;
      const bool duplicate = duplicates(row, steps) > 0;
      const bool differs = isOther(row, steps);
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
    paint(cell, *shown, {*shown->rank, steps.first, std::min(steps.last, shown->batches), *shown->padding});
    return cell;
  }

  [[nodiscard]] bool isOther(const Row& row, const StageAxis::Bin& steps) const {
    return input_.differences && input_.differences->count(row.rank->rank().value, steps.first, steps.last) > 0;
  }

  /// What is seen of the batches that stand for the cell.
  void paint(StageCell& cell, const Row& row, const CellBatches& batches) {
    cell.rank = row.rank->rank().value;
    cell.colour = colours_.of(batches).rgb();
    if (cell.padding) cell.padded = static_cast<float>(CellColours::paddingShare(batches));
    cell.places = row.full;
    if (room_.chips(row.full, input_.dataset_size - 1)) return addChips(cell, *row.rank, batches.first);
    if (mode_ == StageColour::Worker && room_.worker() && batches.last - batches.first == 1 && input_.workers > 0) {
      cell.label = QStringLiteral("w%1").arg(row.rank->worker(Step{batches.first}));
    } else if (room_.ids(row.full, input_.dataset_size - 1)) {
      cell.label = idsOf(row, batches.first, cell.fill);
    }
    if (mode_ != StageColour::SamplePosition || !room_.spread()) return;
    const BatchSpread spread = colours_.spreadOf(batches);
    cell.low = static_cast<float>(spread.low);
    cell.high = static_cast<float>(spread.high);
  }

  void addChips(StageCell& cell, const RankEpoch& rank, qint64 step) {
    const RankEpoch::Range range = rank.batch(Step{step});
    for (qint64 k = range.first; k < range.last; ++k) cell.chips.push_back(colours_.chip(rank, step, k));
    samples_read_ += range.size();
  }

  /// The ids of a batch on one line: all of them, or as many as fit when those are not too few to mean anything.
  QString idsOf(const Row& row, qint64 step, float fill) {
    const auto room = static_cast<qsizetype>((grid_.steps.pitch * fill - 8) / kDigit);
    const RankEpoch::Range range = row.rank->batch(Step{step});
    QString line;
    for (qint64 k = range.first; k < range.last; ++k) {
      const QString id = QString::number(row.rank->sample(k));
      ++samples_read_;
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

  const StageInput& input_;
  const EpochFacts* facts_;
  StageColour mode_;
  CellColours colours_;
  CellRoom room_;
  StageGrid& grid_;
  qint64 samples_read_ = 0;
};

}  // namespace

StageInput stageInput(quint64 generation, const PipelineSpec& spec, std::shared_ptr<const EpochPlan> epoch,
                      std::shared_ptr<const EpochOutline> outline) {
  StageInput input;
  input.generation = generation;
  input.dataset_size = spec.dataset.size;
  input.epochs = spec.epochs;
  if (spec.worldSize() > 0) input.world = spec.world;
  input.workers = spec.loader.num_workers;
  input.labels = spec.dataset.labels;
  if (epoch == nullptr) return input;
  input.outline = outline != nullptr ? std::move(outline) : EpochOutline::of(*epoch);
  input.steps = input.outline->steps;
  input.padding = std::make_shared<const EpochPadding>(epoch);
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
  grid.samples_read = builder.samplesRead();
  return grid;
}

QString raggedNote(const StageInput& input) {
  if (!input.isRagged()) return {};
  const qint64 fewest = input.outline->fewest_steps;
  std::vector<std::int64_t> out;
  for (const RankEpoch& rank : input.epoch->ranks) {
    if (rank.batches() == fewest) out.push_back(rank.rank().value);
  }
  const bool one = out.size() == 1;
  return (one ? phrase("stage", "rank %1 runs out after %2") : phrase("stage", "ranks %1 run out after %2"))
      .arg(text(listed(out, 4)), countOf(fewest, "step"));
}

QString cellTip(const StageInput& input, const EpochFacts* facts, CellAddress cell) {
  if (cell.rank >= input.ranks()) return {};
  const RankEpoch& rank = input.epoch->ranks[cell.rank];
  QStringList lines{phrase("stage", "rank %1 · epoch %2 · step %3")
                        .arg(number(cell.rank), number(input.epochNumber()), number(cell.step))};
  if (cell.step >= rank.batches()) {
    lines << phrase("stage", "no batch here: this rank has only %1").arg(countOf(rank.batches(), "step"));
    return lines.join('\n');
  }
  const RankEpoch::Range range = rank.batch(Step{cell.step});
  QString head = countOf(range.size(), "sample");
  if (rank.worker(Step{cell.step}) >= 0) head += " · " + phrase("stage", "worker %1").arg(rank.worker(Step{cell.step}));
  QStringList ids;
  for (qint64 k = range.first; k < std::min<qint64>(range.last, range.first + kIdsInTip); ++k) {
    ids << QString::number(rank.sample(k));
  }
  lines << head << ids.join(QStringLiteral(", ")) + (range.size() > kIdsInTip ? QStringLiteral(", …") : QString());
  const qint64 padding = paddingIn(input.padding->of(cell.rank), range);
  if (padding > 0) lines << countOf(padding, "padding item");
  const QString repeated = facts != nullptr ? duplicatesText(rank, cell.step, *facts) : QString();
  if (!repeated.isEmpty()) lines << phrase("stage", "%1 handed out more than once in this epoch").arg(repeated);
  return lines.join('\n');
}

}  // namespace shardlens::ui
