// SPDX-License-Identifier: Apache-2.0
#include "core/audit/fixes/prover.h"
#include "core/audit/fixes/remedies.h"
#include "core/audit/words/fix_words.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace shardlens::fixes {
namespace {

constexpr std::size_t kMostTried = 64;  ///< fixes of one finding that hold

std::vector<Fix> proposalsFor(const Facts& facts, const Finding& finding) {
  std::vector<Fix> proposed;
  for (const RemedyRow& row : remedies()) {
    const bool fits = row.topic == finding.topic && (row.code.empty() || row.code == finding.code);
    if (fits && !finding.is_proof) row.propose(facts, finding, proposed);
  }
  return proposed;
}

/// Whether `more` does all that `less` does, and then some.
bool extends(const Fix& more, const Fix& less) {
  return std::ranges::all_of(less.edits,
                             [&](const Edit& edit) { return std::ranges::find(more.edits, edit) != more.edits.end(); });
}

/// What one more edit to a lighter fix gives is no offer of its own, nor is another way to the same spec.
void addNew(std::vector<ProvenFix>& chosen, ProvenFix next) {
  const bool known = std::ranges::any_of(
      chosen, [&](const ProvenFix& one) { return one.spec == next.spec || extends(next.fix, one.fix); });
  if (!known && chosen.size() < kMostFixes) chosen.push_back(std::move(next));
}

bool edits(const Fix& fix, std::string_view path) {
  return std::ranges::find(fix.edits, path, &Edit::path) != fix.edits.end();
}

bool editsSampler(const Fix& fix) {
  return std::ranges::any_of(fix.edits, [](const Edit& edit) { return edit.path.starts_with("sampler."); });
}

/// Where no rank makes a step, what makes batches may also show that ranks read the same: each such change together
/// with each that deals to ranks.
std::vector<Fix> withDealing(const Facts& facts, const Finding& finding, const std::vector<Fix>& proposed) {
  std::vector<Fix> dealing;
  divideAmongRanks(facts, finding, dealing);
  drawOneOrder(facts, finding, dealing);
  seedRanksApart(facts, finding, dealing);
  std::vector<Fix> both;
  for (const Fix& one : proposed) {
    if (edits(one, "sampler.type")) continue;
    for (const Fix& other : dealing) {
      if (edits(other, "sampler.type") && editsSampler(one)) continue;  // the new type may not take what was set
      Fix& fix = both.emplace_back(one);
      fix.label = words::both(one.label, other.label);
      fix.edits.insert(fix.edits.end(), other.edits.begin(), other.edits.end());
      fix.removed = other.removed;
    }
  }
  return both;
}

/// Those that hold, at most so many.
std::vector<ProvenFix> heldOf(Prover& prover, const Finding& finding, const std::vector<Fix>& proposed,
                              std::size_t most) {
  std::vector<ProvenFix> held;
  for (const Fix& fix : proposed) {
    if (held.size() == most) break;
    if (auto tried = prover.prove(finding, fix)) held.push_back(*std::move(tried));
  }
  return held;
}

/// The lightest plan first; a batch size was chosen for the training, so a fix that changes it comes last.
auto placeOf(const ProvenFix& one) {
  return std::pair(one.burden.errors, std::pair(edits(one.fix, "loader.batch_size"), one.burden));
}

std::vector<Fix> proven(const Facts& facts, Prover& prover, const Finding& finding, const std::vector<Fix>& proposed) {
  // One way to seed apart is as good as another: the first that holds is the smallest.
  const std::size_t most = finding.topic == FindingTopic::Seeds ? 1 : kMostTried;
  std::vector<ProvenFix> held = heldOf(prover, finding, proposed, most);
  if (held.empty() && facts.lockstep().most == 0)
    held = heldOf(prover, finding, withDealing(facts, finding, proposed), most);
  std::ranges::stable_sort(held, {}, placeOf);
  std::vector<ProvenFix> chosen;
  for (ProvenFix& one : held) addNew(chosen, std::move(one));
  std::vector<Fix> fixes;
  fixes.reserve(chosen.size());
  for (ProvenFix& one : chosen) fixes.push_back(std::move(one.fix));
  return fixes;
}

}  // namespace

void offerFixes(const Facts& facts, std::vector<Finding>& findings, const Work& work) {
  std::vector<std::vector<Fix>> proposals;
  proposals.reserve(findings.size());
  for (const Finding& finding : findings) proposals.push_back(proposalsFor(facts, finding));
  if (std::ranges::all_of(proposals, &std::vector<Fix>::empty)) return;
  std::vector<std::vector<Fix>> fixes(findings.size());
  Prover prover(facts, findings, work);
  for (std::size_t i = 0; i < findings.size() && !work.stopped(); ++i) {
    fixes[i] = proven(facts, prover, findings[i], proposals[i]);
    work.progress(static_cast<double>(i + 1) / static_cast<double>(findings.size()));
  }
  for (std::size_t i = 0; i < findings.size(); ++i) findings[i].fixes = std::move(fixes[i]);
}

}  // namespace shardlens::fixes
