// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/collect/job.h"

namespace shardlens {

/// The job of a command: it runs once, as it was typed, with the probe of PyTorch in its environment, which records the
/// loaders of every process in the folder `request.run_file`. How many ranks it has is not known here, whatever the
/// design says, which is only kept in the recording. Environment or Io when the folder of the job cannot be made.
Result<Job> makeCommandJob(const JobRequest& request, const PipelineSpec* design = nullptr);

}  // namespace shardlens
