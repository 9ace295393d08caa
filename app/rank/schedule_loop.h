// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/rank/collectives.h"
#include "app/rank/reporter.h"
#include "core/schedule/schedule.h"

#include <cstdint>

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
  Result<void> perform(const schedule::Operation& operation);
  [[nodiscard]] std::uint32_t numberOf(std::size_t group) const;

  schedule::Schedule schedule_;
  Rank rank_;
  Collectives& collectives_;
  Reporter& reporter_;
  bool crowded_ = false;
  std::int64_t global_step_ = 0;  ///< steps done, over all epochs
};

}  // namespace shardlens::rank
