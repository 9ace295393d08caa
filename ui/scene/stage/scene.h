// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/work.h"
#include "ui/scene/stage/stage_input.h"
#include "ui/scene/theme.h"

#include <QColor>
#include <QRgb>
#include <QString>
#include <QtGlobal>

#include <array>
#include <optional>
#include <vector>

namespace shardlens::ui {

/// One axis of the Stage: items (steps across, ranks down) against pixels. From one pixel an item up, a bin is an item;
/// below, a bin is one pixel and holds several items. Bins never overlap and leave no item out, whatever the zoom, and
/// stay the same while the axis scrolls: that is what lets the worst of a bin stand for all of it. Items may come in
/// groups (the ranks of a node) with a gap after each: everything that asks where an item is asks this axis.
struct StageAxis {
  qint64 count = 0;  ///< items that exist
  double first = 0;  ///< the item at pixel 0; fractional while panning
  double pitch = 1;  ///< pixels an item takes
  int length = 0;    ///< pixels to draw on
  qint64 group = 0;  ///< items between two gaps; 0: there are none
  double gap = 0;    ///< pixels after each group but the last; see gapShown()

  /// Up to this pitch a gap would cost more room than it tells: groups touch.
  static constexpr double kGapAbove = 6;

  bool operator==(const StageAxis&) const = default;

  /// The items [first, last) and the pixels [from, to) they are drawn on.
  struct Bin {
    qint64 first = 0;
    qint64 last = 0;
    int from = 0;
    int to = 0;
  };
  /// The items [first, last) of which at least a part is in view.
  struct Items {
    qint64 first = 0;
    qint64 last = 0;
  };
  [[nodiscard]] Items inView() const;
  /// How many bins are in view, at least in part.
  [[nodiscard]] int bins() const;
  /// The index-th bin from pixel 0 on.
  [[nodiscard]] Bin bin(int index) const;

  /// The pixels between two groups: `gap`, or 0 where items are too thin for it.
  [[nodiscard]] double gapShown() const { return group > 0 && pitch > kGapAbove ? gap : 0; }
  /// The pixels that all items take, gaps included.
  [[nodiscard]] double content() const { return offsetOf(static_cast<double>(count)); }
  /// Items that fit into the length from `first` on.
  [[nodiscard]] double shown() const { return gapShown() > 0 ? itemAt(length) - first : length / pitch; }
  [[nodiscard]] bool showsAll() const { return content() <= length + 0.5; }
  /// Where an item begins. The gap after a group belongs to its last item, whose fractions reach through it.
  [[nodiscard]] double pixelOf(double item) const {
    return gapShown() > 0 ? offsetOf(item) - offsetOf(first) : (item - first) * pitch;
  }
  [[nodiscard]] double itemAt(double pixel) const {
    return gapShown() > 0 ? itemAtOffset(offsetOf(first) + pixel) : first + pixel / pitch;
  }
  /// The middle of an item, without the gap behind it.
  [[nodiscard]] double middleOf(qint64 item) const { return pixelOf(static_cast<double>(item)) + pitch / 2; }
  /// The item under a pixel, if one is there; none in a gap.
  [[nodiscard]] std::optional<qint64> hit(double pixel) const;

  /// The pitch at which all items just fit.
  [[nodiscard]] double pitchOfAll() const;
  /// The same axis with `first` and `pitch` inside what makes sense: no empty space where there are items to show.
  [[nodiscard]] StageAxis clamped(double largest_pitch) const;
  /// Everything in view, at most `largest_pitch` pixels an item.
  [[nodiscard]] StageAxis fitted(double largest_pitch) const;
  /// Magnified about a pixel, whose item stays where it is.
  [[nodiscard]] StageAxis zoomed(double factor, double pixel, double largest_pitch) const;
  /// Scrolled just so far that the item is wholly in view.
  [[nodiscard]] StageAxis revealing(qint64 item, double largest_pitch) const;

 private:
  [[nodiscard]] qint64 firstBin() const;
  /// Pixels from the beginning of item 0; the inverse of itemAtOffset().
  [[nodiscard]] double offsetOf(double item) const;
  [[nodiscard]] double itemAtOffset(double offset) const;
  [[nodiscard]] bool endsGroup(qint64 item) const { return gapShown() > 0 && (item + 1) % group == 0; }
};

/// The distance between ticks in items: 1, 2, 4 or 5 times a power of ten, at least `spacing` pixels apart.
qint64 tickDistance(double pitch, double spacing);

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

/// One bin of the Stage: a batch, or the worst of all batches that share it.
struct StageCell {
  QRgb colour = 0;
  qint64 rank = 0;  ///< the rank whose colour it has
  float fill = 0;   ///< 1: a full batch; less: a short one; 0: no rank of the bin has a batch here
  float low = -1;   ///< what 5 to 95 % of the batch span of the dataset, 0..1; negative where that is not shown
  float high = -1;
  bool padding = false;          ///< some item only repeats a sample so that slices or batches come out even
  float padded = 0;              ///< the share of such items, or of batches that have any
  bool duplicate = false;        ///< some sample is handed out more than once in this epoch
  bool differs = false;          ///< some batch is not the one of the plan that this one is compared with
  bool never = false;            ///< the plan that this one is compared with has a batch where this one has none
  QString label;                 ///< ids of the batch, or its worker, where there is room for a line
  std::vector<StageChip> chips;  ///< its samples, where there is room for all of them
  qint64 places = 0;             ///< how many chips a full batch of the rank would have
};

/// The bins in view, row by row.
struct StageGrid {
  StageAxis steps;
  StageAxis ranks;
  int columns = 0;
  int rows = 0;
  std::vector<StageCell> cells;
  qint64 samples_read = 0;  ///< how many sample ids were looked up: what the picture cost

  [[nodiscard]] const StageCell& at(int row, int column) const {
    return cells[static_cast<std::size_t>(row) * columns + column];
  }
};

/// Computes the bins in view. The cost depends on how many there are, never on samples or steps; `facts` may be null
/// (not known yet: nothing is a duplicate). An empty grid when `work` stopped it.
StageGrid stageGrid(const StageInput& input, const EpochFacts* facts, const StageAxis& steps, const StageAxis& ranks,
                    StageColour colour, const Theme& theme, const Work& work = {});

/// A note beside the ragged edge: "ranks 2 and 3 run out after 12 steps"; empty when all ranks have equally
/// many.
QString raggedNote(const StageInput& input);

/// What the mouse rests on: "rank 2 · epoch 0 · step 6", worker, number of samples, the first twelve ids, and what is
/// wrong with them. Lines separated by '\n'.
QString cellTip(const StageInput& input, const EpochFacts* facts, CellAddress cell);

/// The batches in view as CSV: epoch, rank, step, worker, and the ids with spaces between. Ends after kMostCsvIds ids;
/// a last line then says how many batches are missing.
QString stageCsv(const StageInput& input, const StageAxis& steps, const StageAxis& ranks);

constexpr qint64 kMostCsvIds = 50'000;

}  // namespace shardlens::ui
