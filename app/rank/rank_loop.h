// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/rank/collectives.h"

#include <functional>
#include <memory>
#include <string>

namespace shardlens::rank {

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
