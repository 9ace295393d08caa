// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/plan/plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shardlens {

/// A field that two specs hold differently, as the file would show it; empty where a spec has no such field.
struct FieldChange {
  std::string path;
  std::string before;
  std::string after;
};

/// Every field that differs, in the order of the file.
std::vector<FieldChange> changedFields(const PipelineSpec& before, const PipelineSpec& after);

/// Paths of the fields that differ and that the plan depends on: names and the timing of a run do not change it.
std::vector<std::string> planDifferences(const PipelineSpec& before, const PipelineSpec& after);

/// What changes in the data order of one epoch. A batch that only one plan has differs too.
struct EpochDiff {
  Epoch epoch;
  std::int64_t batches = 0;  ///< ranks and steps that either plan has
  std::int64_t differing = 0;

  struct First {
    Rank rank;
    Step step;
    std::optional<std::vector<SampleIndex>> before, after;  ///< none: that plan has no such batch
  };
  std::optional<First> first;  ///< the earliest step, and its lowest rank
};

/// Compares two plans epoch by epoch. Both outlive it.
class PlanDiff {
 public:
  PlanDiff(const Plan& before, const Plan& after);

  /// Reads both plans rank by rank, and holds no more orders than the plans keep themselves; if both specs ask for
  /// the same batches, it only counts them. Cancelled when `work` says so.
  [[nodiscard]] Result<EpochDiff> epoch(Epoch epoch, const Work& work = {}) const;

 private:
  const Plan& before_;
  const Plan& after_;
  bool alike_;                           ///< in every epoch that both have
  std::optional<std::int64_t> batches_;  ///< of each such epoch, where that is known without a look at it
};

}  // namespace shardlens
