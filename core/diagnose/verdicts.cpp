// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/verdicts.h"

#include "core/base/exit_code.h"
#include "core/diagnose/slow_verdicts.h"
#include "core/diagnose/verdict_words.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace shardlens {
namespace {

// --- dead -----------------------------------------------------------------------------------------------------------

Verdict verdictOf(VerdictKind kind, std::int64_t rank, words::VerdictWords words, double weight) {
  return {
      kind,  rank, std::move(words.title), std::move(words.message), std::move(words.evidence), std::move(words.next),
      weight};
}

Verdict deadVerdict(const Evidence& evidence, std::int64_t rank) {
  const Ending& ending = evidence.deaths.of(rank);
  Ranks others;
  for (const RankState& other : evidence.state.ranks) {
    if (evidence.deaths.of(other.rank).how == RankEnd::SentAway) others.push_back(other.rank);
  }
  const double into_the_run_s = static_cast<double>(ending.time_ns - evidence.begin_ns) / 1e9;
  return verdictOf(VerdictKind::Dead, rank,
                   words::rankDied(evidence.rank(rank), ending, words::doing(evidence, rank), others, into_the_run_s),
                   1);
}

/// A rank that was never measured, and of which only the launcher says that it failed.
void addUnmeasured(const Evidence& evidence, std::int64_t rank, std::vector<Verdict>& verdicts) {
  const RunState& state = evidence.state;
  if (state.exit_code == kUsage || state.exit_code == kEnvironment) return;  // it refused the job: see addFailure
  // The sentence of the whole job is about the rank that failed first.
  const std::string failure = verdicts.empty() ? state.failure : std::string();
  verdicts.push_back(verdictOf(VerdictKind::Dead, rank, words::rankFailed(rank, evidence.deaths.of(rank), failure), 1));
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
    const std::string doing = words::doing(evidence, rank.rank);
    verdicts.push_back(
        verdictOf(VerdictKind::Dead, rank.rank, words::rankGaveUp(rank.rank, ending.exit_code, doing), 1));
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

/// "all_reduce #3 and barrier #1"
std::string bothNames(const Evidence& evidence, const Mixed& mixed) {
  return words::collectiveName(evidence, *mixed.one) + " and " + words::collectiveName(evidence, *mixed.other);
}

Verdict mixedVerdict(const Evidence& evidence, const Mixed& mixed) {
  const Ranks& fewest = mixed.only_other.size() < mixed.only_one.size() ? mixed.only_other : mixed.only_one;
  const words::RanksIn one{mixed.only_one, operationName(mixed.one->key.op)};
  const words::RanksIn other{mixed.only_other, operationName(mixed.other->key.op)};
  return verdictOf(
      VerdictKind::Mismatch, fewest.front(),
      words::differentCollectives(evidence.groups.text(mixed.group), one, other, bothNames(evidence, mixed)), 1);
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
  if (out.empty()) return verdicts.push_back(mixedVerdict(evidence, *mixed));
  Verdict verdict = verdictOf(VerdictKind::Mismatch, out.front(),
                              words::ranOut(evidence.tracker(out.front()), out, waiting, operationName(other.key.op),
                                            bothNames(evidence, *mixed)),
                              1);
  verdict.ranks = out;
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
  verdicts.push_back(verdictOf(VerdictKind::Mismatch, first->rank,
                               words::otherThanPlanned(batches, ranks, {first->rank, first->epoch, first->step}), 0));
}

// --- stalled --------------------------------------------------------------------------------------------------------

/// " Ranks 0 and 2 wait for it in all_reduce.", said of the culprits; empty when no rank waits for them.
std::string waiters(const Evidence& evidence, const Waits& waits, const Ranks& culprits) {
  const Ranks waiting = waitersFor(evidence, waits, culprits);
  if (waiting.empty()) return {};
  const std::string operation = operationText(evidence.rank(waiting.front()));
  const bool alike = std::all_of(waiting.begin(), waiting.end(),
                                 [&](std::int64_t rank) { return operationText(evidence.rank(rank)) == operation; });
  return words::waitFor(waiting, culprits, alike ? std::optional(operation) : std::nullopt);
}

void addStopped(const Evidence& evidence, const Waits& waits, std::vector<Verdict>& verdicts) {
  for (const RankState& rank : evidence.state.ranks) {
    if (rank.status != RankStatus::Stopped) continue;
    const double for_s = static_cast<double>(evidence.state.elapsed_ns - rank.since_ns) / 1e9;
    verdicts.push_back(verdictOf(
        VerdictKind::Stalled, rank.rank,
        words::stopped(rank, words::doing(evidence, rank.rank), waiters(evidence, waits, {rank.rank}), for_s), 1));
  }
}

Verdict stalledVerdict(const Evidence& evidence, const Waits& waits, const Ranks& culprits, const std::string& time) {
  const RankState& first = evidence.rank(culprits.front());
  Verdict verdict = verdictOf(VerdictKind::Stalled, culprits.front(),
                              words::noProgress(culprits, first, waiters(evidence, waits, culprits), time), 1);
  verdict.ranks = culprits;
  return verdict;
}

Verdict circleVerdict(const Evidence& evidence, const Ranks& circle, const std::string& time) {
  constexpr std::size_t kMostNamed = 4;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min(circle.size(), kMostNamed); ++i)
    parts.push_back(words::ranks({circle[i]}) + " " + words::doing(evidence, circle[i]));
  return verdictOf(VerdictKind::Mismatch, circle.front(),
                   words::circle(circle, parts, circle.size() > kMostNamed, time), 1);
}

/// They will never come: they have said good-bye.
Verdict doneVerdict(const Waits& waits, const std::string& waiting, const std::string& time) {
  return verdictOf(VerdictKind::Mismatch, waits.done.front(), words::doneWhileOthersWait(waits.done, waiting, time), 1);
}

Verdict stuckVerdict(const Evidence& evidence, const Waits& waits, const std::string& time) {
  const RankState& first = evidence.rank(waits.blocked.front());
  return verdictOf(VerdictKind::Stalled, -1, words::stuckInside(*first.operation, operationText(first), time), 1);
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
  const std::string time = words::seconds(static_cast<double>(evidence.now_ns - evidence.begin_ns) / 1e9);
  verdicts.push_back(verdictOf(VerdictKind::Stalled, -1, words::neverReported(time), 1));
}

void addStalled(const Evidence& evidence, const Waits& waits, std::vector<Verdict>& verdicts) {
  if (!verdicts.empty() || !isStandingStill(evidence)) return;
  const std::string time = words::seconds(static_cast<double>(evidence.now_ns - evidence.last_progress_ns) / 1e9);
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
  verdicts.push_back(heard || state.exit_code == kJobFailed
                         ? verdictOf(VerdictKind::Dead, -1, words::jobFailed(state.failure), 1)
                         : verdictOf(VerdictKind::LaunchFailed, -1, words::jobNotStarted(state.failure), 1));
}

/// A number that misses something must not look whole.
void addGaps(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  Ranks ranks;
  for (const RankState& rank : evidence.state.ranks) {
    if (rank.has_gaps && rank.dropped == 0) ranks.push_back(rank.rank);  // addLost() tells what was dropped
  }
  if (ranks.empty()) return;
  const bool is_cut = std::any_of(evidence.trackers.begin(), evidence.trackers.end(),
                                  [](const RankTracker& tracker) { return tracker.isSlotAhead(); });
  const words::Missing how = evidence.state.unread.damaged_places > 0 ? words::Missing::Damaged
                             : is_cut && !evidence.lost.empty()       ? words::Missing::Cut
                                                                      : words::Missing::LeftOut;
  verdicts.push_back(verdictOf(VerdictKind::Lost, -1, words::recordsMissing(ranks, how), 0));
}

void addLost(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  const auto add = [&verdicts](words::VerdictWords words) {
    verdicts.push_back(verdictOf(VerdictKind::Lost, -1, std::move(words), 0));
  };
  if (!evidence.lost.empty()) add(words::recordingWithoutEnd(evidence.lost));
  if (evidence.state.dropped > 0) add(words::recordsNotKept(evidence.state.dropped));
  if (const std::int64_t unknown = evidence.groups.unknown(); unknown > 0) add(words::groupsUnknown(unknown));
  if (!evidence.state.clock_error_us && evidence.state.world_size > 0) add(words::clocksUnknown());
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
  addGaps(evidence, verdicts);
  for (Verdict& verdict : verdicts) {
    if (verdict.ranks.empty() && verdict.rank >= 0) verdict.ranks = {verdict.rank};
  }
  return verdicts;
}

}  // namespace shardlens
