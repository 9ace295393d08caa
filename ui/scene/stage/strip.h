// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/audit.h"
#include "ui/scene/number_text.h"
#include "ui/scene/stage/scene.h"
#include "ui/scene/stage/stage_input.h"

#include <QColor>
#include <QString>

#include <optional>
#include <vector>

namespace shardlens::ui {

/// One column of the dataset strip, `width` pixels wide: a sample, or a range of them.
struct StripColumn {
  int from = 0;  ///< pixels [from, to)
  int to = 0;
  SampleIndex first = 0;  ///< samples [first, last)
  SampleIndex last = 0;
  float share = 0;   ///< of its samples, seen
  qint64 rank = -1;  ///< who took the newest of them
  bool duplicate = false;
  bool padding = false;
};

/// The strip at one moment: as many columns as there are pixels, or samples when those are fewer.
std::vector<StripColumn> stripColumns(const StageInput& input, const EpochFacts* facts, qint64 steps_done, int width);

/// The share of a column that reaches the top of the strip: 0.8 %, 2, 5, 10, 20, 50 or 100 %, the first that no column
/// exceeds. 1 where a column is one sample.
double stripTop(const std::vector<StripColumn>& columns);

/// What a bar and its height stand for, where a bar is more than one sample: "one bar: 5 720 samples · full height: 0.8
/// % of them handed out"; else nothing. `top` as of stripTop().
QString stripScale(const std::vector<StripColumn>& columns, double top);

/// The pixels [from, to) of one sample's column.
StripColumn stripColumnOf(const StageInput& input, SampleIndex sample, int width);

/// "epoch 0 of 90 · 1 792 of 1 281 167 samples seen".
QString stripText(const StageInput& input, const EpochFacts* facts, qint64 steps_done);

/// A place in a plan's time that a finding names.
struct TimeMark {
  qint64 epoch = 0;
  std::optional<qint64> step;  ///< absent: the whole epoch
  Tone tone = Tone::Note;
  QString title;
  bool operator==(const TimeMark&) const = default;
};

/// The places that the findings of an audit name, the gravest last so that it is painted over the others. Proofs and
/// findings that name no epoch have none.
std::vector<TimeMark> timeMarks(const AuditReport& report);

/// Epochs [first, last) that are drawn as one block on the pixels [from, to).
struct EpochBlock {
  qint64 first = 0;
  qint64 last = 0;
  double from = 0;
  double to = 0;
  bool is_tenth = false;
};

/// Pixels from one epoch to the next in a row of `width` pixels whose blocks are `side` pixels high: blocks are squares
/// where all of them fit, and narrower where they do not.
double epochPitch(qint64 epochs, double width, double side);
/// All epochs in such a row: a block each where there is room, else 10, 100, ... to a block.
std::vector<EpochBlock> epochBlocks(qint64 epochs, double width, double side);
/// The epoch under a pixel of that row; pixels beside it count as its nearest end.
qint64 epochAt(qint64 epochs, double width, double side, double pixel);

}  // namespace shardlens::ui
