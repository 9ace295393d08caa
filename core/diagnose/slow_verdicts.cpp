// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/slow_verdicts.h"

#include "core/base/text.h"
#include "core/diagnose/statistics.h"
#include "core/diagnose/verdict_words.h"

#include <algorithm>
#include <set>
#include <utility>

namespace shardlens {
namespace {

constexpr std::size_t kMostGains = 4;  ///< that are listed one by one

bool contains(const Ranks& ranks, std::int64_t rank) {
  return std::binary_search(ranks.begin(), ranks.end(), rank);
}

std::string secondsText(double seconds) {
  return seconds >= 0.995 ? words::number(seconds) + " s" : words::milliseconds(1000 * seconds);
}

std::string percent(double share) {
  return words::number(100 * share, "%.0f") + " %";
}

/// The host that exactly these ranks are on, when the job has others; empty otherwise.
std::string hostOf(const RunState& state, const Ranks& ranks) {
  const std::string& host = state.ranks[static_cast<std::size_t>(ranks.front())].host;
  std::size_t there = 0;
  for (const RankState& rank : state.ranks) {
    if (rank.host != host) continue;
    if (!contains(ranks, rank.rank)) return {};
    ++there;
  }
  return there == ranks.size() && there < state.ranks.size() ? host : std::string();
}

// --- when -----------------------------------------------------------------------------------------------------------

std::string place(std::uint32_t step, std::uint32_t epoch) {
  return "step " + std::to_string(step) + " of epoch " + std::to_string(epoch);
}

/// "in epoch 1", "since step 220 of epoch 0", "from step 0 to step 99 of epoch 0"; empty for the whole run.
std::string when(const TimeLost& lost, const SlowRanks& slow) {
  if (slow.is_whole_run) return {};
  const LostRow& first = lost.row(slow.rows.begin);
  const LostRow& last = lost.row(slow.rows.end - 1);
  const auto is_other = [&](const LostRow& row) { return row.last_epoch != first.epoch && row.epoch != first.epoch; };
  const bool is_first = slow.rows.begin == 0 || is_other(lost.row(slow.rows.begin - 1));
  const bool is_last = slow.is_open || is_other(lost.row(slow.rows.end));
  const bool is_epoch = first.epoch == last.last_epoch && is_first && is_last;
  if (is_epoch) return "in epoch " + std::to_string(first.epoch);
  if (slow.is_open) return "since " + place(first.step, first.epoch);
  if (first.epoch == last.last_epoch)
    return "from step " + std::to_string(first.step) + " to " + place(last.last_step, last.last_epoch);
  return "from " + place(first.step, first.epoch) + " to " + place(last.last_step, last.last_epoch);
}

// --- why ------------------------------------------------------------------------------------------------------------

/// Not more than the steps that these rows are about; a row that stands for a change of the epoch counts as one.
std::size_t stepsIn(const TimeLost& lost, RowRange rows) {
  std::size_t steps = 0;
  for (std::size_t i = rows.begin; i < rows.end; ++i) {
    const LostRow& row = lost.row(i);
    const bool goes_on =
        i > rows.begin && lost.row(i - 1).last_epoch == row.epoch && lost.row(i - 1).last_step == row.step;
    const bool is_in_epoch = row.epoch == row.last_epoch && row.last_step >= row.step;
    steps += (goes_on ? 0 : 1) + (is_in_epoch ? row.last_step - row.step : 0);
  }
  return steps;
}

/// Why ranks are late, and what to check on one of them; `text` is empty when nothing is known.
struct Cause {
  std::string text;
  std::string next = "Compare its lane with another rank's, then check that rank's storage and node.";
};

/// What the slow ranks do longer than the others of the group while they are late, when that explains it. Known of the
/// last steps only.
Cause causeOf(const Evidence& evidence, const TimeLost& lost, const SlowRanks& slow) {
  if (!slow.is_open) return {};
  const std::size_t steps = stepsIn(lost, slow.rows);
  std::vector<double> load[2];
  std::vector<double> compute[2];
  for (const std::int64_t rank : *lost.members()) {
    const RankTracker& tracker = evidence.tracker(rank);
    if (tracker.load_ms.size() + tracker.compute_ms.size() == 0) continue;
    const std::size_t side = contains(slow.ranks, rank) ? 1 : 0;
    load[side].push_back(tracker.load_ms.median(steps));
    compute[side].push_back(tracker.compute_ms.median(steps));
  }
  if (load[0].empty() || load[1].empty()) return {};
  const double more_load = median(load[1]) - median(load[0]);
  const double more_compute = median(compute[1]) - median(compute[0]);
  const bool is_load = more_load >= more_compute;
  const bool is_one = slow.ranks.size() == 1;
  if (std::max(more_load, more_compute) < 0.3 * slow.behind_ms) {
    const std::string its = is_one ? "its" : "their";
    return {"Neither " + its + " loading nor " + its + " computing takes longer: look between them."};
  }
  const auto& phase = is_load ? load : compute;
  return {std::string(is_one ? "It spends " : "They spend ") + words::milliseconds(median(phase[1])) +
              (is_load ? " loading a batch" : " computing a step") + ", the others " +
              words::milliseconds(median(phase[0])) + ".",
          is_load ? "Check the storage and the data that it reads, or raise num_workers."
                  : "Check the GPU, the CPU load and the clock rate of its node."};
}

// --- what mending gains ---------------------------------------------------------------------------------------------

std::string gainText(const SlowRanks& slow, double duration_s) {
  const double all = slow.owed.gain_ms / 1000;
  const std::string of = " of " + secondsText(duration_s) + " (" + percent(slow.share) + ")";
  if (slow.ranks.size() == 1) return "Fixing it would save " + secondsText(all) + of + ".";
  std::string text = "Fixing all of them would save " + secondsText(all) + of + "; fixing one alone would save ";
  if (slow.ranks.size() > kMostGains) {
    const double most = *std::max_element(slow.alone_ms.begin(), slow.alone_ms.end());
    return text + secondsText(most / 1000) + " at most.";
  }
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < slow.ranks.size(); ++i)
    parts.push_back(secondsText(slow.alone_ms[i] / 1000) + " (" + words::ranks({slow.ranks[i]}) + ")");
  return text + join(parts, ", ") + ".";
}

// --- the sentences --------------------------------------------------------------------------------------------------

std::string titleOf(const Evidence& evidence, const TimeLost& lost, const std::string& group, const SlowRanks& slow) {
  const std::string host = hostOf(evidence.state, slow.ranks);
  const std::string whom = words::ranks(slow.ranks) + (host.empty() ? "" : ", all on " + host);
  const std::string time = when(lost, slow);
  const bool is_now = slow.is_whole_run || slow.is_open;
  const std::string verb = is_now ? (group.empty() ? " waits for " : " wait for ") : " waited for ";
  const bool is_majority = 2 * slow.ranks.size() > lost.memberCount();
  std::string who = group.empty() ? "Everyone" : "All of " + group;
  if (is_majority) who = group.empty() ? "The rest" : "The rest of " + group;
  return who + (is_majority && is_now ? " waits for " : verb) + whom + (time.empty() ? "" : " " + time);
}

std::string lateText(const SlowRanks& slow, const std::string& group) {
  const bool is_one = slow.ranks.size() == 1;
  const std::string verb = slow.is_whole_run || slow.is_open ? " comes" : " came";
  const std::string who = (is_one ? words::capitalRanks(slow.ranks) : "One of " + words::ranks(slow.ranks)) + verb;
  return who + " last in " + grouped(slow.last_in) + " of " + counted(slow.collectives, "collective") +
         (group.empty() ? "" : " of " + group) + ", " + (is_one ? "" : "and all of them ") +
         words::milliseconds(slow.behind_ms) + " after the others (median).";
}

std::string chanceText(double confidence) {
  const double chance = 1 - confidence;
  if (chance < 1e-6) return "less than one run in a million";
  return "one run in " + grouped(static_cast<std::int64_t>(1 / chance));
}

Verdict slowVerdict(const Evidence& evidence, std::uint32_t group_id, const SlowRanks& slow) {
  const TimeLost& lost = evidence.collectives.timeLost().at(group_id);
  const std::string group = evidence.groups.text(group_id);
  Verdict verdict{VerdictKind::Straggler, slow.worst, titleOf(evidence, lost, group, slow), {}, {}, {}, slow.share};
  verdict.ranks = slow.ranks;
  verdict.from_ns = slow.from_ns - evidence.begin_ns;
  verdict.to_ns = slow.to_ns - evidence.begin_ns;
  verdict.lost_s = slow.owed.lost_ms / 1000;
  verdict.gain_s = slow.owed.gain_ms / 1000;
  for (const double alone : slow.alone_ms) verdict.gain_alone_s.push_back(alone / 1000);
  verdict.confidence = slow.confidence;
  const double duration_s = static_cast<double>(slow.to_ns - slow.from_ns) / 1e9;
  const Cause cause = causeOf(evidence, lost, slow);
  verdict.message = lateText(slow, group) + (cause.text.empty() ? "" : " " + cause.text) + " " +
                    gainText(slow, duration_s) + words::crowding(evidence.state);
  verdict.evidence = "in total, the ranks waited " + secondsText(verdict.lost_s) + " for " +
                     (slow.ranks.size() == 1 ? "it" : "them") + "; chance alone does this in " +
                     chanceText(slow.confidence);
  if (!hostOf(evidence.state, slow.ranks).empty()) {
    verdict.next = "Check that node: all of its ranks are late, and no others.";
  } else if (slow.ranks.size() == 1) {
    verdict.next = cause.next;
  } else {
    verdict.next = "Look for what only these ranks share: storage, a switch, long samples.";
  }
  return verdict;
}

Verdict wanderingVerdict(const Evidence& evidence, std::uint32_t group_id, const Wandering& wandering) {
  const std::string group = evidence.groups.text(group_id);
  Verdict verdict{VerdictKind::Wandering, -1, "Ranks take turns being late", {}, {}, {}, wandering.share};
  if (!group.empty()) verdict.title += ", in " + group;
  verdict.from_ns = wandering.from_ns - evidence.begin_ns;
  verdict.to_ns = wandering.to_ns - evidence.begin_ns;
  verdict.lost_s = wandering.lost_ms / 1000;
  verdict.message = "In " + counted(wandering.collectives, "collective") + (group.empty() ? "" : " of " + group) +
                    " the last rank arrives " + words::milliseconds(wandering.spread_ms) +
                    " after the median one on average, which costs " + percent(wandering.share) +
                    " of the time; no rank is the last in more than " + percent(wandering.most_last) +
                    " of them, and fixing any single rank would save at most " +
                    secondsText(wandering.best_alone_ms / 1000) + " at most." + words::crowding(evidence.state);
  verdict.evidence = "in total, the ranks waited " + secondsText(verdict.lost_s);
  verdict.next =
      "No rank is slow, but their times vary. Prefetch more (num_workers, prefetch_factor), or balance "
      "the work.";
  return verdict;
}

bool overlaps(const StandStill& stop, std::int64_t from_ns, std::int64_t to_ns) {
  return stop.from_ns < to_ns && from_ns < stop.to_ns;
}

Verdict pauseVerdict(const Evidence& evidence, const Pause& pause) {
  const double seconds = static_cast<double>(pause.to_ns - pause.from_ns) / 1e9;
  const std::string name = words::capitalRanks({pause.rank});
  Verdict verdict{VerdictKind::Paused, pause.rank, name + " paused for " + secondsText(seconds), {}, {}, {}, 0};
  verdict.from_ns = pause.from_ns - evidence.begin_ns;
  verdict.to_ns = pause.to_ns - evidence.begin_ns;
  verdict.lost_s = pause.lost_ms / 1000;
  verdict.gain_s = seconds;
  verdict.gain_alone_s = {seconds};
  const bool was_stopped = std::any_of(evidence.stops.begin(), evidence.stops.end(), [&](const StandStill& stop) {
    return stop.rank == pause.rank && overlaps(stop, pause.from_ns, pause.to_ns);
  });
  verdict.message = "In " + place(pause.step, pause.epoch) + ", " +
                    secondsText(static_cast<double>(*verdict.from_ns) / 1e9) + " after the start, the others waited " +
                    secondsText(seconds) + " for " + words::ranks({pause.rank}) + ". " +
                    (was_stopped ? "A signal had stopped it." : "It happened once; then the job continued.");
  verdict.evidence = "in total, the ranks waited " + secondsText(verdict.lost_s);
  verdict.next = "Seek to that moment and look at its lane.";
  return verdict;
}

Verdict stillVerdict(const Evidence& evidence, const StandStill& stop) {
  const double seconds = static_cast<double>(stop.to_ns - stop.from_ns) / 1e9;
  const double after = static_cast<double>(stop.from_ns - evidence.begin_ns) / 1e9;
  const bool is_start = stop.from_ns <= evidence.begin_ns;
  Verdict verdict{VerdictKind::Paused, stop.rank, {}, {}, {}, {}, 0};
  if (stop.rank >= 0) {
    verdict.title = words::capitalRanks({stop.rank}) + " was stopped for " + secondsText(seconds);
    verdict.message = "A signal stopped it " + secondsText(after) + " after the start, and another one resumed it.";
  } else if (is_start) {
    verdict.title = "No rank reported in the first " + secondsText(seconds);
    verdict.message = "The first record came " + secondsText(seconds) + " after the launch.";
  } else {
    verdict.title = "No rank made progress for " + secondsText(seconds);
    verdict.message = "No rank reported anything from " + secondsText(after) + " to " + secondsText(after + seconds) +
                      " after the start; then the job continued.";
  }
  verdict.from_ns = stop.from_ns - evidence.begin_ns;
  verdict.to_ns = stop.to_ns - evidence.begin_ns;
  verdict.evidence = stop.rank >= 0 ? "process state T" : "the times of the records";
  verdict.next = stop.rank >= 0 ? std::string() : "Seek to that moment: the lanes show what each rank was in.";
  return verdict;
}

}  // namespace

void addSlow(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  std::vector<Verdict> found;
  for (const auto& [group, judgement] : evidence.judgements) {
    for (const SlowRanks& slow : judgement.slow) found.push_back(slowVerdict(evidence, group, slow));
  }
  const auto gains_more = [](const Verdict& a, const Verdict& b) { return a.gain_s > b.gain_s; };
  std::stable_sort(found.begin(), found.end(), gains_more);
  constexpr std::size_t kMost = 3;
  if (found.size() > kMost) found.resize(kMost);
  const bool is_none = found.empty();
  for (Verdict& verdict : found) verdicts.push_back(std::move(verdict));
  for (const auto& [group, judgement] : evidence.judgements) {
    if (is_none && judgement.wandering) {
      verdicts.push_back(wanderingVerdict(evidence, group, *judgement.wandering));
      break;
    }
  }
}

void addPauses(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  /// At the start programs load; that takes what it takes.
  constexpr std::int64_t kLongStartNs = 15'000'000'000;
  std::vector<const Pause*> pauses;
  for (const auto& [group, judgement] : evidence.judgements) {
    for (const Pause& pause : judgement.pauses) pauses.push_back(&pause);
  }
  for (const Pause* pause : pauses) verdicts.push_back(pauseVerdict(evidence, *pause));
  for (const StandStill& stop : evidence.stops) {
    const bool is_told = std::any_of(pauses.begin(), pauses.end(), [&](const Pause* pause) {
      return (stop.rank < 0 || stop.rank == pause->rank) && overlaps(stop, pause->from_ns, pause->to_ns);
    });
    const bool is_start = stop.rank < 0 && stop.from_ns <= evidence.begin_ns;
    if (is_told || (is_start && stop.to_ns - stop.from_ns < kLongStartNs)) continue;
    verdicts.push_back(stillVerdict(evidence, stop));
  }
}

}  // namespace shardlens
