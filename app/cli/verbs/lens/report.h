// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output.h"
#include "core/base/result.h"
#include "core/lens/lens.h"
#include "core/lens/sample_comparison.h"
#include "core/plan/diff.h"
#include "core/plan/plan.h"

#include <optional>
#include <string>
#include <vector>

namespace shardlens::cli {

/// The batches that are written out: of the first ranks, the first steps.
constexpr std::int64_t kLensRanks = 4;
constexpr std::int64_t kLensSteps = 4;

struct LensBatch {
  Rank rank;
  Step step;
  std::vector<SampleIndex> samples;
  bool differs = false;  ///< from the first column's
};

/// One column with what its plan says in the epoch.
struct SeenColumn {
  LensColumn column;
  std::optional<EpochDiff> comparison;  ///< with the first column, batch for batch; none without an order
  SampleComparison samples;             ///< likewise, whatever their order
  std::int64_t batches = 0;             ///< over all ranks
  std::int64_t items = 0;               ///< in them, padding included
  std::vector<LensBatch> first;         ///< rank by rank
};

struct LensReport {
  PipelineSpec spec;
  Epoch epoch;
  std::vector<SeenColumn> columns;
};

/// Computes the epoch of every column, or of the first and those that `only` names by their ids.
Result<LensReport> lensReport(const Plan& written, Epoch epoch, const std::vector<std::string>& only = {});

/// "the same samples in another order": against the first column.
std::string relationText(const SeenColumn& seen);
/// "TypeError: ...": what the column raises, in one line.
std::string errorText(const LensColumn& column);

void writeLensText(Output& out, const LensReport& report);
std::string lensJson(const LensReport& report);

}  // namespace shardlens::cli
