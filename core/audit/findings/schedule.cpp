// SPDX-License-Identifier: Apache-2.0
// What ranks do besides reading: the schedule of the spec.
#include "core/schedule/schedule.h"

#include "core/audit/findings/rules.h"

#include <string>
#include <utility>

namespace shardlens::findings {

void scheduleHangs(const Facts& facts, std::vector<Finding>& findings) {
  const auto hang = schedule::hangOf(facts.plan(), facts.work());
  if (!hang || !*hang) return;
  const schedule::Hang& found = **hang;
  Finding finding = told("schedule-hangs", FindingTopic::Steps, Severity::Error, words::scheduleHangs(found));
  for (const Rank rank : found.waiting) finding.where.ranks.push_back(rank.value);
  if (!found.waiting.empty()) finding.where.example = {found.waiting.front().value};
  const schedule::Moment& moment = found.operation.moment;
  if (moment.at != schedule::At::Start && moment.at != schedule::At::End) finding.where.epoch = moment.epoch.value;
  if (moment.at == schedule::At::Step) finding.where.step = moment.step.value;
  finding.where.field = "schedule[" + std::to_string(found.operation.line) + "].do";
  findings.push_back(std::move(finding));
}

}  // namespace shardlens::findings
