// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/schedule.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <vector>

namespace shardlens {
struct RunState;
struct Timeline;
}  // namespace shardlens

namespace shardlens::ui {

/// How long one rank waited for the others, and how often the others waited for it.
struct WaitRow {
  qint64 rank = 0;
  double wait_ns = 0;     ///< per step, or over the timeline when that is all there is; infinite: without end
  double share = -1;      ///< of its measured time; negative = not measured
  QString wait;           ///< "12 ms a step"
  QString last;           ///< "last in 188 of 200"; empty when nothing was measured
  double last_share = 0;  ///< 0..1
  QString gain;  ///< "alone gains 0.8 s": what mending this one of several slow ranks alone gains; mostly empty
  bool is_culprit = false;
  bool has_gaps = false;  ///< parts of its recording are missing

  /// What stands behind the bar.
  [[nodiscard]] QString words() const;
};

/// Of every rank of a run, by rank.
std::vector<WaitRow> waitRows(const RunState& state);
/// "rank,wait_ns,share,last_share"; what was not measured is empty.
QString waitsCsv(const std::vector<WaitRow>& rows);
/// "The others waited 12 s for them · mending all of them gains 2.9 s · 0.2 s to 3.7 s of the run": the time that the
/// first verdict on slow ranks is about; empty without one.
QString owedText(const RunState& state);
/// Where every rank was measured and none of them waits: that this is so. Empty where a bar has a length, or might have
/// one if more had been measured.
QString noWaitText(const std::vector<WaitRow>& rows, bool is_predicted);
/// Of a predicted timeline: what its spans say.
std::vector<WaitRow> waitRows(const Timeline& timeline);
/// Where a schedule hangs: who is stuck in what, and who never comes. Of ranks outside that call nothing is known.
std::vector<WaitRow> waitRows(const schedule::Schedule& schedule, const schedule::Hang& hang);

/// Who came when to the last collective that everybody has left, in the order of arrival.
struct LastArrival {
  qint64 rank = 0;
  std::int64_t late_ns = 0;  ///< after the first one
};
std::vector<LastArrival> lastArrivals(const Timeline& timeline);
/// "3, 0, 1, ... 5 (+18 ms)"; the last one with how late it was.
QString arrivalOrderText(const std::vector<LastArrival>& arrivals, std::size_t most = 12);

}  // namespace shardlens::ui
