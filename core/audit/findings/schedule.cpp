// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/schedule.h"

#include "core/audit/findings/rules.h"
#include "core/base/phrase.h"
#include "core/base/text.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace shardlens::words {
namespace {

using Phases = std::vector<PipelineSpec::Phase>;
using Lines = std::vector<std::size_t>;  ///< of the schedule

FindingWords calledByNone(const Phases& schedule, const Lines& lines) {
  std::vector<std::string> sentences;
  for (const std::size_t line : lines)
    sentences.push_back(filled(worded("findings", "No rank of its groups meets the condition of %1 in %2: %3."),
                               schedule[line].what, "schedule[" + std::to_string(line) + "]",
                               schedule[line].condition));
  return {worded("findings", "A call of the schedule is made by no rank"), join(sentences, " "),
          worded("findings", "Such a line does nothing: the ranks were followed without that call.")};
}

FindingWords calledAlone(const Phases& schedule, const Lines& lines) {
  std::vector<std::string> sentences;
  for (const std::size_t line : lines) {
    const PipelineSpec::Phase& phase = schedule[line];
    const std::string place = "schedule[" + std::to_string(line) + "]";
    sentences.push_back(
        phase.ranks.empty()
            ? filled(worded("findings", "In %1, each rank that calls %2 is alone in its %3 group."), place, phase.what,
                     phase.group)
            : filled(worded("findings", "In %1, each rank that calls %2 is alone in its group."), place, phase.what));
  }
  return {
      worded("findings", "A rank calls a collective alone"), join(sentences, " "),
      worded("findings",
             "Such a call exchanges nothing and waits for nobody. With larger groups, it may wait for ranks that do "
             "not call it.")};
}

}  // namespace
}  // namespace shardlens::words

namespace shardlens::findings {

void scheduleHangs(const Facts& facts, std::vector<Finding>& findings) {
  if (const auto& why = facts.report().not_followed) {
    Finding& finding = findings.emplace_back(
        told("schedule-not-followed", FindingTopic::Steps, Severity::Info, words::scheduleNotFollowed(*why)));
    finding.where.field = "schedule";
    finding.leaves_open = true;
  }
  if (!facts.report().hang) return;
  const schedule::Hang& found = *facts.report().hang;
  Finding& finding = findings.emplace_back(told("schedule-hangs", FindingTopic::Steps, Severity::Error,
                                                words::scheduleHangs(schedule::Schedule(facts.plan()), found)));
  for (const Rank rank : found.waiting) finding.where.ranks.push_back(rank.value);
  if (!found.waiting.empty()) finding.where.example = {found.waiting.front().value};
  const schedule::Moment& moment = found.operation.moment;
  const bool is_in_epoch = moment.at != schedule::At::Start && moment.at != schedule::At::End;
  if (found.knowsPlace() && is_in_epoch) finding.where.epoch = moment.epoch.value;
  if (found.knowsPlace() && moment.at == schedule::At::Step) finding.where.step = moment.step.value;
  finding.where.field = "schedule[" + std::to_string(found.operation.line) + "].do";
}

namespace {

/// Lines of the schedule that are no presets: those that no rank calls, whatever the step, and collectives that each
/// caller calls alone.
struct IdleCalls {
  words::Lines of_none, alone;
};

IdleCalls idleCallsOf(const Facts& facts) {
  using schedule::At;
  IdleCalls calls;
  const schedule::Schedule planned(facts.plan());
  for (const At at : {At::Start, At::EpochStart, At::Step, At::EpochEnd, At::End}) {
    for (schedule::PlannedPhase phase : planned.phasesAt(at)) {
      const schedule::Kind kind = phase.operation.kind;
      const std::size_t line = phase.operation.line;
      if (schedule::isLocal(kind) || facts.spec().schedule[line].isPreset()) continue;
      phase.of_time.clear();
      std::size_t most = 0;
      for (Rank rank{0}; rank.value < facts.worldSize(); ++rank) {
        if (const auto call = planned.operation(phase, rank, {}))
          most = std::max(most, planned.groups()[call->group].size());
      }
      if (most == 0) calls.of_none.push_back(line);
      if (most == 1 && !schedule::isMessage(kind)) calls.alone.push_back(line);
    }
  }
  return calls;
}

}  // namespace

void idleCalls(const Facts& facts, std::vector<Finding>& findings) {
  const auto& lines = facts.spec().schedule;
  if (lines.empty() || facts.worldSize() == 1) return;
  IdleCalls calls = idleCallsOf(facts);
  const auto add = [&](const char* code, Severity severity, words::Lines& of, const char* key, auto& tell) {
    if (of.empty()) return;
    std::ranges::sort(of);
    Finding& finding = findings.emplace_back(told(code, FindingTopic::Steps, severity, tell(lines, of)));
    finding.where.field = "schedule[" + std::to_string(of.front()) + "]." + key;
  };
  add("schedule-call-of-none", Severity::Warning, calls.of_none, "if", words::calledByNone);
  add("schedule-call-alone", Severity::Info, calls.alone, "do", words::calledAlone);
}

}  // namespace shardlens::findings
