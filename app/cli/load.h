// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/plan/plan.h"

#include <optional>
#include <string>
#include <variant>

namespace shardlens::cli {

/// That there is something in this recording. What RecordingReader::open says, and BadInput when it is empty.
Result<void> checkRecording(const std::string& path);

/// The plan of the spec in `path`, or everything that is wrong with the file.
std::variant<Plan, Issues> loadPlan(const std::string& path);

/// Says, when a chosen epoch or rank is outside the plan, what the range is.
Result<void> checkRange(const Plan& plan, std::optional<std::int64_t> epoch, std::optional<std::int64_t> rank);

}  // namespace shardlens::cli
