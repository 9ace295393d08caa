// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace shardlens::cli {

struct ContinuesArgs {
  std::string before;  ///< recordings
  std::string after;
  std::string loader;
  std::string format = "text";
  bool quiet = false;
};

/// shardlens verify --continues A B: what run B, which was resumed after run A, repeated, skipped and read first.
int runContinues(const ContinuesArgs& options);

}  // namespace shardlens::cli
