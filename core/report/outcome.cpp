// SPDX-License-Identifier: Apache-2.0
#include "core/report/outcome.h"

#include "core/base/text.h"

#include <algorithm>

namespace shardlens {
namespace {

std::string checkedText(const RunState& state) {
  std::int64_t matched = 0;
  std::int64_t mismatched = 0;
  for (const RankState& rank : state.ranks) {
    matched += rank.matched;
    mismatched += rank.mismatched;
  }
  const std::int64_t reported = matched + mismatched;
  if (reported == 0) return {};
  const bool is_whole = reported == state.planned_batches;
  const std::string planned = is_whole || state.planned_batches == 0 ? "" : " of " + grouped(state.planned_batches);
  const char* const noun = std::max(reported, state.planned_batches) == 1 ? " batch" : " batches";
  const std::string what = ", " + grouped(reported) + planned + noun + (is_whole ? "" : " reported");
  if (mismatched == 0) return what + (is_whole ? ", all as planned" : ", all of them as planned");
  return what + ", " + grouped(mismatched) + " of them not as planned";
}

}  // namespace

const char* statusName(JobStatus status) {
  switch (status) {
    case JobStatus::Starting:
      return "starting";
    case JobStatus::Running:
      return "running";
    case JobStatus::Finished:
      return "finished";
    case JobStatus::Failed:
      return "failed";
    case JobStatus::Stopped:
      return "stopped";
    case JobStatus::Unknown:
      break;
  }
  return "unknown";
}

std::string outcomeText(const RunState& state) {
  std::string text = statusName(state.status);
  text[0] = static_cast<char>(text[0] - 'a' + 'A');
  text += state.status == JobStatus::Running || state.status == JobStatus::Starting ? " for " : " after ";
  if (state.status == JobStatus::Unknown) text = "How the job ended is not known. It was recorded for ";
  text += durationText(state.elapsed_ns);
  if (!state.is_from_start) text += ", counted from its first rank on";
  if (state.world_size > 0) text += ": " + counted(state.world_size, "rank") + checkedText(state);
  text += ".";
  if (!state.reports) text += " No rank has reported steps or waits to ShardLens, so none is measured.";
  return text;
}

}  // namespace shardlens
