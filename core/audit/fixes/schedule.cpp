// SPDX-License-Identifier: Apache-2.0
// A schedule in which ranks wait for others that never come.
#include "core/audit/fixes/remedies.h"
#include "core/base/phrase.h"
#include "core/spec/field_table.h"
#include "core/spec/phase_condition.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::fixes {
namespace {

using Phase = PipelineSpec::Phase;

Edit editOf(PipelineSpec spec, std::vector<Phase> schedule) {
  spec.schedule = std::move(schedule);
  const auto fields = fixedFields();
  return {"schedule", getValue(spec, *std::ranges::find(fields, "schedule", &Field::path))};
}

/// The same phase for the ranks that the condition leaves out, behind all that is done at that moment.
Fix withOthers(const PipelineSpec& spec, const Phase& phase, Condition condition, std::size_t rank_term) {
  condition[rank_term] = condition[rank_term].negated();
  Phase other = phase;
  other.condition = textOf(condition);
  std::vector<Phase> schedule = spec.schedule;
  const auto last = std::find_if(schedule.rbegin(), schedule.rend(),
                                 [&](const Phase& one) { return !one.isPreset() && one.at == phase.at; });
  schedule.insert(last.base(), other);
  const std::string text = "{do: " + other.what + ", at: " + other.at + ", if: " + other.condition + "}";
  return {filled(worded("fixes", "Let the other ranks call %1, too: %2"), phase.what, text),
          {editOf(spec, std::move(schedule))}};
}

/// Whether the phase may keep ranks until others have done some work, as in zero_first: with all ranks in it, it would
/// let them go on before.
bool waitsForWork(const std::vector<Phase>& schedule, std::size_t line) {
  const Phase& phase = schedule[line];
  const auto is_awaited = [&phase](const Phase& later) { return later.what == "host" && later.at == phase.at; };
  return phase.what == "barrier" &&
         std::any_of(schedule.begin() + static_cast<std::ptrdiff_t>(line), schedule.end(), is_awaited);
}

}  // namespace

void callForAll(const Facts& facts, const Finding& /*finding*/, std::vector<Fix>& proposed) {
  if (!facts.report().hang) return;
  const schedule::Operation& operation = facts.report().hang->operation;
  const PipelineSpec& spec = facts.spec();
  const std::size_t line = operation.line;
  const Phase& phase = spec.schedule[line];
  const Condition condition = *parseCondition(phase.condition);
  const auto of_rank = std::ranges::find_if_not(condition, &ConditionTerm::isOfTime);
  if (phase.isPreset() || schedule::isMessage(operation.kind) || of_rank == condition.end()) return;
  Condition of_time = condition;
  const std::size_t rank_terms = std::erase_if(of_time, [](const ConditionTerm& one) { return !one.isOfTime(); });
  const std::string place = "schedule[" + std::to_string(line) + "]";
  if (rank_terms == 1)
    proposed.push_back(withOthers(spec, phase, condition, static_cast<std::size_t>(of_rank - condition.begin())));
  if (waitsForWork(spec.schedule, line)) return;
  proposed.push_back(
      {filled(worded("fixes", "Let every rank call %1 in %2"), phase.what, place), {{place + ".if", textOf(of_time)}}});
  // A barrier may stand where it does for the sake of the order; of others, each rank usually makes one call.
  if (phase.what != "barrier" && rank_terms == 1) std::iter_swap(proposed.end() - 2, proposed.end() - 1);
}

}  // namespace shardlens::fixes
