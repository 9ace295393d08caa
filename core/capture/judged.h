// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/audit.h"
#include "core/base/result.h"
#include "core/base/work.h"
#include "core/capture/capture.h"
#include "core/capture/reading.h"
#include "core/capture/recorded_job.h"
#include "core/plan/plan.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shardlens::capture {

/// A loader of a recorded job as it can be judged: what is not recorded is not in it.
struct JudgedLoader {
  CapturedLoader loader;         ///< with the spec that holds what was read, where its rule plans more than that
  Plan plan;                     ///< of that spec, with no more epochs than are judged
  std::int64_t first_epoch = 0;  ///< that is judged: no rank read those before it
  Reading reading = {};          ///< without passes where not all can be counted, as where some are damaged
  std::optional<Error> not_judged = {};  ///< why no epoch is: then the plan has what was recorded, no more
};

/// What can be judged, or why nothing is known that could be; and what a person should know about it.
struct Judgement {
  Result<JudgedLoader> judged;
  std::vector<std::string> said = {};  ///< one sentence each
};

/// Judges what a loader read by no more than that: of its spec, only epochs that every rank read to the end. `index` is
/// that of the loader among those of the job, `path` what sentences call the recording.
Judgement judge(const RecordedJob& job, std::size_t index, CapturedLoader loader, const std::string& path,
                const Work& work = {});

/// Which spec `plan` is of, one sentence: that of the loader's sampler, or the batches as they were read.
Result<std::string> planSentence(const std::string& path, const CapturedLoader& loader, const Plan& plan,
                                 const Work& work = {});

/// What is asked of the audit of a recording.
struct RecordedAuditOptions {
  std::int64_t first_epoch = 0;
  std::optional<std::int64_t> epochs = {};  ///< none: usualEpochs()
  bool fixes = true;                        ///< as of AuditOptions
};

/// The audit of what a loader read, together with what was found in the run itself; that alone where no epoch is
/// judged.
Result<AuditReport> auditJudged(const JudgedLoader& judged, const RecordedAuditOptions& options = {},
                                const Work& work = {});

/// What was found in the run itself, without an audit. Errors first.
std::vector<Finding> foundInRun(const CapturedLoader& loader);

}  // namespace shardlens::capture
