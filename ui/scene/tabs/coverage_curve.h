// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"

#include <QtGlobal>

#include <vector>

namespace shardlens::ui {

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
