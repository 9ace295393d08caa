// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"

namespace shardlens::findings {
namespace {

Finding repeated(const Facts& facts, std::string code, Severity severity, std::int64_t items,
                 words::FindingWords words) {
  return toldOf(facts, std::move(code), severity, items, facts.coverage().duplicated_ids, std::move(words));
}

}  // namespace

void repeatedOnPurpose(const Facts& facts, std::vector<Finding>& findings) {
  RepeatCauseSet by_design;
  for (std::size_t i = 0; i < kRepeatCauses; ++i) by_design[i] = words::isByDesign(static_cast<RepeatCause>(i));
  const words::Repeated items = repeatedOf(facts, by_design);
  if (items.items == 0) return;
  findings.push_back(repeated(facts, "samples-repeated", Severity::Info, items.items,
                              words::repeatedByDesign(facts.coverage().repeats, items)));
  if (facts.claims().is_recorded) findings.back().why = words::asRecorded();
}

void duplicatingWorkers(const Facts& facts, std::vector<Finding>& findings) {
  const words::Repeated items = repeatedOf(facts, only(RepeatCause::DuplicatingWorkers));
  if (items.items == 0) return;
  findings.push_back(repeated(facts, "workers-duplicate", Severity::Error, items.items,
                              words::workersDuplicate(facts.spec().loader.num_workers, items)));
}

void unexplainedRepeats(const Facts& facts, std::vector<Finding>& findings) {
  const bool by_defect = facts.coverage().repeats[RepeatCause::ShuffleDefect] > 0;
  const bool skips_others = facts.coverage().missing_by[MissingCause::ShuffleDefect] > 0;
  const words::Repeated items = repeatedOf(facts, only(RepeatCause::ShuffleDefect) | only(RepeatCause::NotExplained));
  if (items.items == 0) return;
  findings.push_back(repeated(facts, "repeats-unexplained", Severity::Warning, items.items,
                              words::repeatedUnexplained(by_defect, skips_others, items)));
}

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
