// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/capture/agreement.h"
#include "core/capture/job_loaders.h"
#include "core/capture/loader_spec.h"
#include "core/capture/run_finding.h"

#include <string>
#include <vector>

namespace shardlens::capture {

/// What only measured batches can show: set_epoch that was never called, ranks that read the same batches, ranks that
/// have another number of batches. One sentence each. Ranks that read the same because the sampler pads, as the plan of
/// `spec` does, are none: the audit of the plan says what it pads.
Result<std::vector<RunFinding>> findingsOf(const JobLoader& job, const LoaderSpec& spec, const Agreement& agreement,
                                           const Work& work = {});

}  // namespace shardlens::capture
