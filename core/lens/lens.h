// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/note.h"
#include "core/base/result.h"
#include "core/spec/pipeline_spec.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shardlens {

/// One dataset, world and loader as one framework would really deal them.
struct LensColumn {
  std::string id;                    ///< stable: "as-written", "lightning", "accelerate"
  std::string title;                 ///< "Lightning 2.6 Trainer"
  std::string family;                ///< the frameworks it is listed with; empty for the design itself
  std::string sampler;               ///< what really deals, as code: "DistributedSampler(shuffle=True, seed=0)"
  std::string makes;                 ///< one plain sentence: what becomes of the design
  std::vector<Note> notes;           ///< what else was changed or lost; the worst first
  std::optional<PipelineSpec> spec;  ///< whose plan is this column's order; none when it raises or its order is unknown
  /// Of each rank's epoch only so many batches are read, and counted in what is judged; 0: all of them.
  std::int64_t first_batches = 0;
  std::optional<Error> error;  ///< what it raises, word for word, or why its order is unknown; set when spec is not
  std::string when;            ///< where the error comes: "in trainer.fit(), before the first batch"
  std::string remedy_of;       ///< id of the column that this one would fix; empty for frameworks
};

/// Whether a column is shown by default: the spec itself, the frameworks that most people use, and
/// what fixes theirs.
bool isUsualColumn(const std::string& id);

/// The spec seen through every framework: "as-written" first, then the five frameworks that matter most for the design,
/// then the others family by family; remedies follow the column that they fix.
/// Instant: no order is computed. Expects a spec in which validate() finds nothing wrong.
std::vector<LensColumn> lensColumns(const PipelineSpec& spec);

}  // namespace shardlens
