// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/deaths.h"
#include "core/diagnose/evidence.h"
#include "core/diagnose/verdict_words.h"

#include <cstdint>
#include <string>

/// The sentences about ranks that ended before the job did.
namespace shardlens::words {

/// A process that is gone: "Rank 3 (pid 12) ended with code 1 ...". `doing` is doing(), `others` ended after it.
/// `was_stuck`: the job stood still by then, and somebody may have ended it.
VerdictWords rankDied(const RankState& rank, const Ending& ending, const std::string& doing, const Ranks& others,
                      double into_the_run_s, bool was_stuck);
/// A rank of which only the launcher says that it failed; `failure` is the job's own sentence, or empty.
VerdictWords rankFailed(std::int64_t rank, const Ending& ending, const std::string& failure);
/// They had no batch left before `rank` gave up, which had more; `all_gone`: they had ended by then.
VerdictWords ranOutBefore(const RankTracker& first, const Ranks& out, bool all_gone, const RankState& rank);
/// They ended well before `rank`, which went on and gave up; what they were in by then.
VerdictWords endedBefore(const Ranks& ended, const std::string& doing, std::int64_t rank);
VerdictWords rankGaveUp(std::int64_t rank, int exit_code, const std::string& doing);
/// `failure` is the job's own sentence.
VerdictWords jobFailed(const std::string& failure);
VerdictWords jobNotStarted(const std::string& failure);

}  // namespace shardlens::words
