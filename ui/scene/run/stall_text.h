// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/run/call_list.h"

#include <QString>

#include <optional>
#include <vector>

namespace shardlens {
struct RunState;
}  // namespace shardlens

namespace shardlens::ui {

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
