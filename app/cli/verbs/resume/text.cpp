// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"

#include "app/cli/verbs/resume/output.h"
#include "app/cli/wrapped_text.h"
#include "core/base/printable.h"

#include <algorithm>
#include <string>
#include <vector>

namespace shardlens::cli {
namespace {

constexpr std::size_t kMostIds = 12;

std::string idsText(const std::vector<SampleIndex>& ids) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min(ids.size(), kMostIds); ++i) parts.push_back(std::to_string(ids[i]));
  return join(parts, ", ") + (ids.size() > kMostIds ? ", ..." : "");
}

std::string leftOf(const ResumeOutcome& outcome) {
  return "; " + counted(outcome.steps, "step") + " remaining with " + counted(outcome.items, "sample");
}

std::string skipsOf(const ResumeOutcome& outcome) {
  std::string text = counted(outcome.skipped, "sample");
  if (outcome.skipped_untrained == 0)
    return text + (outcome.skipped == 1 ? ", trained on before" : ", all of them trained on before");
  return text + ", " + grouped(outcome.skipped_untrained) +
         " of them never trained on: " + idsText(outcome.skipped_untrained_ids);
}

void writeOutcome(Output& out, const ResumeOutcome& outcome) {
  if (outcome.skipped > 0) writeLabelled(out, "skips", skipsOf(outcome));
  if (outcome.repeated > 0) writeLabelled(out, "repeats", idsText(outcome.repeated_ids));
  if (outcome.lost > 0) writeLabelled(out, "loses", idsText(outcome.lost_ids));
}

void writeWay(Output& out, const JudgedWay& judged) {
  const ResumeWay& way = judged.way;
  out << "\n" << way.title << "  [" << way.id << "]\n";
  writeLabelled(out, "does", way.rule);
  const bool counts = judged.verdict == ResumeVerdict::Exact || judged.verdict == ResumeVerdict::Differs;
  writeLabelled(out, "outcome", verdictText(judged) + (counts ? leftOf(*judged.outcome) : ""));
  if (counts) writeOutcome(out, *judged.outcome);
  if (const std::string reason = reasonText(judged); !reason.empty()) writeLabelled(out, "because", reason);
  for (const Note& note : way.notes) writeLabelled(out, severityName(note.severity), note.text);
}

std::string worldText(const PipelineSpec::World& world) {
  return counted(world.size(), "rank") + " (" + world.text() + ")";
}

}  // namespace

void writeResumeText(Output& out, const ResumeAnswer& answer) {
  const ResumePoint& point = answer.point;
  out << oneLine(answer.spec.name) << " stops in epoch " << point.epoch.value << " after "
      << counted(point.steps, "step") << " on " << worldText(answer.spec.world) << " and restarts with "
      << worldText(point.world);
  if (point.batch_size)
    out << " and batch_size " << *point.batch_size << " instead of " << answer.spec.loader.batch_size;
  out << "\n";
  for (const JudgedWay& way : answer.ways) writeWay(out, way);
}

}  // namespace shardlens::cli
