// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/evidence.h"
#include "core/diagnose/verdict_words.h"

#include <cstdint>
#include <string>
#include <vector>

/// Sentences about slow ranks, and their parts. `group` is the name of a group of ranks; empty means all of them.
namespace shardlens::words {

/// "step 3 of epoch 0"
std::string stepOf(std::uint32_t step, std::uint32_t epoch);
std::string inStep(std::uint32_t step, std::uint32_t epoch);
std::string inEpoch(std::uint32_t epoch);
/// Both are stepOf(): "from step 99 of epoch 0 to step 3 of epoch 1".
std::string fromTo(const std::string& first, const std::string& last);
/// "20 %", of a share of 0.2.
std::string percent(double share);
std::string inTotal(double lost_s);

/// Ranks that the others wait for.
struct WaitedFor {
  Ranks ranks;
  std::string group;
  std::string host;          ///< that all of them, and no others, are on; or empty
  std::string when;          ///< one of the parts above; empty for the whole run
  bool is_now = false;       ///< they are still waited for
  bool is_majority = false;  ///< they are more than the others
};
std::string everyoneWaits(const WaitedFor& waited);

/// What fixing gains.
struct Gain {
  double all_s = 0, of_s = 0, share = 0;
  std::vector<double> alone_s;  ///< of each rank
};
std::string fixingSaves(const Ranks& ranks, const Gain& gain);

struct Turns {
  std::int64_t collectives = 0;
  double spread_ms = 0, share = 0, most_last = 0, best_alone_s = 0, lost_s = 0;
};
/// Which rank is late changes.
VerdictWords takeTurns(const std::string& group, const Turns& turns);

}  // namespace shardlens::words
