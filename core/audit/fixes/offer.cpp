// SPDX-License-Identifier: Apache-2.0
#include "core/audit/fixes/remedies.h"

#include <algorithm>
#include <utility>

namespace shardlens::fixes {
namespace {

bool keepsBatches(const Lockstep& before, const Lockstep& after) {
  const bool in_step = after.fewest == after.most || before.fewest != before.most;
  for (std::size_t rank = 0; rank < std::min(before.batches.size(), after.batches.size()); ++rank) {
    if (before.batches[rank] > 0 && after.batches[rank] == 0) return false;
  }
  return in_step;
}

/// Whether each rank that reads samples, if only ones that the loader drops, still does.
bool keepsSamples(const EpochShape& before, const EpochShape& after) {
  for (std::size_t rank = 0; rank < std::min(before.ranks.size(), after.ranks.size()); ++rank) {
    if (before.ranks[rank].samples > 0 && after.ranks[rank].samples == 0) return false;
  }
  return true;
}

bool holds(const Facts& facts, const Candidate& candidate) {
  auto spec = applyEdits(facts.spec(), candidate.fix.edits, sampling::catalogue());
  if (!spec || *spec == facts.spec()) return false;
  const auto mended = Plan::make(*std::move(spec));
  if (!mended) return false;
  const auto shape = mended->epochShape(facts.firstEpoch(), facts.work());
  if (!shape || !candidate.mends(*mended, *shape)) return false;
  return keepsBatches(facts.report().lockstep, lockstep(*shape)) && keepsSamples(facts.shape(), *shape);
}

}  // namespace

void offerFixes(const Facts& facts, std::vector<Finding>& findings) {
  for (Finding& finding : findings) {
    const auto row = std::ranges::find(remedies(), finding.code, &RemedyRow::code);
    if (row == remedies().end() || facts.work().stopped()) continue;
    auto candidate = row->propose(facts, finding);
    if (candidate && holds(facts, *candidate)) finding.fix = std::move(candidate->fix);
  }
}

}  // namespace shardlens::fixes
