// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/plan/plan.h"
#include "core/wire/record.h"

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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

/// The place of a batch in one rank's order of work.
struct Spot {
  std::int64_t epoch = 0;
  std::int64_t step = 0;
  auto operator<=>(const Spot&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 takes <=> for a 0
};

/// The batches of a plan as a run asks for them: keeps one epoch of each rank, computed when first wanted. For one
/// thread at a time.
class PlannedEpochs {
 public:
  explicit PlannedEpochs(Plan plan) : plan_(std::move(plan)), kept_(static_cast<std::size_t>(plan_.worldSize())) {}

  [[nodiscard]] const Plan& plan() const { return plan_; }
  /// How many this rank has; the Error of Plan::shape().
  Result<std::int64_t> batches(std::int64_t rank, std::int64_t epoch, const Work& work = {}) const;
  /// Whether the plan has a batch there.
  Result<bool> has(std::int64_t rank, Spot spot, const Work& work = {}) const;
  /// The plan's batch there; nothing when it has none.
  Result<std::optional<PlannedBatch>> at(std::int64_t rank, Spot spot, const Work& work = {});

 private:
  Plan plan_;
  std::vector<std::optional<RankEpoch>> kept_;
};

/// The plan's batches for a Reducer. `work`, when given, can stop the drawing of an order; it must outlive the result.
ExpectedBatch expectationOf(std::shared_ptr<PlannedEpochs> epochs, const Work* work = nullptr);
ExpectedBatch expectationOf(Plan plan);

}  // namespace shardlens
