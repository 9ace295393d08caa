// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"

namespace shardlens::findings {

using sampling::SamplerTraits;

void paddingRepeats(const Facts& facts, std::vector<Finding>& findings) {
  const Ledger& coverage = facts.coverage();
  const std::int64_t items = coverage.padding();
  if (items == 0) return;
  const Division division = facts.division().value_or(Division{});
  const words::Padding padding{items, coverage.repeats[RepeatCause::SamplerPadding],
                               coverage.repeats[RepeatCause::BatchFilling], division.size, division.slices};
  const Severity severity = facts.isMuch(items) || facts.evaluates() ? Severity::Warning : Severity::Info;
  Finding finding = toldOf(facts, "padding-repeats", severity, items, coverage.padding_ids, words::padding(padding));
  finding.where.field = facts.fieldOf(&SamplerTraits::drop_last);
  findings.push_back(std::move(finding));
}

}  // namespace shardlens::findings
