// SPDX-License-Identifier: Apache-2.0
#include "core/audit/fixes/prover.h"
#include "core/audit/fixes/remedies.h"

#include <algorithm>
#include <utility>

namespace shardlens::fixes {
namespace {

std::vector<Fix> proven(Prover& prover, const Finding& finding, const std::vector<Fix>& proposed) {
  std::vector<ProvenFix> held;
  for (const Fix& fix : proposed) {
    auto tried = prover.prove(finding, fix);
    if (tried) held.push_back(*std::move(tried));
  }
  std::ranges::stable_sort(held, {}, &ProvenFix::burden);
  std::vector<Fix> fixes;
  for (ProvenFix& one : held) fixes.push_back(std::move(one.fix));
  return fixes;
}

}  // namespace

void offerFixes(const Facts& facts, std::vector<Finding>& findings, const Work& work) {
  std::vector<std::vector<Fix>> proposals(findings.size());
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const auto row = std::ranges::find(remedies(), findings[i].code, &RemedyRow::code);
    if (row != remedies().end() && !findings[i].is_proof) row->propose(facts, findings[i], proposals[i]);
  }
  if (std::ranges::all_of(proposals, &std::vector<Fix>::empty)) return;
  std::vector<std::vector<Fix>> fixes(findings.size());
  Prover prover(facts, findings, work);
  for (std::size_t i = 0; i < findings.size() && !work.stopped(); ++i) {
    fixes[i] = proven(prover, findings[i], proposals[i]);
    work.progress(static_cast<double>(i + 1) / static_cast<double>(findings.size()));
  }
  for (std::size_t i = 0; i < findings.size(); ++i) findings[i].fixes = std::move(fixes[i]);
}

}  // namespace shardlens::fixes
