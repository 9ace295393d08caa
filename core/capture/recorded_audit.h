// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/audit.h"
#include "core/base/result.h"
#include "core/base/work.h"
#include "core/capture/judged.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace shardlens::capture {

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
