// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/stage/cell_colour.h"

#include "ui/scene/palette.h"
#include "ui/state/phrase.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace shardlens::ui {

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

}  // namespace shardlens::ui
