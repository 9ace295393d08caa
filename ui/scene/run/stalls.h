// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/overview.h"

#include <QString>
#include <QtGlobal>

#include <cstdint>
#include <optional>
#include <vector>

namespace shardlens {
struct RankState;
struct RunState;
struct Verdict;
}  // namespace shardlens

namespace shardlens::ui {

/// A time of the run in which no rank went on, since the first record.
struct Stall {
  std::int64_t from_ns = 0, to_ns = 0;
  bool operator==(const Stall&) const = default;
};

/// The first verdict that the job stands still; null while it moves on.
const Verdict* stalledIn(const RunState& state);
/// The ranks that this verdict is about.
std::vector<const RankState*> culpritsIn(const RunState& state, const Verdict& verdict);
/// Those times that the verdicts of this moment name: pauses, and a standstill, which began when a rank last went on.
/// `overview` may be null.
std::vector<Stall> stallsOf(const RunState& state, const Overview* overview);
/// How long the others have waited for this rank; nothing for a rank that is not waited for.
std::optional<Stall> stallOf(const RunState& state, qint64 rank);
/// From the beginning of a standstill to the end of what is known; 0 without one.
std::int64_t stallLength(const RunState& state);

/// The calls of one process that had not returned, the first one first.
struct CallList {
  struct Row {
    QString function;
    QString place;  ///< "train.py:41"
    QString code;   ///< what stands in that line; empty: not known
    QString file;   ///< with its folder
    bool is_own = false;
    bool operator==(const Row&) const = default;
  };
  QString head;  ///< "calls that have not returned"
  QString note;  ///< "process 4812, 0.3 s ago"
  std::vector<Row> rows;
  bool operator==(const CallList&) const = default;

  /// The rows that tell the most, in their order: the job's own calls and the last ones of libraries.
  [[nodiscard]] std::vector<Row> shortened() const;
  /// All rows, a line each.
  [[nodiscard]] QString text() const;
};

/// Of the rank, and then of the loader worker that it waits for; as far as they are known.
std::vector<CallList> callLists(const RunState& state, const RankState& rank);

/// Of a job that stands still: who is waited for, since when, and what to do.
struct StallText {
  struct Line {
    QString head;  ///< "waited for"
    QString text;  ///< "rank 2 on gpu-box-3, process 4812"
    QString time;  ///< "12 s ago"; goes on while the job stands still
    bool operator==(const Line&) const = default;
  };
  QString title;
  std::vector<Line> lines;
  std::vector<CallList> calls;  ///< where the code of the first of those who are waited for is, as far as it is known
  std::vector<QString> more;    ///< what else is wrong, a sentence each
  qint64 rank = -1;             ///< the first of those who are waited for
  bool operator==(const StallText&) const = default;
};

/// Nothing while the job moves on.
std::optional<StallText> stallText(const RunState& state);

}  // namespace shardlens::ui
