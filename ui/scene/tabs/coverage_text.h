// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/ledger.h"
#include "ui/scene/number_text.h"

#include <QString>

#include <vector>

namespace shardlens::ui {

/// A bar of the histogram "how often is a sample seen in this epoch".
struct TimesSeen {
  QString label;     ///< "never", "once", "8 times or more"
  qint64 times = 0;  ///< the fewest times this bar stands for
  qint64 samples = 0;
};

/// At most `most` bars: "never" and "once" always, then only what occurs; what is left is summed in the last one.
std::vector<TimesSeen> timesSeen(const Ledger& coverage, std::size_t most = 6);

struct CoverageVerdict {
  QString title;  ///< "Every sample is seen once"
  QString facts;  ///< the counts behind it, in one line
  Tone tone = Tone::Fine;
};

CoverageVerdict coverageVerdict(const Ledger& coverage);
/// The listed ids, "list,sample" with missing, duplicated or padding.
QString coverageCsv(const Ledger& coverage);

}  // namespace shardlens::ui
