// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/verdicts.h"

#include "core/base/exit_code.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/diagnose/slow_verdicts.h"
#include "core/diagnose/verdict_words.h"

#include <algorithm>
#include <utility>

namespace shardlens {
namespace {

// --- dead -----------------------------------------------------------------------------------------------------------

std::string howItEnded(const Ending& ending) {
  const std::string when = ending.after_bye ? " after it had reported its end" : "";
  if (ending.signal != 0) return "was ended by " + signalName(ending.signal) + when;
  const std::string with = ending.exit_code != 0 ? " with code " + std::to_string(ending.exit_code) : std::string();
  return "ended" + with + (when.empty() ? " without reporting its end" : when);
}

Verdict deadVerdict(const Evidence& evidence, std::int64_t rank) {
  const Ending& ending = evidence.deaths.of(rank);
  Verdict verdict{VerdictKind::Dead, rank, {}, {}, {}, {}, 1};
  verdict.title = words::capitalRanks({rank}) + " died";
  verdict.message = words::capitalRanks({rank}) + " (pid " + std::to_string(evidence.rank(rank).pid) + ") " +
                    howItEnded(ending) + " " + words::doing(evidence, rank) + ".";
  Ranks others;
  for (const RankState& other : evidence.state.ranks) {
    if (evidence.deaths.of(other.rank).how == RankEnd::SentAway) others.push_back(other.rank);
  }
  if (!others.empty())
    verdict.message += " " + words::capitalRanks(others) + words::agreed(others, " was", " were") + " then ended, too.";
  verdict.evidence = "the process was gone " +
                     words::number(double(ending.time_ns - evidence.now_ns) / -1e9, "%.1f s") + " before this moment";
  verdict.next =
      "Look at the last lines of " + words::ranks({rank}) + "; the kernel's log says whether it ran out of memory.";
  return verdict;
}

/// A rank that was never measured, and of which only the launcher says that it failed.
void addUnmeasured(const Evidence& evidence, std::int64_t rank, std::vector<Verdict>& verdicts) {
  const RunState& state = evidence.state;
  if (state.exit_code == kUsage || state.exit_code == kEnvironment) return;  // it refused the job: see addFailure
  const std::string name = words::capitalRanks({rank});
  const Ending& ending = evidence.deaths.of(rank);
  const std::string how = ending.signal != 0 ? "was ended by " + signalName(ending.signal)
                                             : "ended with code " + std::to_string(ending.exit_code);
  // The sentence of the whole job is about the rank that failed first.
  const bool is_first = verdicts.empty() && !state.failure.empty();
  verdicts.push_back({VerdictKind::Dead, rank, name + " failed", is_first ? state.failure : name + " " + how + ".",
                      "the exit of its process", "The console has everything that was printed.", 1});
}

/// Who ended first comes first: the others may have ended for want of it.
std::vector<const RankState*> inOrderOfEnding(const Evidence& evidence) {
  std::vector<const RankState*> ranks;
  for (const RankState& rank : evidence.state.ranks) {
    if (evidence.deaths.of(rank.rank).how != RankEnd::NotYet) ranks.push_back(&rank);
  }
  std::stable_sort(ranks.begin(), ranks.end(), [&](const RankState* a, const RankState* b) {
    return evidence.deaths.of(a->rank).time_ns < evidence.deaths.of(b->rank).time_ns;
  });
  return ranks;
}

void addDead(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  for (const RankState* one : inOrderOfEnding(evidence)) {
    const RankState& rank = *one;
    const Ending& ending = evidence.deaths.of(rank.rank);
    if (ending.how == RankEnd::Died && rank.pid == 0) addUnmeasured(evidence, rank.rank, verdicts);
    if (ending.how == RankEnd::Died && rank.pid != 0) verdicts.push_back(deadVerdict(evidence, rank.rank));
    if (ending.how != RankEnd::GaveUp) continue;
    const std::string name = words::capitalRanks({rank.rank});
    verdicts.push_back({VerdictKind::Dead, rank.rank, name + " gave up",
                        name + " ended itself with code " + std::to_string(ending.exit_code) + " " +
                            words::doing(evidence, rank.rank) + ".",
                        "its last record", "Its last lines say why.", 1});
  }
}

// --- mismatch -------------------------------------------------------------------------------------------------------

Ranks ranOut(const Evidence& evidence, const Ranks& ranks) {
  Ranks out;
  for (const std::int64_t rank : ranks) {
    if (evidence.tracker(rank).ran_out) out.push_back(rank);
  }
  return out;
}

Verdict ranOutVerdict(const Evidence& evidence, const Ranks& out, const Ranks& waiting, const std::string& op) {
  const RankTracker& first = evidence.tracker(out.front());
  Verdict verdict{VerdictKind::Mismatch, out.front(), {}, {}, {}, {}, 1};
  verdict.ranks = out;
  verdict.title = words::capitalRanks(out) + " ran out of batches";
  verdict.message = words::capitalRanks(out) + " ran out at step " + std::to_string(first.steps_in_epoch) +
                    " of epoch " + std::to_string(first.state.epoch) + ": " + words::ranks(waiting) +
                    words::agreed(waiting, " waits", " wait") + " for " + words::agreed(out, "it", "them") + " in " +
                    op + ". The job cannot continue by itself.";
  return verdict;
}

Verdict mixedVerdict(const Evidence& evidence, const Mixed& mixed) {
  const std::string group = evidence.groups.text(mixed.group);
  const Ranks& fewest = mixed.only_other.size() < mixed.only_one.size() ? mixed.only_other : mixed.only_one;
  Verdict verdict{VerdictKind::Mismatch, fewest.front(), "Ranks are in different collectives", {}, {}, {}, 1};
  verdict.message = "At the same point of " + (group.empty() ? "the job" : group) + " " + words::ranks(mixed.only_one) +
                    " in " + operationName(mixed.one->key.op) + ", " + words::ranks(mixed.only_other) + " in " +
                    operationName(mixed.other->key.op) + ". The job cannot continue by itself.";
  return verdict;
}

void addMixed(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  const auto mixed = evidence.collectives.firstMixed();
  if (!mixed) return;
  const bool barrier_first = mixed->one->key.op == SL_OP_BARRIER;
  const Collective& barrier = barrier_first ? *mixed->one : *mixed->other;
  const Collective& other = barrier_first ? *mixed->other : *mixed->one;
  const Ranks& at_barrier = barrier_first ? mixed->only_one : mixed->only_other;
  const Ranks& waiting = barrier_first ? mixed->only_other : mixed->only_one;
  const Ranks out = barrier.key.op == SL_OP_BARRIER ? ranOut(evidence, at_barrier) : Ranks{};
  Verdict verdict =
      out.empty() ? mixedVerdict(evidence, *mixed) : ranOutVerdict(evidence, out, waiting, operationName(other.key.op));
  verdict.evidence =
      words::collectiveName(evidence, *mixed->one) + " and " + words::collectiveName(evidence, *mixed->other);
  verdict.next = "Give every rank the same number of batches: `shardlens audit` names who gets fewer, and why.";
  verdicts.push_back(std::move(verdict));
}

void addDifference(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  const auto& first = evidence.state.first_difference;
  if (!first) return;
  std::int64_t batches = 0;
  Ranks ranks;
  for (const RankState& rank : evidence.state.ranks) {
    batches += rank.mismatched;
    if (rank.mismatched > 0) ranks.push_back(rank.rank);
  }
  Verdict verdict{VerdictKind::Mismatch, first->rank, "The job does not follow the plan", {}, {}, {}, 0};
  verdict.message = grouped(batches) + (batches == 1 ? " batch" : " batches") + " of " + words::ranks(ranks) +
                    (batches == 1 ? " does not match the plan" : " do not match the plan") + "; the first is step " +
                    std::to_string(first->step) + " of epoch " + std::to_string(first->epoch) + " of rank " +
                    std::to_string(first->rank) + ".";
  verdict.evidence = "fingerprints of the batches' sample ids";
  verdict.next = "`shardlens verify SPEC RUNFILE` lists what differs.";
  verdicts.push_back(std::move(verdict));
}

// --- stalled --------------------------------------------------------------------------------------------------------

/// " Ranks 0, 2 wait for it in all_reduce.", said of the culprits; empty when no rank waits for them.
std::string waiters(const Evidence& evidence, const Waits& waits, const Ranks& culprits) {
  const Ranks waiting = waitersFor(evidence, waits, culprits);
  if (waiting.empty()) return {};
  std::string op = operationText(evidence.rank(waiting.front()));
  for (const std::int64_t rank : waiting) {
    if (operationText(evidence.rank(rank)) != op) op = "different operations";
  }
  return " " + words::capitalRanks(waiting) + words::agreed(waiting, " waits", " wait") + " for " +
         words::agreed(culprits, "it", "them") + " in " + op + ".";
}

void addStopped(const Evidence& evidence, const Waits& waits, std::vector<Verdict>& verdicts) {
  for (const RankState& rank : evidence.state.ranks) {
    if (rank.status != RankStatus::Stopped) continue;
    const double seconds = static_cast<double>(evidence.state.elapsed_ns - rank.since_ns) / 1e9;
    const std::string name = words::capitalRanks({rank.rank});
    verdicts.push_back({VerdictKind::Stalled, rank.rank, name + " is stopped",
                        name + " (pid " + std::to_string(rank.pid) + ") has been stopped by a signal for " +
                            words::number(seconds) + " s, " + words::doing(evidence, rank.rank) + "." +
                            waiters(evidence, waits, {rank.rank}),
                        "process state T", "kill -CONT " + std::to_string(rank.pid) + " resumes it.", 1});
  }
}

Verdict stalledVerdict(const Evidence& evidence, const Waits& waits, const Ranks& culprits, const std::string& time) {
  Verdict verdict{VerdictKind::Stalled, culprits.front(), {}, {}, {}, {}, 1};
  verdict.ranks = culprits;
  const RankState& first = evidence.rank(culprits.front());
  const std::string name = words::capitalRanks(culprits);
  verdict.title = name + words::agreed(culprits, " makes", " make") + " no progress";
  verdict.message = name + words::agreed(culprits, " has", " have") + " been " + statusText(first) + " in " +
                    words::where(first) + " for " + time + "." + waiters(evidence, waits, culprits);
  verdict.evidence = "no record of any rank for " + time;
  verdict.next = "See where it hangs: gdb -p " + std::to_string(first.pid) + " -batch -ex bt";
  return verdict;
}

Verdict circleVerdict(const Evidence& evidence, const Ranks& circle, const std::string& time) {
  constexpr std::size_t kMostNamed = 4;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min(circle.size(), kMostNamed); ++i)
    parts.push_back(words::ranks({circle[i]}) + " " + words::doing(evidence, circle[i]));
  const std::string more = circle.size() > kMostNamed ? ", and so on" : "";
  return {VerdictKind::Mismatch,
          circle.front(),
          "Ranks wait for each other",
          words::capitalRanks(circle) + " wait for each other: " + join(parts, ", ") + more +
              ". The job cannot continue by itself.",
          "no record of any rank for " + time,
          "Make all ranks call the operations of their groups in the same order.",
          1};
}

/// They will never come: they have said good-bye.
Verdict doneVerdict(const Waits& waits, const std::string& waiting, const std::string& time) {
  return {VerdictKind::Mismatch,
          waits.done.front(),
          words::capitalRanks(waits.done) + words::agreed(waits.done, " is", " are") + " done while others wait",
          words::capitalRanks(waits.done) + words::agreed(waits.done, " is", " are") + " done." + waiting +
              " The job cannot continue by itself.",
          "no record of any rank for " + time,
          "Give every rank the same number of batches: `shardlens audit` names who gets fewer, and why.",
          1};
}

Verdict stuckVerdict(const Evidence& evidence, const Waits& waits, const std::string& time) {
  const RankState& first = evidence.rank(waits.blocked.front());
  const std::string op = operationText(first);
  return {VerdictKind::Stalled,
          -1,
          "No rank makes progress inside " + op,
          "All ranks have been inside " + op + " #" + std::to_string(first.operation->seq) + " for " + time + ".",
          "all ranks have entered, none has left",
          "The network or the MPI library is stuck; no rank is late.",
          1};
}

/// A job whose ranks were started and never said a word: none has come as far as its first record.
void addSilent(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  constexpr std::int64_t kPatienceNs = 10'000'000'000;
  const RunState& state = evidence.state;
  const bool is_begun = state.status == JobStatus::Starting || state.status == JobStatus::Running;
  if (!is_begun || !state.reports || !evidence.lost.empty() || evidence.now_ns - evidence.begin_ns < kPatienceNs)
    return;
  const auto is_unheard = [](const RankState& rank) { return rank.status == RankStatus::Unheard; };
  if (state.ranks.empty() || !std::all_of(state.ranks.begin(), state.ranks.end(), is_unheard)) return;
  const std::string time = words::number(double(evidence.now_ns - evidence.begin_ns) / 1e9) + " s";
  verdicts.push_back(
      {VerdictKind::Stalled, -1, "No rank has reported yet",
       "The job was launched " + time +
           " ago, and no rank has reported yet: all hang before their first step, or are still "
           "loading.",
       "no record of any rank for " + time,
       "See where a rank hangs: gdb -p PID -batch -ex bt. MPI_Init waits for every rank and for the network.", 1});
}

void addStalled(const Evidence& evidence, const Waits& waits, std::vector<Verdict>& verdicts) {
  if (!verdicts.empty() || !isStandingStill(evidence)) return;
  const std::string time = words::number(double(evidence.now_ns - evidence.last_progress_ns) / 1e9) + " s";
  const Ranks circle = circleOf(evidence, waits);
  if (!circle.empty()) return verdicts.push_back(circleVerdict(evidence, circle, time));
  Ranks culprits = waits.culprits;
  if (culprits.empty() && !waits.done.empty())
    return verdicts.push_back(doneVerdict(waits, waiters(evidence, waits, waits.done), time));
  for (const RankState& rank : evidence.state.ranks) {
    if (waits.culprits.empty() && !evidence.hasEnded(rank.rank) && !evidence.tracker(rank.rank).isBlocked())
      culprits.push_back(rank.rank);
  }
  if (!culprits.empty()) return verdicts.push_back(stalledVerdict(evidence, waits, culprits, time));
  if (!waits.blocked.empty()) verdicts.push_back(stuckVerdict(evidence, waits, time));
}

// --- the rest -------------------------------------------------------------------------------------------------------

void addFailure(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  const RunState& state = evidence.state;
  if (state.status != JobStatus::Failed || !verdicts.empty() || !evidence.lost.empty()) return;
  const bool heard =
      std::any_of(state.ranks.begin(), state.ranks.end(), [](const RankState& rank) { return rank.pid > 0; });
  // Code 4 means that the launcher did start something.
  if (heard || state.exit_code == 4) {
    verdicts.push_back({VerdictKind::Dead, -1, "The job failed", state.failure, "the launcher's exit code",
                        "The console has everything that was printed.", 1});
  } else {
    verdicts.push_back({VerdictKind::LaunchFailed, -1, "The job did not start", state.failure, {}, {}, 1});
  }
}

void addLost(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  const auto add = [&verdicts](std::string title, std::string message, std::string where, std::string next) {
    verdicts.push_back(
        {VerdictKind::Lost, -1, std::move(title), std::move(message), std::move(where), std::move(next), 0});
  };
  if (!evidence.lost.empty()) {
    add("The recording has no end",
        evidence.lost + " The recorder was killed or could not write; what happened after is unknown.", {},
        "What was recorded until then is shown.");
  }
  if (evidence.state.dropped > 0) {
    add("Records were lost",
        counted(evidence.state.dropped, "record") + (evidence.state.dropped == 1 ? " was" : " were") +
            " counted, not kept: the rings were full, or the recorder's disk was too slow.",
        "rank table, column dropped", "Waits and matches are incomplete where records are missing.");
  }
  if (const std::int64_t unknown = evidence.groups.unknown(); unknown > 0) {
    add("Some members of groups are unknown",
        "Ranks take part in " + counted(unknown, "group") +
            " whose members no record lists, or records disagree about them.",
        "groups without members", "Operations in these groups are shown, but not matched or judged.");
  }
  if (!evidence.state.clock_error_us && evidence.state.world_size > 0) {
    add("Clocks cannot be compared", "The offset between the clocks of the hosts is not known.",
        "clock_error_us is null", "Waits between ranks of different hosts are not measured.");
  }
}

}  // namespace

bool isDeadlocked(const Evidence& evidence, const Waits& waits) {
  if (evidence.collectives.firstMixed()) return true;
  if (!isStandingStill(evidence)) return false;
  return !circleOf(evidence, waits).empty() || (waits.culprits.empty() && !waits.done.empty());
}

std::vector<Verdict> verdictsOf(const Evidence& evidence, const Waits& waits) {
  std::vector<Verdict> verdicts;
  addDead(evidence, verdicts);
  addMixed(evidence, verdicts);
  addStopped(evidence, waits, verdicts);
  addSilent(evidence, verdicts);
  addStalled(evidence, waits, verdicts);
  addFailure(evidence, verdicts);
  addDifference(evidence, verdicts);
  addLost(evidence, verdicts);
  addSlow(evidence, verdicts);
  addPauses(evidence, verdicts);
  for (Verdict& verdict : verdicts) {
    if (verdict.ranks.empty() && verdict.rank >= 0) verdict.ranks = {verdict.rank};
  }
  return verdicts;
}

}  // namespace shardlens
