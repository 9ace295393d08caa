// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/stage/epoch_facts.h"
#include "ui/scene/stage/stage_input.h"
#include "ui/scene/theme.h"

#include <QColor>
#include <QRgb>
#include <QString>

#include <array>

namespace shardlens::ui {

/// What the colour of a cell says.
enum class StageColour { SamplePosition, Worker, Rank, Label, Duplicates, Padding };
inline constexpr std::array kStageColours = {StageColour::SamplePosition, StageColour::Worker,
                                             StageColour::Rank,           StageColour::Label,
                                             StageColour::Duplicates,     StageColour::Padding};
/// "sample position", as the menu names it.
QString stageColourName(StageColour colour);
/// What it says until the user chooses: whose a sample is where each can be seen by itself, else where it comes from.
StageColour usualColour(qint64 dataset_size);

/// Where in the dataset a batch comes from, as places 0..1: the mean, and what its 5 to 95 % span.
struct BatchSpread {
  double mean = 0;
  double low = 0;
  double high = 0;
};

/// One sample in a cell that is large enough to show each.
struct StageChip {
  SampleIndex sample = 0;
  QRgb colour = 0;
  bool padding = false;
  bool duplicate = false;
};

/// The batches [first, last) of one rank that a cell stands for; not empty.
struct CellBatches {
  const RankEpoch& rank;
  qint64 first = 0;
  qint64 last = 0;
  const EpochPadding::OfRank& padding;  ///< of the rank
};

/// Gives cells and samples their colours in one mode. Counts the sample ids that it looks up.
class CellColours {
 public:
  /// `most_looks`: so many samples of a batch speak for all of it.
  CellColours(const StageInput& input, const EpochFacts* facts, StageColour mode, const Theme& theme, qint64 most_looks)
      : input_(input), facts_(facts), mode_(mode), theme_(theme), most_looks_(most_looks) {}

  /// The colour of a cell.
  QColor of(const CellBatches& batches);
  /// The colour of one item of a rank's batch, in the same mode.
  QColor ofItem(const RankEpoch& rank, qint64 step, qint64 item);
  /// One item of a rank's batch as it is shown by itself.
  StageChip chip(const RankEpoch& rank, qint64 step, qint64 item);
  /// The first batch's places in the dataset, from `most_looks` samples evenly spread over it.
  BatchSpread spreadOf(const CellBatches& batches);
  /// 0..1: of a batch, its padded items; of several batches, those that have any.
  [[nodiscard]] static double paddingShare(const CellBatches& batches);

  [[nodiscard]] qint64 samplesRead() const { return samples_read_; }

 private:
  [[nodiscard]] QColor ofPlace(double place) const;
  [[nodiscard]] QColor workers(const CellBatches& batches) const;
  [[nodiscard]] QColor ofLabel(SampleIndex sample) const;
  /// The mean of its samples' classes.
  QColor labels(const CellBatches& batches);
  double duplicateShare(const CellBatches& batches);
  [[nodiscard]] QColor ofShare(double share, const QColor& full) const;

  const StageInput& input_;
  const EpochFacts* facts_;
  StageColour mode_;
  const Theme& theme_;
  qint64 most_looks_;
  qint64 samples_read_ = 0;
};

/// The i-th of `looks` items that are evenly spread over a batch.
inline qint64 itemLookedAt(const RankEpoch::Range& batch, qint64 i, qint64 looks) {
  return batch.first + (2 * i + 1) * batch.size() / (2 * looks);
}

/// How many of these items of a rank are padding.
qint64 paddingIn(const EpochPadding::OfRank& padding, const RankEpoch::Range& items);

}  // namespace shardlens::ui
