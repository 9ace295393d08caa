// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/trace_end.h"
#include "core/diagnose/verdict_words.h"

#include <string>
#include <vector>

/// Every sentence of the verdicts that are about traces of other tools.
namespace shardlens::words {

/// Ranks whose traces say the same.
struct RanksAt {
  Ranks ranks;
  TracedCall call;
};

/// "Ranks 0 and 1 are in all_reduce #41 (started), called at step (train.py:31)."
std::string standIn(const RanksAt& at);
/// "The trace of rank 2 ends with all_reduce #40 (completed), called at step (train.py:30)."
std::string endsWith(const RanksAt& at);
/// "The trace of rank 2 holds no operation."
std::string holdsNothing(const Ranks& ranks);

/// `where` are sentences of the kinds above.
VerdictWords didNotCome(const Ranks& culprits, const std::string& operation, const std::vector<std::string>& where,
                        bool knows_code);
/// These ranks wait, and of the ranks that they wait for no trace is there.
VerdictWords mayNotHaveCome(const Ranks& without, const std::string& operation, const std::vector<std::string>& where);
VerdictWords stuckAtEnd(const std::string& operation, const std::vector<std::string>& where);
VerdictWords circleAtEnd(const Ranks& ranks, const std::vector<std::string>& where);
/// What `source` says of these ranks.
VerdictWords ranksLost(const Ranks& ranks, bool are_dead, const std::string& source, const std::string& process,
                       const std::vector<std::string>& where);
/// " (pid 12 on host a)"; empty when neither is known.
std::string processText(const RankState& rank);
VerdictWords tracesMissing(const Ranks& ranks, std::int64_t world_size);
VerdictWords tracesCut(const Ranks& ranks);
VerdictWords traceClocksUnknown();

}  // namespace shardlens::words
