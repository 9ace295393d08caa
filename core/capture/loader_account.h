// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/capture/capture.h"

#include <string>
#include <vector>

namespace shardlens::capture {

/// What is said of a captured loader wherever a recording is shown, as sentences.
struct LoaderAccount {
  std::string title;                  ///< "train (train.py:31, 103 samples)"
  std::string sampler;                ///< "torch.DistributedSampler"; empty: no file can hold its spec
  std::string checked;                ///< how much was read, and whether its spec plans that
  std::vector<std::string> remarks;   ///< why there is no spec or another one, and what else a person should know
  std::vector<std::string> findings;  ///< what is wrong with what it read
  bool is_plain = false;              ///< its spec plans all that was read, and nothing has to be said beside that
};

LoaderAccount accountOf(const CapturedLoader& loader);

}  // namespace shardlens::capture
