// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/capture/reading.h"
#include "core/capture/recorded_job.h"
#include "core/capture/run_finding.h"

#include <cstddef>
#include <string>
#include <vector>

namespace shardlens::capture {

/// What the ranks got of a stream. It has no indices: what it holds is told apart by the marks of the probe.
struct StreamContents {
  bool by_batch = false;             ///< batches are told apart; else samples
  std::vector<PassReading> passes;   ///< its samples are different contents
  std::vector<RunFinding> findings;  ///< ranks, or workers, that got the same
  std::string not_compared;          ///< why the contents are not known; else empty
};

/// Reads and compares them. `loader` is one of a stream. Errors as those of readProbe().
Result<StreamContents> contentsOf(const RecordedJob& job, std::size_t loader, const Work& work = {});

}  // namespace shardlens::capture
