// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/evidence.h"
#include "core/diagnose/run_state.h"

#include <cstdint>
#include <vector>

namespace shardlens {

/// Times of a run in which a rank, or all, stood still. The longest ones are kept.
class StandStills {
 public:
  /// Shorter ones of all ranks are none.
  static constexpr std::int64_t kShortestNs = 3'000'000'000;
  /// Of all ranks only where no record came for some seconds; of one that a signal stopped, shorter times too.
  void add(const StandStill& stop);
  [[nodiscard]] const std::vector<StandStill>& all() const { return stops_; }

 private:
  std::vector<StandStill> stops_;
};

/// A stalled or deadlocked job looks like any other after it was ended, or gave up after a time-out. These verdicts are
/// therefore judged before that.
class VerdictsAtStop {
 public:
  void keep(const RunState& before);
  /// A standstill is over: because of a time-out, as the job's end will show, or because the job continues.
  void suspect(const RunState& before);
  void goesOn() {
    suspected_.clear();
    loading_.clear();
  }
  /// A rank does something else: its standstill is over.
  void heardOf(std::int64_t rank);
  /// A rank no longer loads: it has its batch, or is being ended.
  void endsLoading(std::int64_t rank);
  /// `by_signal`: a signal ended it in whatever it was in.
  void givesUp(bool by_signal = false);
  /// Puts those first that the state has no more.
  void addTo(RunState& run) const;
  [[nodiscard]] bool isEmpty() const { return verdicts_.empty(); }

 private:
  std::vector<Verdict> verdicts_;
  std::vector<Verdict> suspected_;
  std::vector<Verdict> loading_;  ///< suspected before their rank ended to load
};

}  // namespace shardlens
