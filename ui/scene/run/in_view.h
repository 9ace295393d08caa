// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/work.h"
#include "core/diagnose/run_state.h"
#include "ui/scene/run/lanes.h"
#include "ui/scene/run/time_window.h"

#include <QtGlobal>

#include <optional>
#include <utility>
#include <vector>

namespace shardlens {
struct RunFacts;
}

namespace shardlens::ui {

/// Steps counted over all epochs, both ends included.
struct StepRange {
  qint64 first = 0;
  qint64 last = 0;
  bool operator==(const StepRange&) const = default;
};

/// From when to when a step ran, up to the beginning of the next one; nothing when it is not in the overview.
std::optional<std::pair<std::int64_t, std::int64_t>> timeOfStep(const Overview& overview, qint64 epoch, qint64 step);
/// The steps that ran between two moments; nothing when none did, or the recording does not say which ones they are.
std::optional<StepRange> stepsIn(const Overview& overview, const TimeWindow& window, const RunFacts* facts);

/// How late each rank came to the collectives that ended between two moments; empty when their spans are not known one
/// by one any more. For a worker: looks at every span in between.
std::optional<std::vector<shardlens::Arrival>> arrivalsIn(const RunLanes& lanes, std::int64_t begin_ns,
                                                          std::int64_t end_ns, const Work& work);

}  // namespace shardlens::ui
