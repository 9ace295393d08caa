// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/work.h"
#include "core/capture/recorded_job.h"

#include <filesystem>
#include <string>
#include <vector>

namespace shardlens {

/// What is wrong with the batches that a loader of the job read, one sentence.
struct LoaderFinding {
  std::string loader;  ///< its name: "train"
  std::string text;
};

/// What the recorded batches of the job's loaders show, as `shardlens capture` tells it: ranks that read the same
/// batches, epochs in one order, unequal numbers of batches. Empty where nothing was found, or no loader was observed.
/// Reads what was recorded of loaders once; what cannot be read says nothing.
std::vector<LoaderFinding> loaderFindings(const std::filesystem::path& recording, const Work& work = {});
/// The same of a job that was read already.
std::vector<LoaderFinding> loaderFindings(const capture::RecordedJob& job, const Work& work = {});

}  // namespace shardlens
