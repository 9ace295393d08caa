// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/rank/collectives.h"
#include "app/rank/reporter.h"
#include "core/schedule/ring.h"
#include "core/schedule/schedule.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
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

/// Makes the collectives of one program, or says why this machine cannot. `job_dir` may be empty.
using MakeCollectives = std::function<Result<std::unique_ptr<Collectives>>(const std::string& job_dir)>;

/// The whole of a rank program: `NAME --spec FILE [--job-dir DIR] [--groups N]`. Without a folder of the job it takes
/// that of $SHARDLENS_JOB_DIR. With N groups the ranks are dealt into them by turns, and a gradient travels inside its
/// group only, as when N models train side by side; all ranks meet at the end of an epoch. Rebuilds this rank's slice
/// of the plan, steps through its batches with real work, or performs the schedule of its spec, and reports. Returns
/// the exit code; on a wrong spec all ranks return it, and rank 0 says why.
int runRankProgram(int argc, char** argv, const std::string& name, Session& session, const MakeCollectives& make);

/// Waits as a rank waits for its loader: asleep, since the work is elsewhere.
void loadFor(double ms);

/// Computes for this long by the clock. `crowded`: there are more ranks than cores, so the core is offered to the
/// others every some microseconds; else it is kept.
void computeFor(double ms, bool crowded);

}  // namespace shardlens::rank
