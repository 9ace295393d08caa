// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/capture/facts.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace shardlens::capture {

/// How one rank used a loader.
struct RankLoader {
  std::int64_t rank = 0;
  std::int64_t world_size = 1;
  std::int64_t local_rank = 0;
  std::size_t process = 0;        ///< which of the processes
  LoaderFacts loader;             ///< as it was at its first pass
  std::vector<PassFacts> passes;  ///< over it, in their order
  bool is_started_again = false;  ///< another process was this rank before
  bool is_placed = false;  ///< torch.distributed or the launcher says which rank it is; else it is taken for rank 0
};

enum class Purpose {
  Train,       ///< there are backward passes between its batches
  Validation,  ///< there are none
  Unknown,     ///< no loader of the job has backward passes
};

/// A loader of the job: what its ranks read in the same loop of the same program.
struct JobLoader {
  std::string name;  ///< "train", "val", "train-2"
  std::string site;  ///< of that loop: "folder/train.py:31"
  Purpose purpose = Purpose::Unknown;
  std::int64_t world_size = 1;
  std::int64_t nodes = 1;            ///< all with the same number of ranks; 1 when that is not known
  std::vector<RankLoader> ranks;     ///< ascending
  std::vector<std::string> remarks;  ///< what a person should know about how the ranks were found
};

/// The loaders that the processes read, in the order in which the first rank began to.
std::vector<JobLoader> loadersOf(const std::vector<ProcessFacts>& processes);

}  // namespace shardlens::capture
