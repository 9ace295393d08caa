// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <filesystem>

namespace shardlens {

/// What an agent is asked to record.
struct NodeRequest {
  std::filesystem::path start;      ///< the folder of a start of ranks on this host (core/wire/node_file.h)
  std::filesystem::path recording;  ///< of the first start of this `shardlens env`
};

/// Records a start of ranks that somebody else started, from its first process on this host until its last one is gone:
/// into a segment of its own, beside those of other hosts. Returns at once when another agent does it. The job does not
/// depend on this process in any way: it is never waited for, and its end is no end of the job. Io when there is no
/// place for the recording.
Result<void> recordStart(const NodeRequest& request);

}  // namespace shardlens
