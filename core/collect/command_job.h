// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/collect/job.h"

namespace shardlens {

/// The job of a command that has no spec: it runs once, as it was typed, with the probe of PyTorch in its environment,
/// which records the loaders of every process in the folder `request.run_file`. How many ranks it has is not known
/// here. Environment or Io when the folder of the job cannot be made.
Result<Job> makeCommandJob(const JobRequest& request);

}  // namespace shardlens
