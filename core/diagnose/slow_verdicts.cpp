// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/diagnose/evidence.h"
#include "core/diagnose/slow_words.h"
#include "core/diagnose/statistics.h"
#include "core/diagnose/verdict_words.h"
#include "core/diagnose/verdicts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace shardlens {
namespace {

/// "since step 220 of epoch 0"
std::string since(const std::string& place) {
  return filled(worded("verdicts", "since %1"), place);
}

/// "3.2 s after the start": a place of since() and fromTo() in a job without steps.
std::string afterStart(double seconds) {
  return filled(worded("verdicts", "%1 after the start"), words::duration(seconds));
}

/// Of collectives that are in none of the numbers, whatever the reason; empty for none.
std::string notCounted(std::int64_t left_out) {
  if (left_out == 0) return {};
  return left_out == 1 ? worded("verdicts", "1 more collective does not tell who is late.")
                       : filled(worded("verdicts", "%1 more collectives do not tell who is late."), grouped(left_out));
}

std::string comeLast(const words::WaitedFor& waited, const SlowRanks& slow) {
  const std::string last_in = grouped(slow.last_in);
  const std::string of = wordedCount(slow.collectives, "collective") + words::ofGroup(waited.group);
  const std::string behind = words::duration(slow.behind_ms / 1000);
  if (waited.ranks.size() == 1) {
    const std::string who = capitalRanks(waited.ranks);
    return filled(waited.is_now ? worded("verdicts", "%1 comes last in %2 of %3, %4 after the others (median).")
                                : worded("verdicts", "%1 came last in %2 of %3, %4 after the others (median)."),
                  who, last_in, of, behind);
  }
  const std::string who = listedRanks(waited.ranks);
  return filled(
      waited.is_now
          ? worded("verdicts", "One of %1 comes last in %2 of %3, and all of them %4 after the others (median).")
          : worded("verdicts", "One of %1 came last in %2 of %3, and all of them %4 after the others (median)."),
      who, last_in, of, behind);
}

std::string takesLonger(const Ranks& ranks, bool is_load, double own_ms, double others_ms) {
  const auto time = [](double ms, int figures) { return words::duration(ms / 1000, figures); };
  const int figures = time(own_ms, 2) == time(others_ms, 2) ? 3 : 2;
  const std::string own = time(own_ms, figures);
  const std::string others = time(others_ms, figures);
  if (ranks.size() == 1) {
    return is_load ? filled(worded("verdicts", "It spends %1 loading a batch, the others %2."), own, others)
                   : filled(worded("verdicts", "It spends %1 computing a step, the others %2."), own, others);
  }
  return is_load ? filled(worded("verdicts", "They spend %1 loading a batch, the others %2."), own, others)
                 : filled(worded("verdicts", "They spend %1 computing a step, the others %2."), own, others);
}

/// `uses_device`: operations on a device were seen.
std::string checkComputing(bool uses_device) {
  return worded("verdicts", "What its code does from a batch to the end of the backward pass counts as computing.") +
         " " +
         (uses_device
              ? worded("verdicts", "Look there, then check the GPU, the CPU load and the clock rate of its node.")
              : worded("verdicts", "Look there, then check the CPU load and the clock rate of its node."));
}

std::string waitedNowAndThen(const SometimesLate& late, const std::string& group, const std::string& place) {
  const std::string in = wordedCount(late.times, "collective");
  const std::string of = grouped(late.collectives) + words::ofGroup(group);
  const std::string first =
      place.empty() ? std::string() : filled(worded("verdicts", " (the first time in %1)"), place);
  return filled(worded("verdicts",
                       "In %1 out of %2, the others waited for %3, typically %4%5. That is %6 of the %7 that ranks "
                       "waited for each other."),
                in, of, listedRanks({late.rank}), words::duration(late.typical_ms / 1000), first,
                words::duration(late.lost_ms / 1000), words::duration(late.all_lost_ms / 1000));
}

std::string chanceText(double chance) {
  return chance < 1e-6 ? worded("verdicts", "less than one run in a million")
                       : filled(worded("verdicts", "one run in %1"), grouped(static_cast<std::int64_t>(1 / chance)));
}

/// `chance` is the probability that no rank is slow.
std::string waitedInTotal(double lost_s, const Ranks& ranks, double chance) {
  const std::string lost = words::inTotal(lost_s);
  return ranks.size() == 1
             ? filled(worded("verdicts", "%1 for it; chance alone does this in %2"), lost, chanceText(chance))
             : filled(worded("verdicts", "%1 for them; chance alone does this in %2"), lost, chanceText(chance));
}

/// Of single waits: the others of that rank are not in it.
std::string waitedThen(double lost_s) {
  return filled(worded("verdicts", "all ranks together waited %1 then"), words::duration(lost_s));
}

bool contains(const Ranks& ranks, std::int64_t rank) {
  return std::binary_search(ranks.begin(), ranks.end(), rank);
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

/// "in epoch 1", "since step 220 of epoch 0", "from step 0 to step 99 of epoch 0"; empty for the whole run.
std::string when(const Evidence& evidence, const TimeLost& lost, const SlowRanks& slow) {
  if (slow.is_whole_run) return {};
  if (!evidence.state.hasSteps()) {
    const auto at = [&](std::int64_t ns) { return afterStart(static_cast<double>(ns - evidence.begin_ns) / 1e9); };
    return slow.is_open ? since(at(slow.from_ns)) : words::fromTo(at(slow.from_ns), at(slow.to_ns));
  }
  const LostRow& first = lost.row(slow.rows.begin);
  const LostRow& last = lost.row(slow.rows.end - 1);
  const auto is_other = [&](const LostRow& row) { return row.last_epoch != first.epoch && row.epoch != first.epoch; };
  const bool is_first = slow.rows.begin == 0 || is_other(lost.row(slow.rows.begin - 1));
  const bool is_last = slow.is_open || is_other(lost.row(slow.rows.end));
  const bool is_epoch = first.epoch == last.last_epoch && is_first && is_last;
  const std::string begin = words::stepOf(first.step, first.epoch);
  const std::string end = words::stepOf(last.last_step, last.last_epoch);
  if (is_epoch) return words::inEpoch(first.epoch);
  if (slow.is_open) return since(begin);
  return first.epoch == last.last_epoch
             ? words::fromTo(filled(worded("verdicts", "step %1"), std::to_string(first.step)), end)
             : words::fromTo(begin, end);
}

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
  std::string next =
      worded("verdicts", "Compare its lane with another rank's, then check that rank's storage and node.");
};

/// What a slow rank does longer than the others of its group.
enum class Longer { Unknown, Load, Compute, Nothing };

/// Slow ranks with one cause.
struct SameCause {
  Longer longer = Longer::Unknown;
  Ranks ranks;
  std::vector<double> own_ms;  ///< of that phase
};

struct Phases {
  double load_ms = 0;
  double compute_ms = 0;
};

/// The medians of a rank's last steps; none where it told no phases.
std::optional<Phases> phasesOf(const RankTracker& tracker, std::size_t steps) {
  if (tracker.load_ms.size() + tracker.compute_ms.size() == 0) return std::nullopt;
  return Phases{tracker.load_ms.median(steps), tracker.compute_ms.median(steps)};
}

/// The phase that explains why a rank is so late.
Longer longerOf(const Phases& own, const Phases& others, double behind_ms) {
  const double more_load = own.load_ms - others.load_ms;
  const double more_compute = own.compute_ms - others.compute_ms;
  if (std::max(more_load, more_compute) < 0.3 * behind_ms) return Longer::Nothing;
  return more_load >= more_compute ? Longer::Load : Longer::Compute;
}

Cause causeOf(const SameCause& same, const Phases& others, bool uses_device) {
  if (same.longer == Longer::Unknown) return {};
  if (same.longer == Longer::Nothing && uses_device)
    return {
        worded("verdicts",
               "Why is not known: a rank that waits for the others on its device, as with NCCL, counts as computing, "
               "so the times of computing do not tell which rank works longer.")};
  if (same.longer == Longer::Nothing)
    return {
        same.ranks.size() == 1
            ? worded("verdicts",
                     "Neither its loading nor its computing takes that much longer: look at what it does in between.")
            : worded("verdicts",
                     "Neither their loading nor their computing takes that much longer: look at what they do in "
                     "between."),
        worded("verdicts",
               "Look at what it does after the backward pass: the optimizer, logging, checkpoints, validation.")};
  const bool is_load = same.longer == Longer::Load;
  return {takesLonger(same.ranks, is_load, median(same.own_ms), is_load ? others.load_ms : others.compute_ms),
          is_load ? worded("verdicts", "Check the storage and the data that it reads, or raise num_workers.")
                  : checkComputing(uses_device)};
}

/// Why ranks are late, and which of them for that.
struct CauseOfRanks {
  Ranks ranks;
  Cause cause;
};

/// What the slow ranks do longer than the others of the group while they are late, rank by rank: two that are late for
/// different reasons have nothing in common. Known of the last steps only.
std::vector<CauseOfRanks> causesOf(const Evidence& evidence, const TimeLost& lost, const SlowRanks& slow) {
  if (!slow.is_open) return {{slow.ranks, {}}};
  const std::size_t steps = stepsIn(lost, slow.rows);
  std::vector<double> load;
  std::vector<double> compute;
  for (const std::int64_t rank : *lost.members()) {
    const auto phases = contains(slow.ranks, rank) ? std::nullopt : phasesOf(evidence.tracker(rank), steps);
    if (!phases) continue;
    load.push_back(phases->load_ms);
    compute.push_back(phases->compute_ms);
  }
  if (load.empty()) return {{slow.ranks, {}}};
  const Phases others{median(load), median(compute)};
  std::vector<SameCause> same;
  for (const std::int64_t rank : slow.ranks) {
    const auto own = phasesOf(evidence.tracker(rank), steps);
    const Longer longer = own ? longerOf(*own, others, slow.behind_ms) : Longer::Unknown;
    auto known = std::ranges::find(same, longer, &SameCause::longer);
    if (known == same.end()) known = same.insert(same.end(), {longer, {}, {}});
    known->ranks.push_back(rank);
    known->own_ms.push_back(!own ? 0 : longer == Longer::Load ? own->load_ms : own->compute_ms);
  }
  std::vector<CauseOfRanks> causes;
  const bool uses_device =
      std::ranges::any_of(*lost.members(), [&](std::int64_t rank) { return evidence.tracker(rank).uses_device; });
  for (const SameCause& one : same) causes.push_back({one.ranks, causeOf(one, others, uses_device)});
  return causes;
}

/// When the others waited for a rank, and how long, each time or typically.
struct LateIn {
  Interval time;
  std::int64_t late_ns = 0;
};

/// A time without a record explains a wait that is about as long, and in which most of it lies. What is much longer is
/// as long on the ranks that wait, too.
bool explains(const Interval& quiet, const LateIn& late) {
  const std::int64_t length = quiet.to_ns - quiet.from_ns;
  const std::int64_t shared = std::min(quiet.to_ns, late.time.to_ns) - std::max(quiet.from_ns, late.time.from_ns);
  return 2 * shared >= length && 2 * length >= late.late_ns && length <= 2 * late.late_ns;
}

/// A line, how many samples found the rank at it, and for how much time they stand.
struct TimeAtLine {
  StackFrame place;
  std::int64_t there = 0;
  double there_ns = 0;
};

/// The line at which most samples found the rank in silences about as long as the wait, when it spent more than half of
/// its lateness there, whatever it did in the rest of them. Nothing otherwise, or where samples are few.
std::optional<SampledLine> lineIn(const RankTracker& tracker, const std::vector<LateIn>& waits) {
  constexpr std::int64_t kFewest = 3;
  constexpr double kLookNs = 250e6;  // from one sample to the next: LOOK_S of the probe
  std::int64_t samples = 0;
  double quiet_ns = 0;
  double late_ns = 0;
  double ordinary_ns = 0;  // at most, of what is not lateness
  std::vector<TimeAtLine> lines;
  for (const QuietTime& quiet : tracker.quiet()) {
    const auto wait = std::ranges::find_if(waits, [&](const LateIn& late) { return explains(quiet.time, late); });
    if (wait == waits.end()) continue;
    const auto length_ns = static_cast<double>(quiet.time.to_ns - quiet.time.from_ns);
    const double each_ns = length_ns / static_cast<double>(quiet.seen.samples);
    samples += quiet.seen.samples;
    quiet_ns += length_ns;
    late_ns += static_cast<double>(wait->late_ns);
    // The silence may have begun up to a look before it was noticed, and ended up to one after the last sample.
    ordinary_ns += std::max(0.0, length_ns + 2 * each_ns - static_cast<double>(wait->late_ns));
    const StackFrame& place = quiet.seen.place;
    auto known = std::ranges::find_if(
        lines, [&](const TimeAtLine& one) { return one.place.line == place.line && one.place.file == place.file; });
    if (known == lines.end()) known = lines.insert(lines.end(), {place, 0, 0});
    known->there += quiet.seen.there;
    known->there_ns += each_ns * static_cast<double>(quiet.seen.there);
  }
  const auto most = std::ranges::max_element(lines, {}, &TimeAtLine::there);
  if (samples < kFewest || 2 * kLookNs * static_cast<double>(samples) < quiet_ns) return std::nullopt;
  if (2 * most->there <= samples || most->there_ns - ordinary_ns <= late_ns / 2) return std::nullopt;
  return SampledLine{most->place, most->there, samples};
}

void addLine(const Evidence& evidence, const std::vector<LateIn>& waits, Verdict& verdict) {
  verdict.line = lineIn(evidence.tracker(verdict.rank), waits);
  if (!verdict.line) return;
  verdict.message += " " + words::foundAt(verdict.rank, *verdict.line);
  verdict.next = filled(worded("verdicts", "Look at %1, where rank %2 was."), words::lineText(verdict.line->place),
                        std::to_string(verdict.rank)) +
                 " " + verdict.next;
}

LateIn lateIn(const Pause& pause) {
  return {{pause.from_ns, pause.to_ns}, pause.to_ns - pause.from_ns};
}

std::int64_t nsOf(double ms) {
  return static_cast<std::int64_t>(1e6 * ms);
}

words::Gain gainOf(const SlowRanks& slow) {
  words::Gain gain{slow.owed.gain_ms / 1000, static_cast<double>(slow.to_ns - slow.from_ns) / 1e9, slow.share, {}};
  for (const double alone : slow.alone_ms) gain.alone_s.push_back(alone / 1000);
  return gain;
}

/// Of `cause.ranks`, which are all of the slow ones or those with this cause.
words::VerdictWords slowWords(const Evidence& evidence, const TimeLost& lost, const std::string& group,
                              const SlowRanks& slow, const CauseOfRanks& cause) {
  const words::WaitedFor waited = words::WaitedFor{slow.ranks,
                                                   group,
                                                   hostOf(evidence.state, slow.ranks),
                                                   when(evidence, lost, slow),
                                                   slow.is_whole_run || slow.is_open,
                                                   2 * slow.ranks.size() > lost.memberCount()};
  words::WaitedFor named = waited;
  named.ranks = cause.ranks;
  named.is_majority = waited.is_majority && cause.ranks == slow.ranks;
  std::vector<std::string> sentences = {
      comeLast(waited, slow), notCounted(slow.left_out),
      cause.ranks.size() < slow.ranks.size()
          ? filled(worded("verdicts", "They are late for different reasons; this is that of %1."),
                   listedRanks(cause.ranks))
          : "",
      cause.cause.text, words::fixingSaves(slow.ranks, gainOf(slow))};
  std::erase(sentences, std::string());
  const bool is_shared = cause.ranks.size() > 1 && cause.ranks == slow.ranks;
  return {words::everyoneWaits(named), join(sentences, " ") + words::crowding(evidence.state),
          waitedInTotal(slow.owed.lost_ms / 1000, slow.ranks, 1 - slow.confidence),
          !waited.host.empty() ? worded("verdicts", "Check that node: all of its ranks are late, and no others.")
          : is_shared ? worded("verdicts", "Look for what only these ranks share: storage, a switch, long samples.")
                      : cause.cause.next};
}

/// One for each cause; one for all ranks of a host that no others are on.
std::vector<Verdict> slowVerdicts(const Evidence& evidence, std::uint32_t group_id, const SlowRanks& slow) {
  const TimeLost& lost = evidence.collectives.timeLost().at(group_id);
  std::vector<CauseOfRanks> causes = causesOf(evidence, lost, slow);
  if (!hostOf(evidence.state, slow.ranks).empty() && causes.size() > 1) causes = {{slow.ranks, {}}};
  std::vector<Verdict> verdicts;
  for (const CauseOfRanks& cause : causes) {
    const bool is_all = cause.ranks == slow.ranks;
    Verdict& verdict =
        verdicts.emplace_back(verdictOf(VerdictKind::Straggler, is_all ? slow.worst : cause.ranks.front(),
                                        slowWords(evidence, lost, evidence.groups.text(group_id), slow, cause)));
    verdict.cost = slow.share;
    verdict.ranks = cause.ranks;
    verdict.from_ns = slow.from_ns - evidence.begin_ns;
    verdict.to_ns = slow.to_ns - evidence.begin_ns;
    verdict.lost_s = slow.owed.lost_ms / 1000;
    verdict.gain_s = slow.owed.gain_ms / 1000;
    for (std::size_t i = 0; i < slow.ranks.size(); ++i) {
      if (contains(cause.ranks, slow.ranks[i])) verdict.gain_alone_s.push_back(slow.alone_ms[i] / 1000);
    }
    if (!is_all && verdict.gain_alone_s.size() == 1) {
      verdict.gain_s = verdict.gain_alone_s.front();
      verdict.cost *= 1000 * verdict.gain_s / slow.owed.gain_ms;
    }
    verdict.confidence = slow.confidence;
    if (verdict.ranks.size() == 1) addLine(evidence, {{{slow.from_ns, slow.to_ns}, nsOf(slow.behind_ms)}}, verdict);
  }
  return verdicts;
}

/// What the rank does longer than the others over the whole run, when that explains half of what it owes.
Cause causeOf(const Evidence& evidence, const TimeLost& lost, const SometimesLate& late) {
  std::vector<double> load;
  std::vector<double> compute;
  for (const std::int64_t rank : *lost.members()) {
    if (rank == late.rank) continue;
    load.push_back(static_cast<double>(evidence.rank(rank).load_ns) / 1e6);
    compute.push_back(static_cast<double>(evidence.rank(rank).compute_ns) / 1e6);
  }
  const RankState& own = evidence.rank(late.rank);
  const double own_load = static_cast<double>(own.load_ns) / 1e6;
  const double own_compute = static_cast<double>(own.compute_ns) / 1e6;
  const double more_load = own_load - median(load);
  const double more_compute = own_compute - median(compute);
  if (std::max(more_load, more_compute) < late.gain_ms / 2) return {};
  const bool is_load = more_load >= more_compute;
  const std::string own_time = words::duration((is_load ? own_load : own_compute) / 1000);
  const std::string others_time = words::duration(median(is_load ? load : compute) / 1000);
  return {
      filled(is_load ? worded("verdicts", "In all, it spent %1 loading, the others typically %2.")
                     : worded("verdicts", "In all, it spent %1 computing, the others typically %2."),
             own_time, others_time),
      is_load
          ? worded(
                "verdicts",
                "Look for what makes some of its batches slow to read: one loader worker, large samples, a cold cache.")
          : checkComputing(evidence.tracker(late.rank).uses_device)};
}

Verdict sometimesVerdict(const Evidence& evidence, std::uint32_t group_id, const SometimesLate& late) {
  const TimeLost& lost = evidence.collectives.timeLost().at(group_id);
  const std::string group = evidence.groups.text(group_id);
  const std::string place = evidence.state.hasSteps() ? words::stepOf(late.step, late.epoch) : std::string();
  const Cause cause = causeOf(evidence, lost, late);
  const words::Gain gain{late.gain_ms / 1000, lost.milliseconds(lost.all()) / 1000, late.share, {late.gain_ms / 1000}};
  std::vector<std::string> sentences = {waitedNowAndThen(late, group, place), notCounted(late.left_out), cause.text,
                                        words::fixingSaves({late.rank}, gain)};
  std::erase(sentences, std::string());
  Verdict verdict = verdictOf(
      VerdictKind::Straggler, late.rank,
      {group.empty()
           ? filled(worded("verdicts", "The others wait for %1 now and then"), listedRanks({late.rank}))
           : filled(worded("verdicts", "The others wait for %1 now and then, in %2"), listedRanks({late.rank}), group),
       join(sentences, " ") + words::crowding(evidence.state),
       waitedInTotal(late.lost_ms / 1000, {late.rank}, late.chance), cause.next});
  verdict.cost = late.share;
  verdict.ranks = {late.rank};
  verdict.from_ns = late.from_ns - evidence.begin_ns;
  verdict.to_ns = late.to_ns - evidence.begin_ns;
  verdict.lost_s = late.lost_ms / 1000;
  verdict.gain_s = late.gain_ms / 1000;
  verdict.gain_alone_s = {verdict.gain_s};
  verdict.confidence = 1 - late.chance;
  addLine(evidence, {{{late.from_ns, late.to_ns}, nsOf(late.typical_ms)}}, verdict);
  return verdict;
}

Verdict wanderingVerdict(const Evidence& evidence, std::uint32_t group_id, const Wandering& wandering) {
  const words::Turns turns{
      wandering.collectives,          wandering.spread_ms,     wandering.share, wandering.most_last,
      wandering.best_alone_ms / 1000, wandering.lost_ms / 1000};
  Verdict verdict = verdictOf(VerdictKind::Wandering, -1, words::takeTurns(evidence.groups.text(group_id), turns));
  if (wandering.left_out > 0) verdict.message += " " + notCounted(wandering.left_out);
  verdict.message += words::crowding(evidence.state);
  verdict.cost = wandering.share;
  verdict.from_ns = wandering.from_ns - evidence.begin_ns;
  verdict.to_ns = wandering.to_ns - evidence.begin_ns;
  verdict.lost_s = wandering.lost_ms / 1000;
  return verdict;
}

bool overlaps(const StandStill& stop, std::int64_t from_ns, std::int64_t to_ns) {
  return stop.from_ns < to_ns && from_ns < stop.to_ns;
}

double lengthOf(const Pause& pause) {
  return static_cast<double>(pause.to_ns - pause.from_ns) / 1e9;
}

/// Ranks did more after this moment than to end what they were in, and the job did not end at once.
bool wentOn(const Evidence& evidence, std::int64_t after_ns) {
  constexpr std::int64_t kEndNs = 1'000'000'000;
  const bool is_soon_over = !isUnderWay(evidence.state.status) && evidence.went_on_ns - after_ns <= kEndNs;
  return evidence.went_on_ns >= after_ns && !is_soon_over;
}

bool isInStep(const Evidence& evidence, const Pause& pause) {
  return evidence.state.hasSteps() && !pause.after_steps;
}

words::VerdictWords pausedWords(const Evidence& evidence, const Pause& pause) {
  const bool was_stopped = std::ranges::any_of(evidence.stops, [&](const StandStill& stop) {
    return stop.rank == pause.rank && overlaps(stop, pause.from_ns, pause.to_ns);
  });
  const std::string place = isInStep(evidence, pause) ? words::stepOf(pause.step, pause.epoch) : std::string();
  const std::string after = words::duration(static_cast<double>(pause.from_ns - evidence.begin_ns) / 1e9);
  const std::string who = listedRanks({pause.rank});
  const std::string time = words::duration(lengthOf(pause));
  const std::string why = was_stopped                     ? " " + worded("verdicts", "A signal had stopped it.")
                          : wentOn(evidence, pause.to_ns) ? " " + worded("verdicts", "Then the job continued.")
                                                          : std::string();
  return {filled(worded("verdicts", "The others waited %1 for %2"), time, who),
          (place.empty()
               ? filled(worded("verdicts", "%1 after the start, the others began to wait %2 for %3."), after, time, who)
               : filled(worded("verdicts", "In %1, %2 after the start, the others waited %3 for %4."), place, after,
                        time, who)) +
              why,
          waitedThen(pause.lost_ms / 1000), worded("verdicts", "Seek to that moment and look at its lane.")};
}

/// One or several pauses of one rank, in the order of time.
Verdict pausesVerdict(const Evidence& evidence, const std::vector<const Pause*>& pauses) {
  const Pause& first = *pauses.front();
  std::vector<std::string> places;
  std::vector<LateIn> waits;
  double lost_s = 0;
  double seconds = 0;
  for (const Pause* pause : pauses) {
    const double after = static_cast<double>(pause->from_ns - evidence.begin_ns) / 1e9;
    const std::string place = isInStep(evidence, *pause) ? words::inStep(pause->step, pause->epoch) : afterStart(after);
    places.push_back(filled(worded("verdicts", "%1 %2"), words::duration(lengthOf(*pause)), place));
    waits.push_back(lateIn(*pause));
    seconds += lengthOf(*pause);
    lost_s += pause->lost_ms / 1000;
  }
  const std::string who = listedRanks({first.rank});
  Verdict verdict =
      verdictOf(VerdictKind::Paused, first.rank,
                pauses.size() == 1
                    ? pausedWords(evidence, first)
                    : words::VerdictWords{
                          filled(worded("verdicts", "%1 waits for %2 stand out, %3 in all"),
                                 std::to_string(pauses.size()), who, words::duration(seconds)),
                          filled(worded("verdicts", "The waits for %1 that stand out: %2."), who, join(places, ", ")),
                          waitedThen(lost_s), worded("verdicts", "Seek to these moments and look at its lane.")});
  verdict.from_ns = first.from_ns - evidence.begin_ns;
  verdict.to_ns = pauses.back()->to_ns - evidence.begin_ns;
  verdict.lost_s = lost_s;
  verdict.gain_s = seconds;
  verdict.gain_alone_s = {seconds};
  addLine(evidence, waits, verdict);
  return verdict;
}

Verdict startVerdict(const Evidence& evidence, const Pause& pause) {
  const std::string who = listedRanks({pause.rank});
  const std::string time = words::duration(lengthOf(pause));
  Verdict verdict = verdictOf(
      VerdictKind::Paused, pause.rank,
      {filled(worded("verdicts", "The others waited %1 for %2 to start"), time, who),
       filled(worded("verdicts",
                     "%1 after the start, the others began to wait for %2, which had not begun to load its first "
                     "batch. It came %3 later."),
              words::duration(static_cast<double>(pause.from_ns - evidence.begin_ns) / 1e9), who, time),
       waitedThen(pause.lost_ms / 1000),
       worded("verdicts",
              "Ranks take different times to start. If it is always this one, look at what it does before its first "
              "batch.")});
  verdict.from_ns = pause.from_ns - evidence.begin_ns;
  verdict.to_ns = pause.to_ns - evidence.begin_ns;
  verdict.lost_s = pause.lost_ms / 1000;
  verdict.gain_s = lengthOf(pause);
  verdict.gain_alone_s = {verdict.gain_s};
  addLine(evidence, {lateIn(pause)}, verdict);
  return verdict;
}

words::VerdictWords stillWords(const Evidence& evidence, const StandStill& stop) {
  const auto at = [&](std::int64_t ns) { return words::duration(static_cast<double>(ns - evidence.begin_ns) / 1e9); };
  const std::string time = words::duration(static_cast<double>(stop.to_ns - stop.from_ns) / 1e9);
  if (stop.rank >= 0) {
    // What wakes a stopped process up may be its end: only what it says after that shows that it was resumed.
    const bool is_resumed = evidence.tracker(stop.rank).heardNs() > stop.from_ns;
    return {filled(worded("verdicts", "%1 was stopped for %2"), capitalRanks({stop.rank}), time),
            filled(is_resumed
                       ? worded("verdicts", "A signal stopped it %1 after the start, and another one resumed it.")
                       : worded("verdicts", "A signal stopped it %1 after the start; it reported nothing after that."),
                   at(stop.from_ns)),
            worded("verdicts", "process state T"),
            {}};
  }
  const std::string evidence_text = worded("verdicts", "the times of the records");
  const std::string next = worded("verdicts", "Seek to that moment: the lanes show what each rank was doing.");
  if (stop.from_ns <= evidence.begin_ns)
    return {filled(worded("verdicts", "No rank reported in the first %1"), time),
            filled(worded("verdicts", "The first record came %1 after the launch."), time), evidence_text, next};
  return {filled(worded("verdicts", "No rank made progress for %1"), time),
          filled(wentOn(evidence, stop.to_ns)
                     ? worded("verdicts",
                              "No rank reported anything from %1 to %2 after the start; then the job continued.")
                     : worded("verdicts", "No rank reported anything from %1 to %2 after the start."),
                 at(stop.from_ns), at(stop.to_ns)),
          evidence_text, next};
}

Verdict stillVerdict(const Evidence& evidence, const StandStill& stop) {
  Verdict verdict = verdictOf(VerdictKind::Paused, stop.rank, stillWords(evidence, stop));
  verdict.from_ns = stop.from_ns - evidence.begin_ns;
  verdict.to_ns = stop.to_ns - evidence.begin_ns;
  return verdict;
}

constexpr double kStarvedShare = 0.6;  ///< of what each rank's phases and operations took
/// Of all its time: what a rank waits for outside of these, as for a GPU after the backward pass, is not measured.
constexpr double kStarvedShareOfAll = 0.5;
constexpr double kLeastStarvedS = 2;
constexpr std::int64_t kFewestSteps = 20;
constexpr double kMessagesShare = 0.2;  ///< of the time of all ranks
constexpr double kLeastMessagesS = 1;

double seconds(std::int64_t ns) {
  return static_cast<double>(ns) / 1e9;
}

/// What the rank does beside loading, as far as it is measured.
double otherSeconds(const RankState& rank) {
  return seconds(rank.compute_ns + rank.wait_ns + rank.transfer_ns);
}

bool isStarved(const RankState& rank, const RankTracker& tracker) {
  const double load = seconds(rank.load_ns);
  return rank.is_measured && rank.steps_done >= kFewestSteps && load >= kLeastStarvedS &&
         load >= kStarvedShare * (load + otherSeconds(rank)) &&
         load >= kStarvedShareOfAll * seconds(tracker.heardNs() - tracker.started_ns);
}

void addStarved(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  const auto& ranks = evidence.state.ranks;
  const auto is_starved = [&](const RankState& rank) { return isStarved(rank, evidence.tracker(rank.rank)); };
  if (ranks.empty() || !std::ranges::all_of(ranks, is_starved)) return;
  std::vector<double> load;
  std::vector<double> measured;
  double least = seconds(ranks.front().load_ns);
  for (const RankState& rank : ranks) {
    load.push_back(seconds(rank.load_ns));
    measured.push_back(load.back() + otherSeconds(rank));
    least = std::min(least, load.back());
  }
  const double load_s = median(load);
  const double measured_s = median(measured);
  const double rest_s = std::max(measured_s - load_s, load_s / 1000);
  const std::string sum = filled(ranks.size() == 1 ? worded("verdicts", "The rank waited %1 of %2 for batches")
                                                   : worded("verdicts", "The typical rank waited %1 of %2 for batches"),
                                 words::duration(load_s), words::duration(measured_s));
  Verdict verdict = verdictOf(
      VerdictKind::Starved, -1,
      {ranks.size() == 1 ? worded("verdicts", "The rank waits for its data")
                         : worded("verdicts", "All ranks wait for their data"),
       filled(worded("verdicts", "%1. The rest is computing and communicating; other work is not measured."), sum),
       worded("verdicts", "the times between asking a loader for a batch and having it"),
       filled(worded("verdicts",
                     "Raise num_workers while there are cores, or make samples cheaper to read. To keep up with the "
                     "rest, batches would have to come at most %1 times as fast."),
              words::number((load_s + rest_s) / rest_s, "%.0f"))});
  verdict.cost = load_s / measured_s;
  for (const double one : load) verdict.lost_s += one;
  verdict.gain_s = least;
  verdicts.push_back(std::move(verdict));
}

/// What ranks waited in collectives of which all members came: the verdicts of slow ranks speak of that.
double waitedInCollectives(const Evidence& evidence) {
  double ms = 0;
  for (const auto& [group, judgement] : evidence.judgements) ms += judgement.waited_ms;
  return ms / 1000;
}

bool saysWhoIsWaitedFor(const Verdict& verdict) {
  return verdict.kind == VerdictKind::Straggler || verdict.kind == VerdictKind::Wandering ||
         verdict.kind == VerdictKind::Paused || verdict.kind == VerdictKind::Stalled ||
         verdict.kind == VerdictKind::Mismatch || verdict.kind == VerdictKind::Dead;
}

void addMessages(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  if (evidence.is_stop_told || std::ranges::any_of(verdicts, saysWhoIsWaitedFor)) return;
  std::vector<const RankState*> ranks;
  double waited = 0;
  for (const RankState& rank : evidence.state.ranks) {
    if (rank.is_measured) ranks.push_back(&rank);
    waited += seconds(rank.wait_ns);
  }
  if (ranks.size() < 2) return;
  waited -= waitedInCollectives(evidence);
  const double time = seconds(evidence.state.elapsed_ns) * static_cast<double>(ranks.size());
  if (waited < std::max(kLeastMessagesS, kMessagesShare * time)) return;
  const auto waits_less = [](const RankState* a, const RankState* b) { return a->wait_ns < b->wait_ns; };
  const RankState& least = **std::ranges::min_element(ranks, waits_less);
  const RankState& most = **std::ranges::max_element(ranks, waits_less);
  Verdict verdict = verdictOf(
      VerdictKind::Wandering, -1,
      {worded("verdicts", "Ranks wait for each other; which one is late is unknown"),
       filled(worded("verdicts",
                     "Ranks waited %1 in sends, receives and other operations that do not tell who is late: %2 of the "
                     "time of all ranks. Rank %3 waited longest (%4), rank %5 shortest (%6)."),
              words::duration(waited), words::percent(waited / time), std::to_string(most.rank),
              words::duration(seconds(most.wait_ns)), std::to_string(least.rank),
              words::duration(seconds(least.wait_ns))),
       words::inTotal(waited),
       filled(worded("verdicts",
                     "Begin with rank %1: the rank that waits least may be the one that the others wait for. Compare "
                     "its lane with theirs."),
              std::to_string(least.rank))});
  verdict.cost = waited / time;
  verdict.lost_s = waited;
  verdicts.push_back(std::move(verdict));
}

/// The longest wait for a rank that was still starting, when it was long: ranks take different times to start.
void addStart(const Evidence& evidence, const std::vector<const Pause*>& starts, std::vector<Verdict>& verdicts) {
  constexpr double kLongS = 2;
  const auto shorter = [](const Pause* a, const Pause* b) { return lengthOf(*a) < lengthOf(*b); };
  const auto longest = std::ranges::max_element(starts, shorter);
  if (longest != starts.end() && lengthOf(**longest) >= kLongS) verdicts.push_back(startVerdict(evidence, **longest));
}

/// Another verdict says what kept the ranks from going on until the job ended.
bool isEndTold(const Evidence& evidence, const std::vector<Verdict>& verdicts) {
  return evidence.is_stop_told || std::ranges::any_of(verdicts, [](const Verdict& verdict) {
           return verdict.kind == VerdictKind::Stalled || verdict.kind == VerdictKind::Mismatch ||
                  verdict.kind == VerdictKind::Dead;
         });
}

}  // namespace

void addSlow(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  std::vector<Verdict> found;
  for (const auto& [group, judgement] : evidence.judgements) {
    for (const SlowRanks& slow : judgement.slow) {
      for (Verdict& verdict : slowVerdicts(evidence, group, slow)) found.push_back(std::move(verdict));
    }
    if (judgement.sometimes) found.push_back(sometimesVerdict(evidence, group, *judgement.sometimes));
  }
  const auto gains_more = [](const Verdict& a, const Verdict& b) { return a.gain_s > b.gain_s; };
  std::ranges::stable_sort(found, gains_more);
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
  const bool have_phases = std::ranges::any_of(evidence.trackers, [](const auto& one) { return one.started_ns >= 0; });
  std::vector<const Pause*> pauses;
  std::vector<const Pause*> starts;
  for (const auto& [group, judgement] : evidence.judgements) {
    for (const Pause& pause : judgement.pauses) {
      const bool is_told = judgement.sometimes && judgement.sometimes->rank == pause.rank;
      if (!is_told) (have_phases && pause.is_start ? starts : pauses).push_back(&pause);
    }
    if (judgement.at_start) starts.push_back(&*judgement.at_start);
  }
  std::map<std::int64_t, std::vector<const Pause*>> of_rank;
  for (const Pause* pause : pauses) of_rank[pause->rank].push_back(pause);
  for (const auto& [rank, own] : of_rank) verdicts.push_back(pausesVerdict(evidence, own));
  addStart(evidence, starts, verdicts);
  pauses.insert(pauses.end(), starts.begin(), starts.end());
  for (const StandStill& stop : evidence.stops) {
    const bool is_told = std::ranges::any_of(pauses, [&](const Pause* pause) {
      return (stop.rank < 0 || stop.rank == pause->rank) && overlaps(stop, pause->from_ns, pause->to_ns);
    });
    const bool is_start = stop.rank < 0 && stop.from_ns <= evidence.begin_ns;
    if (stop.rank < 0 && !wentOn(evidence, stop.to_ns) && isEndTold(evidence, verdicts)) continue;
    if (is_told || (is_start && stop.to_ns - stop.from_ns < kLongStartNs)) continue;
    verdicts.push_back(stillVerdict(evidence, stop));
  }
}

void addTimeSpent(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  addStarved(evidence, verdicts);
  addMessages(evidence, verdicts);
}

}  // namespace shardlens
