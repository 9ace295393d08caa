// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/ledger.h"
#include "core/plan/plan.h"
#include "ui/scene/number_text.h"

#include <QString>
#include <QtGlobal>

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

/// How many distinct samples all ranks together have been handed after each step of an epoch.
struct CoverageCurve {
  struct Point {
    qint64 step = 0;  ///< steps done
    qint64 seen = 0;
  };
  std::vector<Point> points;  ///< ascending, from step 0 to the last
  qint64 dataset_size = 0;
  qint64 steps = 0;

  /// Interpolated between the points.
  [[nodiscard]] double seenAt(double step) const;
};

/// Walks the whole epoch: one look at each item. At most about `points` points. Cancelled when `work` says so.
Result<CoverageCurve> coverageCurve(const Plan& plan, Epoch epoch, qint64 points = 400, const Work& work = {});

}  // namespace shardlens::ui
