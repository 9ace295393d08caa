// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/stage/legend.h"

#include "ui/scene/number_text.h"
#include "ui/scene/palette.h"
#include "ui/scene/stage/scene.h"

#include <algorithm>

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

void addColours(const StageInput& input, StageColour colour, const Theme& theme, std::vector<LegendEntry>& entries) {
  switch (colour) {
    case StageColour::SamplePosition:
      entries.push_back({LegendMark::Scale, {}, number(0), number(input.dataset_size - 1), positions(theme)});
      return;
    case StageColour::Rank:
      entries.push_back({LegendMark::Fills, QStringLiteral("handed out, by rank"), {}, {}, rankFills(input, theme)});
      return;
    case StageColour::Worker:
      if (input.workers == 0) {
        entries.push_back({LegendMark::Fills, QStringLiteral("loaded by the rank itself"), {}, {}, {theme.muted}});
      } else {
        entries.push_back({LegendMark::Fills, QStringLiteral("loader worker"), {}, {}, workerFills(input, theme)});
      }
      return;
    case StageColour::Duplicates:
      entries.push_back({LegendMark::Fills,
                         QStringLiteral("share read more than once"),
                         {},
                         {},
                         {mix(duplicateColor(theme), theme.cell_empty, 0.4), duplicateColor(theme)}});
      return;
    case StageColour::Padding:
      entries.push_back({LegendMark::Fills,
                         QStringLiteral("share that is padding"),
                         {},
                         {},
                         {mix(theme.warning, theme.cell_empty, 0.4), theme.warning}});
      return;
  }
}

bool hasPadding(const StageInput& input) {
  return std::ranges::any_of(input.epoch->ranks,
                             [](const RankEpoch& rank) { return firstPaddedStep(rank) < rank.batches(); });
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

}  // namespace

std::vector<LegendEntry> stageLegend(const StageInput& input, const EpochFacts* facts, StageColour colour, bool plays,
                                     const Theme& theme) {
  std::vector<LegendEntry> entries;
  if (input.isEmpty() || input.steps == 0) return entries;
  addColours(input, colour, theme, entries);
  const auto add = [&entries](LegendMark mark, const char* text) {
    entries.push_back({mark, QString::fromLatin1(text), {}, {}, {}});
  };
  if (facts != nullptr && facts->hasDuplicates()) add(LegendMark::Ring, "read more than once");
  if (hasPadding(input)) add(LegendMark::Hatch, "padding");
  if (differs(input)) add(LegendMark::DogEar, "another batch");
  const bool lacks = lacksBatches(input);
  if (lacks) add(LegendMark::Never, "batch that never comes");
  if (!lacks && !raggedNote(input).isEmpty()) add(LegendMark::NoBatch, "no batch");
  if (plays) add(LegendMark::Undealt, "not dealt yet");
  if (colour == StageColour::SamplePosition) {
    entries.push_back({LegendMark::Spread, QStringLiteral("fill: mean, bar: 5–95 % of the batch"), {}, {}, {}});
  }
  return entries;
}

}  // namespace shardlens::ui
