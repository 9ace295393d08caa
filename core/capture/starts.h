// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/capture/job_loaders.h"

#include <cstdint>
#include <string>
#include <vector>

namespace shardlens::capture {

/// One start of the ranks that read a loader: no rank is in it twice.
struct Start {
  std::vector<RankLoader> ranks;
  bool at_once = false;  ///< with another one; else one came after the other, as far as the recording tells
};

/// Where the ranks of a process meet: MASTER_ADDR, MASTER_PORT, torchrun's run and restart, and how many they are.
std::string rendezvousOf(std::int64_t world_size, const ProcessFacts& process);

/// Divides ranks of one loop into the starts of the job that they belong to, the earliest first. Where no rank comes
/// twice there is one. Else ranks with one rendezvous belong together, and of a rank that comes twice even so, the
/// earlier one to the earlier start.
std::vector<Start> startsOf(std::vector<RankLoader> ranks, const std::vector<ProcessFacts>& processes);

}  // namespace shardlens::capture
