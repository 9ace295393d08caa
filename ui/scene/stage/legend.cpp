// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/stage/legend.h"

#include "ui/scene/number_text.h"
#include "ui/scene/stage/flight.h"
#include "ui/scene/stage/layout.h"
#include "ui/scene/stage/scene.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"

#include <algorithm>
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

/// A colour each for the first ranks; where hues stand for nodes, one for each of the first nodes.
void addRanks(const StageInput& input, const Theme& theme, std::vector<LegendEntry>& entries) {
  constexpr qint64 kRanksWithHues = 8;
  const bool has_tones = input.ranks() > kRanksWithHues && input.world.mostRanksOnNode() > 1;
  const bool by_node = has_tones && input.world.nodes > 1;
  const qint64 fills = std::min(by_node ? input.world.nodes : input.ranks(), has_tones && !by_node ? 2 : kFills);
  LegendEntry entry;
  entry.text = by_node ? phrase("stage", "handed out, by node") : phrase("stage", "handed out, by rank");
  for (qint64 i = 0; i < fills; ++i)
    entry.colours.push_back(rankColor(theme, by_node ? input.world.firstRankOn(i) : i, input.world));
  entries.push_back(std::move(entry));
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
      return addRanks(input, theme, entries);
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
                         {mix(paddingColor(theme), theme.cell_empty, 0.4), paddingColor(theme)}});
      return;
  }
}

bool differs(const StageInput& input) {
  if (input.differences == nullptr || input.differences->differing() == 0) return false;
  for (qint64 rank = 0; rank < input.ranks(); ++rank) {
    const qint64 batches = input.epoch->ranks[static_cast<std::size_t>(rank)].batches();
    if (input.differences->count(rank, 0, std::min(batches, input.steps)) > 0) return true;
  }
  return false;
}

/// Whether the plan beside this one has batches where this one has none.
bool lacksBatches(const StageInput& input) {
  if (input.differences == nullptr || input.differences->differing() == 0) return false;
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
    case LegendMark::Notch:
      return rankNotches(rank, input.world) > 0 ? last - first : 0;
    default:
      return 0;
  }
}

bool hasPlace(LegendMark mark) {
  return mark == LegendMark::Ring || mark == LegendMark::Hatch || mark == LegendMark::DogEar ||
         mark == LegendMark::Never || mark == LegendMark::NoBatch || mark == LegendMark::Notch;
}

/// The smallest number from `from` on of which this is true, as of all above it; `to` where it is true of none.
template <class IsTrue>
qint64 firstWhere(qint64 from, qint64 to, IsTrue is_true) {
  while (from < to) {
    const qint64 middle = std::midpoint(from, to);
    if (is_true(middle)) {
      to = middle;
    } else {
      from = middle + 1;
    }
  }
  return from;
}

/// The ranks that have the mark, where they are known without asking each; null for what another plan beside decides.
const std::vector<MarkedRank>* ranksOfMark(LegendMark mark, const StageInput& input, const EpochFacts* facts) {
  static const std::vector<MarkedRank> kNone;
  switch (mark) {
    case LegendMark::Ring:
      return facts == nullptr ? &kNone : &facts->duplicateRanks();
    case LegendMark::Hatch:
      return &input.outline->padded;
    case LegendMark::NoBatch:
      return input.steps == input.outline->steps ? &input.outline->ragged : nullptr;
    default:
      return nullptr;
  }
}

/// Whether a batch in view has the mark: asks those ranks in view that have it somewhere.
bool isInView(LegendMark mark, const StageInput& input, const EpochFacts* facts, const StageAxis::Items& steps,
              const StageAxis::Items& ranks) {
  const auto has = [&](qint64 rank) { return countOfMark(mark, input, facts, rank, steps.first, steps.last) > 0; };
  if (mark == LegendMark::Notch) return ranks.first < ranks.last && has(ranks.last - 1);
  const std::vector<MarkedRank>* marked = ranksOfMark(mark, input, facts);
  if (marked == nullptr) {
    for (qint64 rank = ranks.first; rank < ranks.last; ++rank) {
      if (has(rank)) return true;
    }
    return false;
  }
  const auto is_seen = [&](qint64 step) { return step >= steps.first && step < steps.last; };
  for (auto at = std::ranges::lower_bound(*marked, ranks.first, {}, &MarkedRank::rank);
       at != marked->end() && at->rank < ranks.last; ++at) {
    if (at->last < steps.first || at->first >= steps.last) continue;
    if (is_seen(at->first) || is_seen(at->last) || has(at->rank)) return true;
  }
  return false;
}

/// The first batch of the first rank that has the mark.
std::optional<CellAddress> firstOfMark(LegendMark mark, const StageInput& input, const EpochFacts* facts) {
  if (const std::vector<MarkedRank>* marked = ranksOfMark(mark, input, facts)) {
    return marked->empty() ? std::nullopt : std::optional(CellAddress{marked->front().rank, marked->front().first});
  }
  const auto has = [&](qint64 rank, qint64 steps) { return countOfMark(mark, input, facts, rank, 0, steps) > 0; };
  qint64 rank = 0;
  if (mark == LegendMark::Notch) {
    rank = firstWhere(0, input.ranks(), [&](qint64 at) { return has(at, input.steps); });
  } else {
    while (rank < input.ranks() && !has(rank, input.steps)) ++rank;
  }
  if (rank == input.ranks()) return std::nullopt;
  return CellAddress{rank, firstWhere(0, input.steps - 1, [&](qint64 step) { return has(rank, step + 1); })};
}

/// Whether cells of this size have the bar of their batch's samples.
bool drawsSpread(const StageInput& input, const StageAxis& steps, const StageAxis& ranks) {
  const CellRoom room(steps.pitch, ranks.pitch);
  if (!room.spread()) return false;
  const qint64 most = input.outline->most_in_first_batch;
  return !room.chips(most, input.dataset_size - 1) && !room.ids(most, input.dataset_size - 1);
}

/// How a step comes.
void addDeal(const StageInput& input, LegendDeal deal, const Theme& theme, std::vector<LegendEntry>& entries) {
  const QColor rank = rankColor(theme, 0, input.world);
  const qint64 ranks = ranksOfRibbon(input);
  switch (deal) {
    case LegendDeal::None:
      break;
    case LegendDeal::Flights:
      entries.push_back({LegendMark::InFlight, phrase("stage", "in flight"), {}, {}, {}});
      break;
    case LegendDeal::Ribbons:
      entries.push_back({LegendMark::Ribbon,
                         ranks == 1 ? phrase("stage", "ribbon to its rank")
                                    : phrase("stage", "one ribbon for each %1 ranks").arg(number(ranks)),
                         {},
                         {},
                         {rank}});
      break;
    case LegendDeal::Marks:
      entries.push_back({LegendMark::InStep, phrase("stage", "dealt in this step"), {}, {}, {rank}});
      break;
  }
}

}  // namespace

void addMarkedCells(std::vector<LegendEntry>& entries, const MarkedCells& marked, const StageAxis& steps,
                    const StageAxis& ranks, const Theme& theme) {
  if (entries.empty()) return;
  const StageAxis::Items seen_steps = steps.inView();
  const StageAxis::Items seen_ranks = ranks.inView();
  const auto is_seen = [&](const CellAddress& cell) {
    return cell.step >= seen_steps.first && cell.step < seen_steps.last && cell.rank >= seen_ranks.first &&
           cell.rank < seen_ranks.last;
  };
  const auto some_seen = [&](std::span<const CellAddress> cells) {
    const auto first = std::ranges::lower_bound(cells, seen_ranks.first, {}, &CellAddress::rank);
    const auto last = std::ranges::lower_bound(cells, seen_ranks.last, {}, &CellAddress::rank);
    return std::any_of(first, last, is_seen);
  };
  std::vector<LegendEntry> marks;
  if (marked.ranks || (marked.selected && is_seen(*marked.selected)))
    marks.push_back({LegendMark::Selected, phrase("stage", "selected"), {}, {}, {theme.accent}});
  if (some_seen(marked.sharing))
    marks.push_back({LegendMark::SharesSamples, phrase("stage", "shares samples"), {}, {}, {duplicateColor(theme)}});
  if (some_seen(marked.holding)) {
    const QString words = marked.sample ? phrase("stage", "holds sample %1").arg(number(*marked.sample))
                                        : phrase("stage", "holds the selected samples");
    marks.push_back({LegendMark::HasSample, words, {}, {}, {theme.text}});
  }
  const auto is_rest = [](const LegendEntry& entry) {
    return entry.mark == LegendMark::Spread || entry.mark == LegendMark::Notch || entry.mark == LegendMark::Ribbon ||
           entry.mark == LegendMark::InFlight || entry.mark == LegendMark::InStep;
  };
  entries.insert(std::ranges::find_if(entries, is_rest), marks.begin(), marks.end());
}

void placeLegend(std::vector<LegendEntry>& entries, const StageInput& input, const EpochFacts* facts,
                 const StageAxis& steps, const StageAxis& ranks) {
  if (input.isEmpty()) return;
  if (!drawsSpread(input, steps, ranks)) {
    std::erase_if(entries, [](const LegendEntry& entry) { return entry.mark == LegendMark::Spread; });
  }
  const StageAxis::Items seen_steps = steps.inView();
  const StageAxis::Items seen_ranks = ranks.inView();
  for (LegendEntry& entry : entries) {
    entry.place.reset();
    if (!hasPlace(entry.mark) || isInView(entry.mark, input, facts, seen_steps, seen_ranks)) continue;
    entry.place = firstOfMark(entry.mark, input, facts);
  }
}

std::vector<LegendEntry> stageLegend(const StageInput& input, const EpochFacts* facts, StageColour colour, bool plays,
                                     const Theme& theme, LegendDeal deal) {
  std::vector<LegendEntry> entries;
  if (input.isEmpty() || input.steps == 0) return entries;
  addColours(input, colour, theme, entries);
  const auto add = [&entries](LegendMark mark, const QString& text) { entries.push_back({mark, text, {}, {}, {}}); };
  if (facts != nullptr && facts->hasDuplicates()) add(LegendMark::Ring, phrase("stage", "read more than once"));
  if (!input.outline->padded.empty()) add(LegendMark::Hatch, phrase("stage", "padding"));
  if (differs(input)) add(LegendMark::DogEar, phrase("stage", "another batch"));
  const bool lacks = lacksBatches(input);
  if (lacks) add(LegendMark::Never, phrase("stage", "batch that never comes"));
  if (!lacks && input.isRagged()) add(LegendMark::NoBatch, phrase("stage", "no batch"));
  if (plays) add(LegendMark::Undealt, phrase("stage", "not dealt yet"));
  if (plays) addDeal(input, deal, theme, entries);
  if (colour == StageColour::SamplePosition) add(LegendMark::Spread, phrase("stage", "mean, 5–95 %"));
  if (input.ranks() > 0 && rankNotches(input.ranks() - 1, input.world) > 0) {
    add(LegendMark::Notch, phrase("stage", "hues repeat after 8 nodes"));
    entries.back().colours = {rankColor(theme, 0, input.world)};
  }
  return entries;
}

}  // namespace shardlens::ui
