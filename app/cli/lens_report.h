// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output.h"
#include "core/base/result.h"
#include "core/plan/lens.h"
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
  std::optional<LensComparison> comparison;  ///< none for columns without an order
  std::int64_t batches = 0;                  ///< over all ranks
  std::int64_t items = 0;                    ///< in them, padding included
  std::vector<LensBatch> first;              ///< rank by rank
};

struct LensReport {
  PipelineSpec spec;
  Epoch epoch;
  std::vector<SeenColumn> columns;
};

/// Computes every column's epoch.
Result<LensReport> lensReport(const Plan& written, Epoch epoch);

/// "TypeError: ...": what the column raises, in one line.
std::string errorText(const LensColumn& column);

void writeLensText(Output& out, const LensReport& report);
std::string lensJson(const LensReport& report);

}  // namespace shardlens::cli
