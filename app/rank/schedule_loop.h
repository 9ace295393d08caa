// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/rank/collectives.h"
#include "app/rank/reporter.h"
#include "core/schedule/ring.h"
#include "core/schedule/schedule.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace shardlens::rank {

/// One rank's way through the schedule of its spec: what it does at the start, in each epoch and step, and at the end.
class ScheduleLoop {
 public:
  ScheduleLoop(const Plan& plan, const Session& session, Collectives& collectives, Reporter& reporter);

  Result<void> run();

 private:
  Result<void> prepareGroups();
  Result<void> runEpoch(Epoch epoch);
  Result<void> performAll(const schedule::Moment& moment);
  Result<void> perform(const schedule::PlannedPhase& phase, const schedule::Operation& operation);
  /// Holds what this rank got against the prediction; the first of a line is told in the program's output.
  Result<void> check(const schedule::PlannedPhase& phase, const schedule::Operation& operation,
                     const std::vector<float>& got);
  [[nodiscard]] std::uint32_t numberOf(std::size_t group) const;

  schedule::Schedule schedule_;
  Rank rank_;
  Collectives& collectives_;
  Reporter& reporter_;
  std::map<std::size_t, schedule::RingAllReduce> predicted_;  ///< by line, of those with values
  bool crowded_ = false;
  std::int64_t global_step_ = 0;  ///< steps done, over all epochs
};

}  // namespace shardlens::rank
