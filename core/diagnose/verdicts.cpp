// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/verdicts.h"

#include "core/base/text.h"
#include "core/diagnose/statistics.h"
#include "core/diagnose/straggler.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <map>

namespace shardlens {
namespace {

using Ids = std::vector<std::int64_t>;

std::string number(double value, const char* format = "%.1f") {
  std::array<char, 64> text{};
  (void)std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

std::string milliseconds(double ms) {
  return ms >= 1000 ? number(ms / 1000) + " s" : number(ms) + " ms";
}

/// "Rank 3", "Ranks 0-3, 7".
std::string named(const Ids& ranks) {
  return (ranks.size() == 1 ? "Rank " : "Ranks ") + ranges(ranks);
}

std::string rankText(std::int64_t rank) {
  return "Rank " + std::to_string(rank);
}

std::string lowered(std::string text) {
  if (!text.empty() && text[0] == 'R') text[0] = 'r';
  return text;
}

std::string where(const RankState& rank) {
  return "step " + std::to_string(rank.step) + " of epoch " + std::to_string(rank.epoch);
}

/// What the rank was in when it was last heard of, not what became of its process.
std::string doing(const RankTracker& tracker) {
  if (tracker.in_collective) return "in " + tracker.state.op + " #" + std::to_string(tracker.collective);
  const auto load = tracker.load_ms.size();
  return load == 0 && tracker.compute_ms.size() == 0 ? "before its first step" : "in " + where(tracker.state);
}

std::string crowding(const RunState& state) {
  if (!state.oversubscribed()) return {};
  return " " + std::to_string(state.world_size) + " ranks share " + std::to_string(state.cores) +
         " cores, so waits include scheduling.";
}

// --- dead -----------------------------------------------------------------------------------------------------------

std::string signalName(int signal) {
  const char* name = sigabbrev_np(signal);
  return name == nullptr ? "signal " + std::to_string(signal)
                         : "signal " + std::to_string(signal) + " (SIG" + name + ")";
}

Verdict deadVerdict(const Evidence& evidence, const RankTracker& tracker) {
  Verdict verdict{VerdictKind::Dead, tracker.state.rank, {}, {}, {}, {}, 1};
  const std::string name = rankText(tracker.state.rank);
  verdict.title = name + " died";
  verdict.message =
      name + " (pid " + std::to_string(tracker.state.pid) + ") " +
      (tracker.signal == 0 ? "ended without a good-bye " : "was ended by " + signalName(tracker.signal) + " ") +
      doing(tracker) + ".";
  Ids others;
  for (const RankTracker& other : evidence.trackers) {
    if (other.state.status == RankStatus::Ended) others.push_back(other.state.rank);
  }
  if (!others.empty()) verdict.message += " The launcher then ended " + lowered(named(others)) + ".";
  verdict.evidence = "the process was gone " + number(double(tracker.gone_ns - evidence.now_ns) / -1e9, "%.1f s") +
                     " before this moment";
  verdict.next = "Look at the last lines of " + lowered(name) + "; the kernel's log says whether it ran out of memory.";
  return verdict;
}

void addDead(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  for (const RankTracker& tracker : evidence.trackers) {
    if (tracker.died) verdicts.push_back(deadVerdict(evidence, tracker));
    if (!tracker.said_bye || tracker.bye_code == 0) continue;
    const std::string name = rankText(tracker.state.rank);
    verdicts.push_back(
        {VerdictKind::Dead, tracker.state.rank, name + " gave up",
         name + " ended itself with code " + std::to_string(tracker.bye_code) + " " + doing(tracker) + ".",
         "its good-bye", "Its last lines say why.", 1});
  }
}

// --- mismatch -------------------------------------------------------------------------------------------------------

/// Ranks of the collective, by the operation that they are in.
std::map<std::uint16_t, Ids> byOperation(const Collective& collective) {
  std::map<std::uint16_t, Ids> groups;
  for (std::size_t rank = 0; rank < collective.visits.size(); ++rank) {
    const std::uint16_t op = collective.visits[rank].op;
    if (op != SL_OP_NONE) groups[op].push_back(static_cast<std::int64_t>(rank));
  }
  return groups;
}

Ids ranOut(const Evidence& evidence, const Ids& ranks) {
  Ids out;
  for (const std::int64_t rank : ranks) {
    if (evidence.trackers[static_cast<std::size_t>(rank)].ran_out) out.push_back(rank);
  }
  return out;
}

Verdict ranOutVerdict(const Evidence& evidence, const Ids& out, const Ids& waiting) {
  const RankTracker& first = evidence.trackers[static_cast<std::size_t>(out.front())];
  Verdict verdict{VerdictKind::Mismatch, out.front(), {}, {}, {}, {}, 1};
  const std::string verb = waiting.size() == 1 ? " waits" : " wait";
  verdict.title = named(out) + " ran out of batches";
  verdict.message = named(out) + " ran out at step " + std::to_string(first.steps_in_epoch) + " of epoch " +
                    std::to_string(first.state.epoch) + ": " + lowered(named(waiting)) + verb + " for " +
                    (out.size() == 1 ? "it" : "them") + " in all_reduce. Without help this never ends.";
  return verdict;
}

Verdict mixedVerdict(const std::map<std::uint16_t, Ids>& groups) {
  std::vector<std::string> parts;
  parts.reserve(groups.size());
  for (const auto& [op, ranks] : groups) parts.push_back(lowered(named(ranks)) + " in " + operationName(op));
  const auto fewest = std::min_element(groups.begin(), groups.end(),
                                       [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  return {VerdictKind::Mismatch,
          fewest->second.front(),
          "Ranks are in different collectives",
          "At the same point of the job " + join(parts, ", ") + ". Without help this never ends.",
          {},
          {},
          1};
}

void addMixed(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  const Collective* mixed = evidence.collectives.firstMixed();
  if (mixed == nullptr) return;
  const auto groups = byOperation(*mixed);
  const auto barrier = groups.find(SL_OP_BARRIER);
  const auto reduce = groups.find(SL_OP_ALLREDUCE);
  const bool is_end = barrier != groups.end() && reduce != groups.end();
  const Ids out = is_end ? ranOut(evidence, barrier->second) : Ids{};
  Verdict verdict = out.empty() ? mixedVerdict(groups) : ranOutVerdict(evidence, out, reduce->second);
  verdict.evidence = "collective #" + std::to_string(mixed->seq);
  verdict.next = "Give every rank the same number of batches: `shardlens audit` names who gets fewer, and why.";
  verdicts.push_back(std::move(verdict));
}

void addDifference(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  const auto& first = evidence.state.first_difference;
  if (!first) return;
  std::int64_t batches = 0;
  Ids ranks;
  for (const RankState& rank : evidence.state.ranks) {
    batches += rank.mismatched;
    if (rank.mismatched > 0) ranks.push_back(rank.rank);
  }
  Verdict verdict{VerdictKind::Mismatch, first->rank, "The job does not consume what the plan says", {}, {}, {}, 0};
  verdict.message = grouped(batches) + (batches == 1 ? " batch" : " batches") + " of " + lowered(named(ranks)) +
                    (batches == 1 ? " is not the planned one" : " are not the planned ones") + "; the first is step " +
                    std::to_string(first->step) + " of epoch " + std::to_string(first->epoch) + " of rank " +
                    std::to_string(first->rank) + ".";
  verdict.evidence = "fingerprints of the batches' sample ids";
  verdict.next = "`shardlens verify SPEC RUNFILE` lists what differs.";
  verdicts.push_back(std::move(verdict));
}

// --- stalled --------------------------------------------------------------------------------------------------------

std::string waiters(const Evidence& evidence) {
  Ids waiting;
  std::string op;
  for (const RankTracker& tracker : evidence.trackers) {
    const RankState& rank = evidence.state.ranks[static_cast<std::size_t>(tracker.state.rank)];
    if (!tracker.in_collective || rank.status == RankStatus::Stopped) continue;
    waiting.push_back(tracker.state.rank);
    op = tracker.state.op;
  }
  if (waiting.empty()) return {};
  return " " + named(waiting) + (waiting.size() == 1 ? " waits" : " wait") + " for it in " + op + ".";
}

bool isGone(const RankState& rank) {
  return rank.status == RankStatus::Done || rank.status == RankStatus::Ended || rank.status == RankStatus::Dead;
}

void addStopped(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  for (const RankState& rank : evidence.state.ranks) {
    if (rank.status != RankStatus::Stopped) continue;
    const double seconds = static_cast<double>(evidence.state.elapsed_ns - rank.since_ns) / 1e9;
    const std::string name = rankText(rank.rank);
    verdicts.push_back({VerdictKind::Stalled, rank.rank, name + " is stopped",
                        name + " (pid " + std::to_string(rank.pid) + ") has been stopped by a signal for " +
                            number(seconds) + " s, " + doing(evidence.trackers[static_cast<std::size_t>(rank.rank)]) +
                            "." + waiters(evidence),
                        "process state T", "kill -CONT " + std::to_string(rank.pid) + " lets it go on.", 1});
  }
}

/// Ranks that still run and have not come to the collective that others are in.
Ids missing(const Evidence& evidence, const Collective& collective) {
  Ids ranks;
  for (const RankState& rank : evidence.state.ranks) {
    const Visit& visit = collective.visits[static_cast<std::size_t>(rank.rank)];
    if (visit.enter_ns < 0 && !evidence.trackers[static_cast<std::size_t>(rank.rank)].said_bye)
      ranks.push_back(rank.rank);
  }
  return ranks;
}

Ids stoppedRanks(const Evidence& evidence) {
  Ids ranks;
  for (const RankState& rank : evidence.state.ranks) {
    if (rank.status == RankStatus::Stopped) ranks.push_back(rank.rank);
  }
  return ranks;
}

Verdict stalledVerdict(const Evidence& evidence, const Ids& culprits, double seconds) {
  Verdict verdict{VerdictKind::Stalled, culprits.front(), {}, {}, {}, {}, 1};
  const RankState& first = evidence.state.ranks[static_cast<std::size_t>(culprits.front())];
  verdict.title = named(culprits) + (culprits.size() == 1 ? " makes" : " make") + " no progress";
  verdict.message = named(culprits) + (culprits.size() == 1 ? " has" : " have") + " been " + statusText(first) +
                    " in " + where(first) + " for " + number(seconds) + " s." + waiters(evidence);
  verdict.evidence = "no record of any rank for " + number(seconds) + " s";
  verdict.next = "Look where it hangs: gdb -p " + std::to_string(first.pid) + " -batch -ex bt";
  return verdict;
}

void addStalled(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  const std::int64_t still = evidence.now_ns - evidence.last_progress_ns;
  const bool runs = evidence.state.status == JobStatus::Running;
  if (!runs || !verdicts.empty() || still < stallTime(evidence.collectives)) return;
  const Collective* open = evidence.collectives.latestOpen();
  const double seconds = static_cast<double>(still) / 1e9;
  Ids culprits;
  if (open != nullptr) {
    culprits = missing(evidence, *open);
  } else {
    for (const RankState& rank : evidence.state.ranks) {
      if (!isGone(rank)) culprits.push_back(rank.rank);
    }
  }
  if (!culprits.empty()) return verdicts.push_back(stalledVerdict(evidence, culprits, seconds));
  if (open == nullptr) return;
  const std::string op = operationName(open->visits.front().op);
  verdicts.push_back(
      {VerdictKind::Stalled, -1, "Nobody makes progress inside " + op,
       "All ranks have been inside " + op + " #" + std::to_string(open->seq) + " for " + number(seconds) + " s.",
       "all have entered, nobody has left", "The network or the MPI library is stuck, no rank is late.", 1});
}

// --- the rest -------------------------------------------------------------------------------------------------------

void addFailure(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  const RunState& state = evidence.state;
  if (state.status != JobStatus::Failed || !verdicts.empty() || !evidence.lost.empty()) return;
  const bool heard = std::any_of(state.ranks.begin(), state.ranks.end(),
                                 [](const RankState& rank) { return rank.status != RankStatus::Unheard; });
  // Code 4 means that the launcher did start something.
  if (heard || state.exit_code == 4) {
    verdicts.push_back({VerdictKind::Dead, -1, "The job failed", state.failure, "the launcher's exit code",
                        "The console has everything that was printed.", 1});
  } else {
    verdicts.push_back({VerdictKind::LaunchFailed, -1, "The job did not start", state.failure, {}, {}, 1});
  }
}

void addLost(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  if (!evidence.lost.empty()) {
    verdicts.push_back({VerdictKind::Lost,
                        -1,
                        "The recording has no end",
                        evidence.lost + " The recorder was killed or could not write; what happened after is unknown.",
                        {},
                        "What was recorded until then is shown.",
                        0});
  }
  if (evidence.state.dropped > 0) {
    verdicts.push_back(
        {VerdictKind::Lost, -1, "Records were lost",
         counted(evidence.state.dropped, "record") + " did not fit into the rings and were counted, not kept.",
         "rank table, column dropped", "Waits and matches are incomplete where records are missing.", 0});
  }
}

/// What the straggler does longer than the others, when that explains its lateness.
std::string causeOf(const Evidence& evidence, const Straggler& straggler) {
  std::vector<double> loads;
  std::vector<double> computes;
  for (const RankTracker& tracker : evidence.trackers) {
    if (tracker.state.rank == straggler.rank) continue;
    loads.push_back(tracker.load_ms.median());
    computes.push_back(tracker.compute_ms.median());
  }
  const RankTracker& slow = evidence.trackers[static_cast<std::size_t>(straggler.rank)];
  const double load = slow.load_ms.median();
  const double compute = slow.compute_ms.median();
  const double load_others = median(std::move(loads));
  const double compute_others = median(std::move(computes));
  const bool is_load = load - load_others >= compute - compute_others;
  const double excess = is_load ? load - load_others : compute - compute_others;
  if (excess < 0.3 * straggler.behind_ms)
    return "Neither its loading nor its computing takes longer: look between them.";
  return "It spends " + milliseconds(is_load ? load : compute) + (is_load ? " loading a batch" : " computing a step") +
         ", the others " + milliseconds(is_load ? load_others : compute_others) + ".";
}

void addStraggler(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  const auto straggler = findStraggler(evidence.collectives.arrivals());
  if (!straggler) return;
  Verdict verdict{VerdictKind::Straggler, straggler->rank, {}, {}, {}, {}, straggler->cost};
  verdict.title = "Everyone waits for rank " + std::to_string(straggler->rank);
  verdict.message = rankText(straggler->rank) + " comes last to " + std::to_string(straggler->last_in) +
                    " of the last " + counted(straggler->collectives, "collective") + ", " +
                    milliseconds(straggler->behind_ms) + " after the others (median). " +
                    causeOf(evidence, *straggler) + crowding(evidence.state);
  verdict.evidence = "costs " + number(100 * straggler->cost, "%.0f") + " % of every step";
  verdict.next = "Compare its lane with another rank's, then look at that rank's storage and node.";
  verdicts.push_back(std::move(verdict));
}

}  // namespace

std::int64_t stallTime(const CollectiveTable& collectives) {
  constexpr double kNsInMs = 1e6;
  std::vector<double> intervals;
  for (const ArrivalRow& row : collectives.arrivals()) intervals.push_back(row.interval_ms);
  if (intervals.size() < 2) return 10'000'000'000;
  return std::max<std::int64_t>(3'000'000'000, static_cast<std::int64_t>(5 * kNsInMs * median(std::move(intervals))));
}

std::optional<std::int64_t> waitingFor(const Evidence& evidence) {
  const Collective* open = evidence.collectives.latestOpen();
  if (open == nullptr || evidence.state.status != JobStatus::Running) return std::nullopt;
  Ids late = missing(evidence, *open);
  if (late.empty()) late = stoppedRanks(evidence);  // it has arrived, but a stopped rank hands nothing on
  return late.size() == 1 ? std::optional(late.front()) : std::nullopt;
}

std::vector<Verdict> verdictsOf(const Evidence& evidence) {
  std::vector<Verdict> verdicts;
  addDead(evidence, verdicts);
  addMixed(evidence, verdicts);
  addStopped(evidence, verdicts);
  addStalled(evidence, verdicts);
  addFailure(evidence, verdicts);
  addDifference(evidence, verdicts);
  addLost(evidence, verdicts);
  addStraggler(evidence, verdicts);
  return verdicts;
}

}  // namespace shardlens
