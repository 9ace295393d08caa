// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/audit.h"
#include "core/spec/pipeline_spec.h"

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace shardlens::fixes {

/// What is wrong with a plan, as one quantity: a member weighs more than all that follow it. It depends on the
/// plan alone, and every fix that is offered lowers it. So no fix undoes another one, and applying fixes ends.
struct Burden {
  std::int64_t errors = 0;    ///< findings
  std::int64_t harm = 0;      ///< samples missing and items repeated, over the audited epochs
  std::int64_t warnings = 0;  ///< findings
  std::int64_t remarks = 0;   ///< findings that are neither, nor proofs

  auto operator<=>(const Burden&) const = default;
};

/// What one epoch costs.
struct EpochCounts {
  std::int64_t missing = 0;   ///< samples that no rank gets
  std::int64_t repeated = 0;  ///< items in batches beyond the first reading of their sample
  std::int64_t padded = 0;    ///< items in batches that are padding
  std::int64_t steps = 0;     ///< batches of the rank that has most
  std::int64_t fewest = 0;    ///< batches of the rank that has fewest
};

/// A plan as fixes compare it with others.
struct Judgement {
  std::vector<EpochCounts> epochs;  ///< the audited ones
  std::vector<Finding> findings;    ///< without fixes
  std::set<std::string> errors;     ///< codes
  Burden burden;
  std::vector<std::vector<std::int64_t>> batches;  ///< of each audited epoch, by rank
};

/// Judges a plan by an audit of it. Instead of a large dataset that ranks read evenly (SamplerRule::reads_evenly), it
/// audits two small ones with the same remainders: the counts of all three are on one line. Nothing when the plan
/// cannot be drawn, when that would take too long, or when `work` says stop.
std::optional<Judgement> judge(const Plan& plan, const AuditOptions& options, const Work& work);

/// The same for a plan whose report and findings are known. Codes and burden are those of judge().
std::optional<Judgement> judge(const Plan& plan, const AuditReport& report, const std::vector<Finding>& findings,
                               const AuditOptions& options, const Work& work);

/// A spec over two smaller datasets with the same remainders: the second is one period larger than the first, the
/// spec's own `periods` periods.
struct SmallCopies {
  std::array<PipelineSpec, 2> specs;
  std::int64_t periods = 0;
};

/// The copies of a large spec where places alone decide how often samples are read, and not chance; nothing for other
/// specs, or when the copies would save little.
std::optional<SmallCopies> smallCopies(const PipelineSpec& spec);

/// The epochs for which the counts of two judgements hold.
struct Scope {
  std::int64_t first_epoch = 0;  ///< the first audited one
  std::int64_t planned = 1;      ///< how many the plan has
  bool shapes_last = false;      ///< steps that are alike in the audited epochs are alike in all
  bool counts_last = false;      ///< and so is what is missing and repeated
};
Scope scopeOf(const AuditReport& report, const PipelineSpec& present, const PipelineSpec& mended);

/// What changes from the present plan to the fixed one, in the audited epoch in which the fix costs most, of those that
/// have the finding.
Effect effectOf(const Finding& finding, const Scope& scope, const Judgement& present, const Judgement& mended);

/// What gets worse, and whether epochs take more steps or fewer: "3 more samples missing; 12 fewer steps per epoch; new
/// finding: The last batch is short". A number that is not the same in all epochs names the epoch of the effect, and
/// the epoch in which it is worst. Empty when the fix costs nothing; findings about other runs are no price. `effect`
/// is effectOf() the two.
std::string priceOf(const Effect& effect, const Scope& scope, const Judgement& present, const Judgement& mended);

}  // namespace shardlens::fixes
