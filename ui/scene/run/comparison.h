// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/overview.h"
#include "core/timeline/timeline.h"

#include <QString>

#include <cstdint>
#include <memory>

namespace shardlens::ui {

/// One of two runs that are compared: its lanes, counted from where its first step begins, and what is said of it.
struct ComparedRun {
  QString name;
  std::shared_ptr<const Timeline> lanes;  ///< begins at 0
  /// Its steps, counted like the lanes, which it does not hold again; null for a prediction.
  std::shared_ptr<const Overview> steps;
  std::int64_t start_ns = 0;  ///< of its first span, in the time of the run
  std::int64_t step_ns = 0;   ///< what the slowest rank of a step takes, usually; 0: it has no step
  double wait_share = 0;      ///< of its measured time, spent waiting for other ranks
  double load_share = 0;      ///< likewise, for data
};

/// A run that was measured. Goes through all of its spans: for workers.
ComparedRun comparedRun(const QString& name, const Overview& overview);
/// A prediction.
ComparedRun comparedPlan(const QString& name, const Timeline& predicted);

/// What two runs differ in: a sentence about their steps, and one about their waits.
struct ComparisonText {
  QString title;
  QString waits;
};
ComparisonText comparisonText(const ComparedRun& first, const ComparedRun& second);

}  // namespace shardlens::ui
