// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/stage/scene.h"

#include <QRect>
#include <QRectF>
#include <QSize>
#include <QString>

#include <vector>

namespace shardlens::ui {

/// Lengths of the drawings (13 px type) that the Stage is laid out with; `scale` follows the font in use.
struct StageMetrics {
  double scale = 1;
  static constexpr double kDefaultStepPitch = 22;
  static constexpr double kLargestStepPitch = 240;  ///< wide enough for the ids of a small batch
  static constexpr double kLargestRow = 44;
  static constexpr double kLargestRowOfFew = 88;  ///< up to kFewRanks ranks
  static constexpr qint64 kFewRanks = 4;
  static constexpr double kSmallestRow = 6;
  static constexpr double kNodeGap = 10;  ///< between the ranks of two nodes
  /// Under this pitch cells touch; above, gaps and rounded corners.
  static constexpr double kTouching = 4;
};

/// Where the parts of the Stage are, inside a widget's rectangle.
struct StageLayout {
  QRect frame;   ///< the panel with its border
  QRect labels;  ///< "rank 2  node 0"
  QRect cells;
  QRect axis;            ///< step numbers
  QRect steps_overview;  ///< empty when every step is in view
  QRect ranks_overview;  ///< empty when every rank is in view
  QRect head;            ///< a title at the top of the panel; empty without a legend
  QRect legend;          ///< what the marks mean, at the foot of the panel; empty without a legend
  bool narrow = false;   ///< labels are numbers: "2" for rank 2
};
/// `rows_height`: pixels that all rows take; `narrow`: little room goes to the names of ranks; the axis follows right
/// below them where there is more room; `legend`: rows at the top and at the foot
/// are left for title and legend.
StageLayout stageLayout(QSize size, bool steps_overview, bool ranks_overview, double rows_height, double scale,
                        bool narrow = false, bool legend = false);

/// A number under the steps or a name beside the ranks, with the pixel (in the axis) it is centred on.
struct AxisLabel {
  double pixel = 0;
  QString text;
  QString note;      ///< fainter, behind the text: "node 0"
  qint64 rank = -1;  ///< the rank that is named, if it is one
};
std::vector<AxisLabel> stepLabels(const StageAxis& steps, double spacing);
/// How far apart, at least, the numbers of steps stand whose digits take `digit` pixels each: generously, or, where a
/// view is narrow, so that they are just told apart.
double stepSpacing(const StageAxis& steps, double digit, bool narrow);
/// A name may reach so many pixels above and below the rows.
inline constexpr double kRankNameBeyond = 5;
/// The names of ranks: every rank where there is room for a line of `line` pixels; else as many as fit, the first of
/// each node before others, and always the first and the last rank of all.
std::vector<AxisLabel> rankLabels(const StageAxis& ranks, const PipelineSpec::World& world, double line,
                                  bool narrow = false);
/// Pixels of the lines between nodes, in the middle of the gap where there is one; none where they would be closer than
/// a few pixels.
std::vector<int> nodeLines(const StageAxis& ranks, qint64 ranks_per_node);

/// The handle of an overview `length` pixels long: the part of the axis that is in view, [from, to).
struct OverviewHandle {
  double from = 0;
  double to = 0;
};
OverviewHandle overviewHandle(const StageAxis& axis, int length);

/// What fits into a cell of this pitch, in pixels.
struct CellRoom {
  double width = 0;
  double height = 0;
  CellRoom(double step_pitch, double rank_pitch) : width(step_pitch), height(rank_pitch) {}

  [[nodiscard]] bool chips(qint64 samples, SampleIndex largest) const;  ///< each sample with its number
  [[nodiscard]] bool ids(qint64 samples, SampleIndex largest) const;    ///< the ids of some samples, on one line
  [[nodiscard]] bool worker() const { return width >= 22 && height >= 14; }
  [[nodiscard]] bool spread() const { return width >= 12 && height >= 12; }
};

/// The places of `samples` chips in a cell, side by side in its middle.
std::vector<QRectF> chipPlaces(const QRectF& cell, qint64 samples);

/// The gap between two cells of this pitch, in pixels: 2 across, a little more between tall rows, none when tiny.
int cellGap(double pitch);

}  // namespace shardlens::ui
