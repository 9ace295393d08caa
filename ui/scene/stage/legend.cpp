// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/stage/legend.h"

#include "ui/scene/number_text.h"
#include "ui/scene/palette.h"
#include "ui/scene/stage/layout.h"
#include "ui/scene/stage/scene.h"
#include "ui/state/phrase.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace shardlens::ui {
namespace {

constexpr qint64 kFills = 4;
constexpr int kTones = 16;

std::vector<QColor> positions(const Theme& theme) {
  std::vector<QColor> colours;
  colours.reserve(kTones);
  for (int i = 0; i < kTones; ++i) colours.push_back(positionColor(theme, i / (kTones - 1.0)));
  return colours;
}

std::vector<QColor> rankFills(const StageInput& input, const Theme& theme) {
  std::vector<QColor> colours;
  for (qint64 rank = 0; rank < std::min(input.ranks(), kFills); ++rank) {
    colours.push_back(rankColor(theme, rank, input.nodes, input.ranks_per_node));
  }
  return colours;
}

std::vector<QColor> workerFills(const StageInput& input, const Theme& theme) {
  std::vector<QColor> colours;
  for (qint64 worker = 0; worker < std::min(input.workers, kFills); ++worker) {
    colours.push_back(workerColor(theme, worker));
  }
  return colours;
}

/// The first classes of the dataset; when there are more, that is said.
void addLabels(const StageInput& input, const Theme& theme, std::vector<LegendEntry>& entries) {
  constexpr std::size_t kLooks = 4096;
  if (!input.hasLabels()) {
    entries.push_back({LegendMark::Fills, phrase("stage", "samples have no labels"), {}, {}, {theme.muted}});
    return;
  }
  std::set<qint64> classes;
  for (std::size_t i = 0; i < std::min(input.labels.size(), kLooks); ++i) classes.insert(input.labels[i]);
  LegendEntry entry;
  QStringList names;
  for (const qint64 label : classes) {
    if (names.size() == kFills) break;
    entry.colours.push_back(labelColor(theme, label));
    names << QString::number(label);
  }
  const bool more = static_cast<qint64>(classes.size()) > kFills || input.labels.size() > kLooks;
  entry.text =
      phrase("stage", "label %1").arg(names.join(QStringLiteral(", "))) + (more ? QStringLiteral(", …") : QString());
  entries.push_back(std::move(entry));
}

void addColours(const StageInput& input, StageColour colour, const Theme& theme, std::vector<LegendEntry>& entries) {
  switch (colour) {
    case StageColour::SamplePosition:
      entries.push_back({LegendMark::Scale, {}, number(0), number(input.dataset_size - 1), positions(theme)});
      return;
    case StageColour::Rank:
      entries.push_back({LegendMark::Fills, phrase("stage", "handed out, by rank"), {}, {}, rankFills(input, theme)});
      return;
    case StageColour::Worker:
      if (input.workers == 0) {
        entries.push_back({LegendMark::Fills, phrase("stage", "loaded by the rank itself"), {}, {}, {theme.muted}});
      } else {
        entries.push_back({LegendMark::Fills, phrase("stage", "loader worker"), {}, {}, workerFills(input, theme)});
      }
      return;
    case StageColour::Label:
      return addLabels(input, theme, entries);
    case StageColour::Duplicates:
      entries.push_back({LegendMark::Fills,
                         phrase("stage", "share read more than once"),
                         {},
                         {},
                         {mix(duplicateColor(theme), theme.cell_empty, 0.4), duplicateColor(theme)}});
      return;
    case StageColour::Padding:
      entries.push_back({LegendMark::Fills,
                         phrase("stage", "share that is padding"),
                         {},
                         {},
                         {mix(theme.warning, theme.cell_empty, 0.4), theme.warning}});
      return;
  }
}

bool hasPadding(const StageInput& input) {
  for (qint64 rank = 0; rank < input.ranks(); ++rank) {
    if (!input.padding->of(rank).items.empty()) return true;
  }
  return false;
}

bool differs(const StageInput& input) {
  if (input.differences == nullptr) return false;
  for (qint64 rank = 0; rank < input.ranks(); ++rank) {
    const qint64 batches = input.epoch->ranks[static_cast<std::size_t>(rank)].batches();
    if (input.differences->count(rank, 0, std::min(batches, input.steps)) > 0) return true;
  }
  return false;
}

/// Whether the plan beside this one has batches where this one has none.
bool lacksBatches(const StageInput& input) {
  if (input.differences == nullptr) return false;
  return std::ranges::any_of(input.epoch->ranks, [&](const RankEpoch& rank) {
    return input.differences->count(rank.rank().value, std::min<qint64>(rank.batches(), input.steps), input.steps) > 0;
  });
}

/// How many of the steps, ascending, are in [first, last).
qint64 countIn(const std::vector<qint64>& steps, qint64 first, qint64 last) {
  return std::ranges::lower_bound(steps, last) - std::ranges::lower_bound(steps, first);
}

/// How many batches of a rank in the steps [first, last) have the mark.
qint64 countOfMark(LegendMark mark, const StageInput& input, const EpochFacts* facts, qint64 rank, qint64 first,
                   qint64 last) {
  const RankEpoch& row = input.epoch->ranks[static_cast<std::size_t>(rank)];
  const qint64 batches = std::min<qint64>(row.batches(), input.steps);
  switch (mark) {
    case LegendMark::Ring:
      return facts == nullptr ? 0 : facts->duplicateCells(rank, first, std::min(last, batches));
    case LegendMark::Hatch:
      return countIn(input.padding->of(rank).steps, first, last);
    case LegendMark::DogEar:
      return input.differences == nullptr || first >= batches
                 ? 0
                 : input.differences->count(rank, first, std::min(last, batches));
    case LegendMark::Never:
      return input.differences == nullptr || last <= batches
                 ? 0
                 : input.differences->count(rank, std::max(first, batches), last);
    case LegendMark::NoBatch:
      return std::max<qint64>(0, last - std::max(first, batches));
    default:
      return 0;
  }
}

bool hasPlace(LegendMark mark) {
  return mark == LegendMark::Ring || mark == LegendMark::Hatch || mark == LegendMark::DogEar ||
         mark == LegendMark::Never || mark == LegendMark::NoBatch;
}

/// The first batch of the first rank that has the mark.
std::optional<CellAddress> firstOfMark(LegendMark mark, const StageInput& input, const EpochFacts* facts) {
  for (qint64 rank = 0; rank < input.ranks(); ++rank) {
    if (mark == LegendMark::Hatch) {
      const std::vector<qint64>& padded = input.padding->of(rank).steps;
      if (!padded.empty() && padded.front() < input.steps) return CellAddress{rank, padded.front()};
      continue;
    }
    if (countOfMark(mark, input, facts, rank, 0, input.steps) == 0) continue;
    qint64 from = 0;
    qint64 to = input.steps;
    while (to - from > 1) {
      const qint64 middle = std::midpoint(from, to);
      (countOfMark(mark, input, facts, rank, 0, middle) > 0 ? to : from) = middle;
    }
    return CellAddress{rank, from};
  }
  return std::nullopt;
}

struct Range {
  qint64 first = 0;
  qint64 last = 0;
};

/// The items of which at least a part is in view.
Range inView(const StageAxis& axis) {
  return {std::clamp<qint64>(static_cast<qint64>(std::floor(axis.first)), 0, axis.count),
          std::clamp<qint64>(static_cast<qint64>(std::ceil(axis.first + axis.shown())), 0, axis.count)};
}

}  // namespace

namespace {

/// Whether cells of this size have the bar of their batch's samples.
bool drawsSpread(const StageInput& input, const StageAxis& steps, const StageAxis& ranks) {
  const CellRoom room(steps.pitch, ranks.pitch);
  if (!room.spread()) return false;
  qint64 most = 0;
  for (const RankEpoch& rank : input.epoch->ranks) {
    if (rank.batches() > 0) most = std::max<qint64>(most, rank.batch(Step{0}).size());
  }
  return !room.chips(most, input.dataset_size - 1) && !room.line();
}

}  // namespace

void placeLegend(std::vector<LegendEntry>& entries, const StageInput& input, const EpochFacts* facts,
                 const StageAxis& steps, const StageAxis& ranks) {
  if (input.isEmpty()) return;
  if (!drawsSpread(input, steps, ranks)) {
    std::erase_if(entries, [](const LegendEntry& entry) { return entry.mark == LegendMark::Spread; });
  }
  const Range seen_steps = inView(steps);
  const Range seen_ranks = inView(ranks);
  for (LegendEntry& entry : entries) {
    entry.place.reset();
    if (!hasPlace(entry.mark)) continue;
    bool seen = false;
    for (qint64 rank = seen_ranks.first; rank < seen_ranks.last && !seen; ++rank) {
      seen = countOfMark(entry.mark, input, facts, rank, seen_steps.first, seen_steps.last) > 0;
    }
    if (!seen) entry.place = firstOfMark(entry.mark, input, facts);
  }
}

std::vector<LegendEntry> stageLegend(const StageInput& input, const EpochFacts* facts, StageColour colour, bool plays,
                                     const Theme& theme) {
  std::vector<LegendEntry> entries;
  if (input.isEmpty() || input.steps == 0) return entries;
  addColours(input, colour, theme, entries);
  const auto add = [&entries](LegendMark mark, const QString& text) { entries.push_back({mark, text, {}, {}, {}}); };
  if (facts != nullptr && facts->hasDuplicates()) add(LegendMark::Ring, phrase("stage", "read more than once"));
  if (hasPadding(input)) add(LegendMark::Hatch, phrase("stage", "padding"));
  if (differs(input)) add(LegendMark::DogEar, phrase("stage", "another batch"));
  const bool lacks = lacksBatches(input);
  if (lacks) add(LegendMark::Never, phrase("stage", "batch that never comes"));
  if (!lacks && !raggedNote(input).isEmpty()) add(LegendMark::NoBatch, phrase("stage", "no batch"));
  if (colour == StageColour::SamplePosition) {
    add(LegendMark::Spread, phrase("stage", "batch: mean, 5–95 %"));
  }
  if (plays) add(LegendMark::InFlight, phrase("stage", "in flight"));
  if (plays) add(LegendMark::Undealt, phrase("stage", "not dealt yet"));
  return entries;
}

}  // namespace shardlens::ui
