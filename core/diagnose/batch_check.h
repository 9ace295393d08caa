// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/wire/record.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace shardlens {

/// A batch as the plan has it.
struct PlannedBatch {
  std::uint64_t fingerprint = 0;
  std::int64_t samples = 0;
};

/// The plan's batch at a place; nothing when the plan has none there; an Error when that is unknown, because the
/// work was stopped or failed. Asked once for each batch of the run.
using ExpectedBatch =
    std::function<Result<std::optional<PlannedBatch>>(std::int64_t rank, std::int64_t epoch, std::int64_t step)>;

/// How a batch of the run compares with the plan.
enum class BatchMatch : std::uint8_t {
  AsPlanned,
  NotPlanned,    ///< the plan has no batch there
  OtherSamples,  ///< another fingerprint
  OtherCount,    ///< the planned fingerprint, but another number of samples: the report contradicts itself
};

/// The one comparison of a reported batch (an SL_BATCH) with the planned one. A record that has no number of samples
/// is compared only by its fingerprint.
BatchMatch compare(const std::optional<PlannedBatch>& planned, const sl_record& reported);

/// "has other samples than planned (...)": what follows the batch's place in a sentence. Empty for AsPlanned.
std::string differenceText(BatchMatch match, const std::optional<PlannedBatch>& planned, const sl_record& reported);

}  // namespace shardlens
