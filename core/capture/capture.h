// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/capture/agreement.h"
#include "core/capture/job_loaders.h"
#include "core/capture/loader_spec.h"
#include "core/capture/recorded_job.h"
#include "core/plan/plan.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace shardlens::capture {

/// One loader of a job, as a spec that was checked against every batch that was recorded.
struct CapturedLoader {
  JobLoader job;
  LoaderSpec spec;
  Agreement agreement;
  std::optional<std::string> yaml;    ///< the spec as a file; none: see spec.problems
  bool has_drawn_seeds = false;       ///< its order is a RandomSampler's, by seeds that a spec cannot foretell
  std::vector<std::string> findings;  ///< what the recorded batches show, one sentence each

  /// There is a spec, and it reproduces every recorded batch.
  [[nodiscard]] bool isProven() const { return yaml.has_value() && agreement.isWhole(); }
};

struct Capture {
  std::vector<CapturedLoader> loaders;
  std::vector<std::string> notes;  ///< about the recording: what is damaged or not recorded
};

/// One loader of the job.
Result<CapturedLoader> captured(const RecordedJob& job, std::size_t index, const Work& work = {});

/// What the job's loaders really did. BadInput when there are no loaders in the recording.
Result<Capture> capture(const std::filesystem::path& recording, const Work& work = {});

/// Batches of the captured spec that no pass of the recorded ranks drew; nothing when there are too many epochs to
/// count them. `plan` is that of the captured spec.
Result<std::optional<std::int64_t>> plannedNotRead(const CapturedLoader& loader, const Plan& plan,
                                                   const Work& work = {});

}  // namespace shardlens::capture
