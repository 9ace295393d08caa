// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/diagnose/reducer.h"
#include "core/plan/plan.h"
#include "core/schedule/operation.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace shardlens {

/// What a phase took on one rank in a step: medians over its measured steps.
struct RankPhaseTime {
  std::int64_t rank = 0;
  double ms = 0;                ///< measured; of what ranks do together, since all of them were there
  double planned_ms = 0;        ///< by the design, with the delays of this rank
  std::int64_t steps = 0;       ///< measured
  double mostly_longer_ms = 0;  ///< what three quarters of its steps take more than planned, at least
};

/// What a phase that ranks do in their steps took in a run.
struct PhaseTime {
  schedule::Operation operation;          ///< of the design: its kind, its line and the ms that it says
  std::vector<RankPhaseTime> ranks = {};  ///< those with enough steps, ascending; empty: it was not measured
  /// Of a collective of 1 MB or more: what each rank sends to the next one per second if the bytes go round a ring, the
  /// median over the collectives; else 0.
  double link_bytes_per_s = 0;
  std::int64_t ranks_doing = 0;  ///< that do it by the design, measured or not
  bool are_alike = false;        ///< steps had several phases of its kind that the records do not tell apart

  /// Whether the design says how long it takes: of a collective it may not.
  [[nodiscard]] bool isPredicted() const;
  /// Over all ranks.
  [[nodiscard]] std::int64_t steps() const;
  /// What the design would say if it were exact: the median over ranks, without their delays. 0 when not measured.
  [[nodiscard]] double usualMs() const;
  /// The rank with the largest median; not to be called when nothing was measured.
  [[nodiscard]] const RankPhaseTime& slowest() const;
};

/// Sorts the times of a run's ranks by the phases of a design: told each event before a reducer is, and what that
/// reducer then says of spans and collectives.
class PhaseTimer {
 public:
  virtual ~PhaseTimer() = default;
  /// The design has a schedule.
  static std::unique_ptr<PhaseTimer> of(const Plan& design);

  virtual void follow(const Event& event) = 0;
  virtual void add(std::int64_t rank, const Span& span) = 0;
  virtual void add(const Collective& collective) = 0;
  /// As measuredPhases() says, of what was told so far; the world is that of the run.
  [[nodiscard]] virtual Result<std::vector<PhaseTime>> result(std::int64_t world_size,
                                                              const std::filesystem::path& recording) const = 0;
};

/// What each phase of the design's steps took in the recording, in the order of the schedule; of a design without one,
/// load, compute and all_reduce of its usual step. The first step of each epoch is left out, and of a rank at most the
/// last 200 count. Where a rank falls back to an earlier epoch or step, a new pass begins, whose steps are others.
/// Phases of one kind and group in one step are told apart by their order; where a rank did more or fewer of them, none
/// was measured, unless the design has one: that took the time of all. A send that was over before its recv came does
/// not count. BadInput where the run has another world than the design; otherwise fails as readRecording() does.
Result<std::vector<PhaseTime>> measuredPhases(const Plan& design, const std::filesystem::path& recording,
                                              const Work& work = {});

/// A phase against its prediction, in a step of the rank that takes longest.
struct PhaseDifference {
  /// What the numbers prove.
  enum class Reason {
    None,        ///< it takes no longer than predicted, or hardly; or that is not predicted, or none of these is known
    SlowRank,    ///< more than half of the difference is one rank's own, which takes longer in most of its steps
    LongerLoad,  ///< at least half of the ranks that do it wait longer for data
    LongerCompute,    ///< likewise, with what ranks do alone
    LongerCollective  ///< likewise, with what they do together, although all had come
  };
  double predicted_ms = 0, measured_ms = 0;  ///< predicted: 0 where the design does not say it
  Reason reason = Reason::None;
  double others_ms = 0;  ///< of SlowRank: the median of the other ranks
};
/// Of a phase that was measured.
PhaseDifference differenceOf(const PhaseTime& time);

/// "slow_rank", "longer_load", ...; empty for None.
const char* nameOf(PhaseDifference::Reason reason);

namespace words {

/// "schedule[0] load: 2 ms predicted, 32 ms measured. Rank 2 takes 32 ms, the median of the others is 2.1 ms."
std::string phaseText(const PhaseTime& time);
/// A heading, and a line for each phase that was measured; empty when none was. Of more than `most` phases, those with
/// a reason come first, and the last line says how many are left out.
std::string phasesText(const std::vector<PhaseTime>& times, std::size_t most = SIZE_MAX);
/// That measuredPhases() failed, and why.
std::string phasesNotMeasured(const Error& error);

}  // namespace words
}  // namespace shardlens
