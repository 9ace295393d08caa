// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/evidence.h"

#include <string>

/// How verdicts are worded.
namespace shardlens::words {

std::string number(double value, const char* format = "%.1f");
std::string milliseconds(double ms);
/// "rank 3", "ranks 0-3, 7".
std::string ranks(const Ranks& ranks);
/// "Rank 3", "Ranks 0-3, 7".
std::string capitalRanks(const Ranks& ranks);
/// One form for one rank, the other for more.
std::string agreed(const Ranks& ranks, const char* one, const char* more);
/// "step 3 of epoch 0".
std::string where(const RankState& rank);
/// What the rank was in when it was last heard of, not what became of its process: "in all_reduce #12", "in step 3 of
/// epoch 0".
std::string doing(const Evidence& evidence, std::int64_t rank);
/// " 8 ranks share 2 cores, so waits include CPU scheduling."; empty when they do not share them.
std::string crowding(const RunState& state);
/// "all_reduce #12 of group data".
std::string collectiveName(const Evidence& evidence, const Collective& collective);

}  // namespace shardlens::words
