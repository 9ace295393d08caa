// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/audit.h"
#include "ui/scene/number_text.h"

#include <QString>

#include <optional>
#include <vector>

namespace shardlens::ui {

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
