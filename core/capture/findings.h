// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/capture/agreement.h"
#include "core/capture/job_loaders.h"
#include "core/capture/run_finding.h"

#include <string>
#include <vector>

namespace shardlens::capture {

/// What only measured batches can show: set_epoch that was never called, ranks that read the same batches, ranks that
/// have another number of batches. One sentence each.
std::vector<RunFinding> findingsOf(const JobLoader& job, const Agreement& agreement);

}  // namespace shardlens::capture
