// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/diagnose/run_state.h"
#include "core/plan/plan.h"
#include "core/schedule/ring.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shardlens::cli {

/// Where a rank was when the rehearsal ended.
struct RankPlace {
  std::int64_t rank = 0;
  std::optional<schedule::Operation> in;  ///< that it had not left; nothing: it was between two, or had finished
  bool has_finished = false;
};

/// What real ranks did with a schedule.
struct Rehearsal {
  enum class End {
    Through,      ///< every rank finished
    StandsStill,  ///< each rank waits in an operation that another one is not in, or has finished
    Failed,       ///< MPI, or a rank, ended the job
    NotToTheEnd,  ///< the time was over
  };
  End end = End::Failed;
  std::vector<RankPlace> places;              ///< of every rank, except where all are through
  std::string failure;                        ///< why the job failed
  std::vector<schedule::RankResult> results;  ///< of phases with values, as ranks told them
};

/// Runs the schedule of this plan by the launcher, at most so long from the moment on at which every rank was heard.
/// The plan's durations are those of the rehearsal. Errors as makeJob(), Usage where another program than mpi_rank
/// would run, and Environment where the job cannot start.
Result<Rehearsal> rehearse(const Plan& plan, const std::string& launcher, std::chrono::milliseconds most);

/// The spec without what takes time and leads to no standstill: durations and delays.
PipelineSpec withoutDurations(PipelineSpec spec);

/// Whether what was seen is what was predicted. Nothing where that cannot be said: the time was over, or ranks differ
/// in what they call, of which MPI promises nothing, and did something else than to stand still there.
std::optional<bool> agrees(const std::optional<schedule::Hang>& predicted, const Rehearsal& seen);

}  // namespace shardlens::cli
