// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/overview.h"
#include "core/timeline/timeline.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace shardlens::ui {

/// One of two runs that are compared: its lanes, counted from where its first step begins, and what is said of it.
struct ComparedRun {
  QString name;
  std::shared_ptr<const Timeline> lanes;  ///< begins at 0
  /// Its steps, counted like the lanes, which it does not hold again; null for a prediction.
  std::shared_ptr<const Overview> steps;
  std::vector<qint64> node_starts;  ///< lanes, ascending, that begin another node than the lane before
  std::int64_t start_ns = 0;        ///< of its first span, in the time of the run
  std::int64_t step_ns = 0;         ///< what the slowest rank of a step takes, usually; 0: it has no step
  double wait_share = 0;            ///< of its measured time, spent waiting for other ranks
  double load_share = 0;            ///< likewise, for data

  /// A prediction does; of a run, its records say.
  [[nodiscard]] bool knowsSteps() const { return steps == nullptr || !steps->steps.empty(); }
};

/// A run that was measured. Goes through all of its spans: for workers.
ComparedRun comparedRun(const QString& name, const Overview& overview, std::vector<qint64> node_starts = {});
/// A prediction.
ComparedRun comparedPlan(const QString& name, const Timeline& predicted, std::vector<qint64> node_starts = {});

/// The same run with the lanes of these ranks alone; as it is when it has none of them, or when none are asked for.
ComparedRun onlyRanks(const ComparedRun& run, const std::vector<qint64>& ranks);
/// When a step of it ran, counted like its lanes; nothing when it is not known.
std::optional<std::pair<std::int64_t, std::int64_t>> timeOfStep(const ComparedRun& run, qint64 epoch, qint64 step);

/// What two runs differ in: a sentence about their steps, and one about their waits.
struct ComparisonText {
  QString title;
  QString waits;
};
ComparisonText comparisonText(const ComparedRun& first, const ComparedRun& second);
/// The figures of both as CSV.
QString comparisonCsv(const ComparedRun& first, const ComparedRun& second);

}  // namespace shardlens::ui
