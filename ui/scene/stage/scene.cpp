// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/stage/scene.h"

#include "core/base/text.h"
#include "ui/scene/number_text.h"
#include "ui/scene/stage/layout.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <vector>

namespace shardlens::ui {
namespace {

qint64 floorOf(double value) {
  return static_cast<qint64>(std::floor(value));
}
qint64 ceilOf(double value) {
  return static_cast<qint64>(std::ceil(value - 1e-9));
}

/// The whole number that the item would be but for the rounding of pixels: what begins at a pixel is at that pixel.
double snapped(double item) {
  const double whole = std::round(item);
  return std::abs(item - whole) < 1e-9 ? whole : item;
}

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

/// The items [first, last) that are in view.
std::pair<qint64, qint64> inView(const StageAxis& axis) {
  const auto first = std::max<qint64>(0, static_cast<qint64>(std::floor(axis.first)));
  return {first, std::min(axis.count, static_cast<qint64>(std::ceil(axis.first + axis.shown())))};
}

QString batchLine(const RankEpoch& rank, Step step) {
  QStringList ids;
  for (const SampleIndex id : rank.batchSamples(step)) ids += QString::number(id);
  return QString("%1,%2,%3,%4,").arg(rank.epoch().value).arg(rank.rank().value).arg(step.value).arg(rank.worker(step)) +
         ids.join(' ') + '\n';
}

}  // namespace

double StageAxis::offsetOf(double item) const {
  const double between = gapShown();
  if (between <= 0) return item * pitch;
  const qint64 whole = std::clamp<qint64>(floorOf(item), 0, std::max<qint64>(count - 1, 0));
  const double wide = pitch + (endsGroup(whole) && whole + 1 < count ? between : 0);
  const qint64 gaps = whole / group;
  return static_cast<double>(whole) * pitch + static_cast<double>(gaps) * between +
         (item - static_cast<double>(whole)) * wide;
}

double StageAxis::itemAtOffset(double offset) const {
  const double between = gapShown();
  if (between <= 0) return snapped(offset / pitch);
  const double of_group = static_cast<double>(group) * pitch + between;
  const qint64 groups = std::clamp<qint64>(floorOf(offset / of_group), 0, (std::max<qint64>(count, 1) - 1) / group);
  const double inside = offset - static_cast<double>(groups) * of_group;
  const qint64 whole = std::min(groups * group + std::clamp<qint64>(floorOf(inside / pitch), 0, group - 1),
                                std::max<qint64>(count - 1, 0));
  const double wide = pitch + (endsGroup(whole) && whole + 1 < count ? between : 0);
  return snapped(static_cast<double>(whole) + (inside - static_cast<double>(whole % group) * pitch) / wide);
}

StageAxis::Items StageAxis::inView() const {
  return {std::clamp<qint64>(static_cast<qint64>(std::floor(first)), 0, count),
          std::clamp<qint64>(static_cast<qint64>(std::ceil(first + shown())), 0, count)};
}

qint64 StageAxis::firstBin() const {
  return pitch >= 1 ? floorOf(first) : floorOf(first * pitch + 1e-9);
}

int StageAxis::bins() const {
  if (count <= 0 || length <= 0) return 0;
  if (pitch >= 1) {
    const qint64 last = std::min(count, ceilOf(itemAt(length)));
    return static_cast<int>(std::max<qint64>(last - firstBin(), 0));
  }
  const qint64 all = floorOf(static_cast<double>(count - 1) * pitch + 1e-9) + 1;
  return static_cast<int>(std::clamp<qint64>(all - firstBin(), 0, length));
}

StageAxis::Bin StageAxis::bin(int index) const {
  const qint64 number = firstBin() + index;
  if (pitch >= 1) {
    const auto edge = [this](qint64 item) { return static_cast<int>(std::lround(pixelOf(static_cast<double>(item)))); };
    if (!endsGroup(number)) return {number, number + 1, edge(number), edge(number + 1)};
    const double end = pixelOf(static_cast<double>(number)) + pitch;
    return {number, number + 1, edge(number), static_cast<int>(std::lround(end))};
  }
  const auto item = [this](qint64 bin) { return std::min(count, ceilOf(static_cast<double>(bin) / pitch)); };
  return {item(number), item(number + 1), index, index + 1};
}

std::optional<qint64> StageAxis::hit(double pixel) const {
  if (pixel < 0 || pixel >= length) return std::nullopt;
  const qint64 item = floorOf(itemAt(pixel));
  if (item < 0 || item >= count) return std::nullopt;
  if (endsGroup(item) && pixel >= pixelOf(static_cast<double>(item)) + pitch) return std::nullopt;
  return item;
}

StageAxis StageAxis::clamped(double largest_pitch) const {
  StageAxis axis = *this;
  if (count <= 0 || length <= 0) return axis;
  const double smallest = std::min(pitchOfAll(), largest_pitch);
  axis.pitch = std::clamp(pitch, smallest, largest_pitch);
  axis.first = std::clamp(first, 0.0, std::max(0.0, axis.itemAtOffset(axis.content() - length)));
  return axis;
}

double StageAxis::pitchOfAll() const {
  const auto items = static_cast<double>(std::max<qint64>(count, 1));
  const double touching = length / items;
  if (group <= 0 || gap <= 0) return touching;
  const qint64 gaps = (count - 1) / group;
  const double apart = (length - static_cast<double>(gaps) * gap) / items;
  return apart > kGapAbove ? apart : std::min(touching, kGapAbove);
}

StageAxis StageAxis::fitted(double largest_pitch) const {
  StageAxis axis = *this;
  axis.first = 0;
  axis.pitch = 0;
  return axis.clamped(largest_pitch);
}

StageAxis StageAxis::zoomed(double factor, double pixel, double largest_pitch) const {
  StageAxis axis = *this;
  axis.pitch = pitch * factor;
  axis = axis.clamped(largest_pitch);
  axis.first = axis.itemAtOffset(axis.offsetOf(itemAt(pixel)) - pixel);
  return axis.clamped(largest_pitch);
}

StageAxis StageAxis::revealing(qint64 item, double largest_pitch) const {
  StageAxis axis = *this;
  const auto at = static_cast<double>(item);
  if (at < first) axis.first = at;
  const double end = offsetOf(at) + pitch;
  if (end > offsetOf(first) + length + 1e-6) axis.first = itemAtOffset(end - length);
  return axis.clamped(largest_pitch);
}

qint64 tickDistance(double pitch, double spacing) {
  for (qint64 power = 1; power < 1'000'000'000'000'000; power *= 10) {
    for (const qint64 factor : {1, 2, 4, 5}) {
      if (static_cast<double>(factor * power) * pitch >= spacing) return factor * power;
    }
  }
  return 1'000'000'000'000'000;
}

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

StageColour usualColour(qint64 dataset_size) {
  constexpr qint64 kFew = 64;  // as many as fly as chips
  return dataset_size <= kFew ? StageColour::Rank : StageColour::SamplePosition;
}

QString stageColourName(StageColour colour) {
  switch (colour) {
    case StageColour::SamplePosition:
      return phrase("stage", "sample position");
    case StageColour::Worker:
      return phrase("stage", "worker");
    case StageColour::Rank:
      return phrase("stage", "rank");
    case StageColour::Label:
      return phrase("stage", "label");
    case StageColour::Duplicates:
      return phrase("stage", "duplicates");
    case StageColour::Padding:
      return phrase("stage", "padding");
  }
  return {};
}

qint64 paddingIn(const EpochPadding::OfRank& padding, const RankEpoch::Range& items) {
  return std::ranges::lower_bound(padding.items, items.last) - std::ranges::lower_bound(padding.items, items.first);
}

QColor CellColours::of(const CellBatches& batches) {
  switch (mode_) {
    case StageColour::SamplePosition:
      if (batches.rank.batch(Step{batches.first}).size() == 0) return theme_.cell_empty;
      return ofPlace(spreadOf(batches).mean);
    case StageColour::Worker:
      return workers(batches);
    case StageColour::Rank:
      return rankColor(theme_, batches.rank.rank().value, input_.world);
    case StageColour::Label:
      return labels(batches);
    case StageColour::Duplicates:
      return ofShare(duplicateShare(batches), duplicateColor(theme_));
    case StageColour::Padding:
      return ofShare(paddingShare(batches), paddingColor(theme_));
  }
  return theme_.cell_empty;
}

QColor CellColours::ofItem(const RankEpoch& rank, qint64 step, qint64 item) {
  const CellBatches batch{rank, step, step + 1, input_.padding->of(rank.rank().value)};
  switch (mode_) {
    case StageColour::SamplePosition:
      ++samples_read_;
      return ofPlace(input_.placeOf(rank.sample(item)));
    case StageColour::Label:
      ++samples_read_;
      return ofLabel(rank.sample(item));
    case StageColour::Duplicates:
      ++samples_read_;
      return ofShare(facts_ != nullptr && facts_->isDuplicate(rank.sample(item)) ? 1 : 0, duplicateColor(theme_));
    case StageColour::Padding:
      return ofShare(rank.isPadding(item) ? 1 : 0, paddingColor(theme_));
    case StageColour::Worker:
    case StageColour::Rank:
      break;
  }
  return of(batch);
}

StageChip CellColours::chip(const RankEpoch& rank, qint64 step, qint64 item) {
  const SampleIndex sample = rank.sample(item);
  const bool padding = rank.isPadding(item);
  return {sample, ofItem(rank, step, item).rgb(), padding,
          !padding && facts_ != nullptr && facts_->isDuplicate(sample)};
}

BatchSpread CellColours::spreadOf(const CellBatches& batches) {
  const RankEpoch::Range range = batches.rank.batch(Step{batches.first});
  const qint64 looks = std::min<qint64>(range.size(), most_looks_);
  if (looks == 0) return {};
  std::vector<double> places;
  double sum = 0;
  for (qint64 i = 0; i < looks; ++i) {
    places.push_back(input_.placeOf(batches.rank.sample(itemLookedAt(range, i, looks))));
    sum += places.back();
  }
  samples_read_ += looks;
  std::ranges::sort(places);
  const auto at = [&places](double share) {
    return places[static_cast<std::size_t>(std::lround(share * static_cast<double>(places.size() - 1)))];
  };
  return {sum / static_cast<double>(looks), at(0.05), at(0.95)};
}

/// One of 256 tones: more cannot be told apart, and painters remember what goes with each.
QColor CellColours::ofPlace(double place) const {
  return positionColor(theme_, std::round(place * 255) / 255);
}

/// Batches go round the workers, so a bin with several batches has them all in equal parts.
QColor CellColours::workers(const CellBatches& batches) const {
  if (input_.workers == 0) return mix(theme_.muted, theme_.cell_empty, 0.5);
  const qint64 last = std::min(batches.last, batches.first + std::min<qint64>(input_.workers, 8));
  QColor colour;
  for (qint64 step = batches.first; step < last; ++step) {
    const QColor one = workerColor(theme_, batches.rank.worker(Step{step}));
    colour = colour.isValid() ? mix(one, colour, 1.0 / static_cast<double>(step - batches.first + 1)) : one;
  }
  return colour;
}

QColor CellColours::ofLabel(SampleIndex sample) const {
  const qint64 label = input_.labelOf(sample);
  return label < 0 ? mix(theme_.muted, theme_.cell_empty, 0.5) : labelColor(theme_, label);
}

QColor CellColours::labels(const CellBatches& batches) {
  const RankEpoch::Range range = batches.rank.batch(Step{batches.first});
  const qint64 looks = std::min<qint64>(range.size(), most_looks_);
  QColor colour = theme_.cell_empty;
  for (qint64 i = 0; i < looks; ++i) {
    const QColor one = ofLabel(batches.rank.sample(itemLookedAt(range, i, looks)));
    colour = i == 0 ? one : mix(one, colour, 1.0 / static_cast<double>(i + 1));
  }
  samples_read_ += looks;
  return colour;
}

/// One batch: the share of its items; several: the share of batches that have any.
double CellColours::duplicateShare(const CellBatches& batches) {
  if (facts_ == nullptr) return 0;
  const qint64 steps = batches.last - batches.first;
  const qint64 cells = facts_->duplicateCells(batches.rank.rank().value, batches.first, batches.last);
  if (cells == 0 || steps > 1) return static_cast<double>(cells) / static_cast<double>(steps);
  const RankEpoch::Range range = batches.rank.batch(Step{batches.first});
  const qint64 looks = std::min<qint64>(range.size(), most_looks_);
  if (looks == 0) return 0;
  qint64 found = 0;
  for (qint64 i = 0; i < looks; ++i) {
    found += facts_->isDuplicate(batches.rank.sample(range.first + i * range.size() / looks)) ? 1 : 0;
  }
  samples_read_ += looks;
  return static_cast<double>(std::max<qint64>(found, 1)) / static_cast<double>(looks);
}

double CellColours::paddingShare(const CellBatches& batches) {
  const qint64 steps = batches.last - batches.first;
  const std::vector<qint64>& in_steps = batches.padding.steps;
  const qint64 padded =
      std::ranges::lower_bound(in_steps, batches.last) - std::ranges::lower_bound(in_steps, batches.first);
  if (steps > 1 || padded == 0) return static_cast<double>(padded) / static_cast<double>(steps);
  const RankEpoch::Range range = batches.rank.batch(Step{batches.first});
  const qint64 padding = paddingIn(batches.padding, range);
  return range.size() == 0 ? 0 : static_cast<double>(padding) / static_cast<double>(range.size());
}

/// Nothing of it is the colour of nothing; anything at all is clearly not.
QColor CellColours::ofShare(double share, const QColor& full) const {
  constexpr double kLeast = 0.35;
  return share > 0 ? mix(full, theme_.cell_empty, kLeast + (1 - kLeast) * share) : theme_.cell_empty;
}

QString stageCsv(const StageInput& input, const StageAxis& steps, const StageAxis& ranks) {
  QString out = "epoch,rank,step,worker,samples\n";
  if (input.isEmpty()) return out;
  const auto [first_rank, last_rank] = inView(ranks);
  const auto [first_step, last_step] = inView(steps);
  qint64 ids = 0;
  qint64 left = 0;
  for (qint64 at = first_rank; at < last_rank; ++at) {
    const RankEpoch& rank = input.epoch->ranks[static_cast<std::size_t>(at)];
    for (Step step{first_step}; step.value < std::min<qint64>(last_step, rank.batches()); ++step) {
      const qint64 size = rank.batch(step).size();
      left += ids + size > kMostCsvIds ? 1 : 0;
      if (ids + size > kMostCsvIds) continue;
      ids += size;
      out += batchLine(rank, step);
    }
  }
  if (left > 0) out += QString("# %1 more batches in view\n").arg(left);
  return out;
}

}  // namespace shardlens::ui
