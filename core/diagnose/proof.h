// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/diagnose/instead.h"
#include "core/diagnose/reducer.h"
#include "core/plan/plan.h"
#include "core/record/event.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace shardlens {

/// How much one rank's batches differ from the plan.
struct RankProof {
  std::int64_t rank = 0;
  std::int64_t matched = 0;
  std::int64_t different = 0;     ///< planned for this place, but with other samples
  std::int64_t missing = 0;       ///< planned, and never reported
  std::int64_t extra = 0;         ///< reported, and not in the plan
  std::int64_t out_of_order = 0;  ///< reported again, or after a later one
};

enum class ProofResult : std::uint8_t { Match, Mismatch, Incomplete };

/// Whether a run consumed what the plan says.
struct Proof {
  ProofResult result = ProofResult::Match;
  std::optional<FirstDifference> first_difference;  ///< the earliest by epoch, step, rank
  std::string what;                                 ///< the difference, or what is missing, in one sentence
  std::vector<Instead> instead;                     ///< what came in place of planned batches, where the plan has it
  std::string explanation;                          ///< sentences about what that means; empty when nothing was found
  std::int64_t planned_batches = 0;
  std::int64_t checked_batches = 0;  ///< reported ones, compared with the plan
  std::vector<RankProof> ranks;      ///< of the plan and of the run
  std::vector<std::string> notes;
  std::string spec_yaml;  ///< that the run was made from
};

/// Compares every batch that the run file reports with the plan. Batches missing from a run that ended before its plan
/// did, or whose records were lost, or of a rank that reported none at all, make it Incomplete; anything else that
/// differs is a Mismatch.
Result<Proof> prove(const Plan& plan, const std::filesystem::path& run_file, const Work& work = {});

}  // namespace shardlens
