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
  const RepeatCounts& by = facts.coverage().repeats;
  std::int64_t items = 0;
  for (std::size_t i = 0; i < kRepeatCauses; ++i) {
    if (words::isByDesign(static_cast<RepeatCause>(i))) items += by.counts[i];
  }
  if (items == 0) return;
  findings.push_back(repeated(facts, "samples-repeated", Severity::Info, items,
                              words::repeatedByDesign(by, repeatedOf(facts, items))));
}

void duplicatingWorkers(const Facts& facts, std::vector<Finding>& findings) {
  const std::int64_t items = facts.coverage().repeats[RepeatCause::DuplicatingWorkers];
  if (items == 0) return;
  findings.push_back(repeated(facts, "workers-duplicate", Severity::Error, items,
                              words::workersDuplicate(facts.spec().loader.num_workers, repeatedOf(facts, items))));
}

void unexplainedRepeats(const Facts& facts, std::vector<Finding>& findings) {
  const RepeatCounts& by = facts.coverage().repeats;
  const std::int64_t defects = by[RepeatCause::ShuffleDefect];
  const std::int64_t items = defects + by[RepeatCause::NotExplained];
  if (items == 0) return;
  findings.push_back(repeated(facts, "repeats-unexplained", Severity::Warning, items,
                              words::repeatedUnexplained(defects > 0, repeatedOf(facts, items))));
}

}  // namespace shardlens::findings
