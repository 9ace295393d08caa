// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/run/text.h"

#include "core/base/text.h"
#include "core/capture/capture.h"
#include "core/collect/job_proof.h"
#include "core/diagnose/proof.h"
#include "core/diagnose/run_state.h"
#include "core/diagnose/verdict_words.h"
#include "core/launch/launchers/launcher.h"
#include "ui/scene/number_text.h"
#include "ui/scene/run/recorded_text.h"
#include "ui/scene/run/stalls.h"
#include "ui/state/phrase.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

namespace shardlens::ui {
namespace {

constexpr double kNsPerSecond = 1e9;

qint64 countWith(const RunState& state, RankStatus status) {
  return std::count_if(state.ranks.begin(), state.ranks.end(),
                       [status](const RankState& rank) { return rank.status == status; });
}

template <class Member>
std::int64_t sumOf(const RunState& state, Member member) {
  return std::accumulate(state.ranks.begin(), state.ranks.end(), std::int64_t{0},
                         [member](std::int64_t sum, const RankState& rank) { return sum + rank.*member; });
}

/// The rank that everybody's progress is measured by: the one with the fewest steps.
const RankState* slowest(const RunState& state) {
  const auto found = std::min_element(state.ranks.begin(), state.ranks.end(),
                                      [](const auto& a, const auto& b) { return a.steps_done < b.steps_done; });
  return found == state.ranks.end() ? nullptr : &*found;
}

double worstMedian(const RunState& state) {
  double worst = 0;
  for (const auto& arrival : state.arrivals) worst = std::max(worst, arrival.median_ms);
  return worst;
}

Tone toneOfVerdict(Gravity gravity) {
  switch (gravity) {
    case Gravity::Note:
      return Tone::Note;
    case Gravity::Warning:
      return Tone::Warning;
    case Gravity::Error:
      break;
  }
  return Tone::Error;
}

QString spentText(double seconds) {
  return durationText(std::llround(seconds * kNsPerSecond));
}

/// A share stands only beside the time that it is a share of. Of ranks that wait for their data, `cost` is not what of
/// the job's time would be gained.
QString costText(const Verdict& verdict, const QString& gain) {
  if (verdict.kind == VerdictKind::Straggler && verdict.cost > 0)
    return phrase("run", "fixing it saves %1 of %2 (%3\u202f%)")
        .arg(gain, spentText(verdict.gain_s / verdict.cost), QString::number(qRound(verdict.cost * 100)));
  return verdict.cost > 0 ? phrase("run", "fixing it saves up to %1").arg(gain)
                          : phrase("run", "delayed the job by %1").arg(gain);
}

RunHeadline verdictHeadline(const Verdict& verdict) {
  RunHeadline line;
  line.tone = toneOfVerdict(gravityOf(verdict.kind));
  line.title = text(verdict.title);
  line.message = text(recordedText({LogLine::kOwn, false, verdict.message}).toStdString());
  line.next = text(verdict.next);
  line.rank = verdict.rank;
  line.says_title_first = verdict.says_title_first;
  if (verdict.gain_s > 0) {
    line.gain = spentText(verdict.gain_s);
    line.cost = costText(verdict, line.gain);
  }
  return line;
}

QString sentence(std::initializer_list<QString> parts) {
  QStringList said;
  for (const QString& part : parts) {
    if (!part.isEmpty()) said += part;
  }
  return text(said.join(' ').toStdString());
}

/// The part of their measured time, or of all their time where they tell no steps, that all ranks together spend
/// waiting for each other.
double waitingShare(const RunState& state) {
  const auto waiting = static_cast<double>(sumOf(state, &RankState::wait_ns));
  const auto whole = static_cast<double>(state.elapsed_ns) * static_cast<double>(state.ranks.size());
  if (!state.hasSteps()) return whole > 0 ? waiting / whole : 0;  // what they do between operations is not told
  const auto rest =
      sumOf(state, &RankState::load_ns) + sumOf(state, &RankState::compute_ns) + sumOf(state, &RankState::transfer_ns);
  return waiting > 0 ? waiting / (waiting + static_cast<double>(rest)) : 0;
}

/// That no rank is slow enough to name it does not mean that none waits.
RunHeadline togetherHeadline(const RunState& state) {
  constexpr double kTogether = 0.05;
  const bool has_met = !state.arrivals.empty() && state.arrivals.front().collectives > 0;
  if (!has_met) {
    return {Tone::Note,
            phrase("run", "The job is running"),
            sentence({phrase("run", "No collective has completed yet."), crowdingText(state)}),
            {},
            {},
            -1};
  }
  const double share = waitingShare(state);
  const QString late = phrase("run", "The largest median lateness in a collective is %1.")
                           .arg(durationText(std::llround(worstMedian(state) * 1e6)));
  const QString waiting =
      phrase("run", "The ranks spend %1\u202f% of their time waiting for each other.").arg(qRound(100 * share));
  if (share < kTogether)
    return {
        Tone::Fine, phrase("run", "All ranks move together"), sentence({waiting, late, crowdingText(state)}), {}, {},
        -1};
  return {Tone::Note,
          phrase("run", "No single rank is clearly slow"),
          sentence({waiting, late, crowdingText(state)}),
          {},
          {},
          -1};
}

RunHeadline finishedHeadline(const RunState& state, const QString& known) {
  const auto batches = sumOf(state, &RankState::matched) + sumOf(state, &RankState::mismatched);
  const QString matched = number(sumOf(state, &RankState::matched));
  const bool is_without_plan = batches == 0 && state.planned_batches == 0;
  const QString compared = !known.isEmpty()  ? known
                           : is_without_plan ? QString()
                           : batches == 0    ? phrase("run", "The job reported no batches to compare with the plan.")
                           : batches < state.planned_batches
                               ? phrase("run", "%1 of %2 planned batches were reported; %3 match the plan.")
                                     .arg(number(batches), number(state.planned_batches), matched)
                               : phrase("run", "%1 of %2 batches match the plan.").arg(matched, number(batches));
  return {
      Tone::Fine,
      phrase("run", "Finished"),
      sentence(
          {state.world_size == 0
               ? phrase("run", "It took %1. Its ranks are not known.").arg(durationText(state.elapsed_ns))
               : phrase("run", "%1 took %2.").arg(countOf(state.world_size, "rank"), durationText(state.elapsed_ns)),
           compared, crowdingText(state)}),
      {},
      {},
      -1};
}

RunHeadline plainHeadline(const RunState& state, const QString& compared) {
  switch (state.status) {
    case JobStatus::Starting:
      return {Tone::Note,
              state.world_size > 0 ? phrase("run", "Starting %1").arg(countOf(state.world_size, "rank"))
                                   : phrase("run", "Starting"),
              sentence({phrase("run", "The launcher has started; no rank has reported yet."), crowdingText(state)}),
              {},
              {},
              -1};
    case JobStatus::Finished:
      return finishedHeadline(state, compared);
    case JobStatus::Stopped:
      return {Tone::Note,
              phrase("run", "Stopped"),
              sentence({phrase("run", "The job was stopped after %1. Its recording was kept.")
                            .arg(durationText(state.elapsed_ns)),
                        crowdingText(state)}),
              {},
              {},
              -1};
    case JobStatus::Failed:
      return {Tone::Error, phrase("run", "The job failed"), text(state.failure), {}, {}, -1};
    case JobStatus::Unknown:
      return {Tone::Warning, phrase("run", "How the job ended is not known"), text(state.failure), {}, {}, -1};
    case JobStatus::Running:
      break;
  }
  if (!state.reports) {
    return {Tone::Note,
            phrase("run", "The command is running"),
            phrase("run", "It does not report to ShardLens, so its ranks are not measured."),
            {},
            {},
            -1};
  }
  return togetherHeadline(state);
}

/// Who was late is beside the point once a job has failed.
bool stillMatters(const RunState& state, const Verdict& verdict) {
  const bool is_lateness = verdict.kind == VerdictKind::Straggler || verdict.kind == VerdictKind::Wandering ||
                           verdict.kind == VerdictKind::Starved;
  return !is_lateness || state.status != JobStatus::Failed;
}

std::vector<RunHeadline> headlines(const RunState& state) {
  std::vector<RunHeadline> lines;
  for (const Verdict& verdict : state.verdicts) {
    if (stillMatters(state, verdict)) lines.push_back(verdictHeadline(verdict));
  }
  return lines;
}

bool isOver(const RunState& state) {
  return !isUnderWay(state.status);
}

std::int64_t unknownOf(const RunState& state) {
  return state.unread.unknown_frames + state.unread.unknown_records;
}

/// Empty when everything was understood.
QString unknownText(const RunState& state) {
  const std::int64_t unknown = unknownOf(state);
  if (unknown == 0) return {};
  return (unknown == 1
              ? phrase("run", "%1 in this recording has a type that this version does not know, and is not shown.")
              : phrase("run", "%1 in this recording have types that this version does not know, and are not shown."))
      .arg(countOf(unknown, "message"));
}

QString stepText(const RankState& rank, const RunState& state, const RunFacts* facts) {
  const auto epoch = static_cast<std::size_t>(std::max<std::int64_t>(0, rank.epoch));
  std::int64_t steps = 0;
  if (facts != nullptr && epoch + 1 < facts->epoch_starts.size()) {
    steps = facts->epoch_starts[epoch + 1] - facts->epoch_starts[epoch];
  }
  if (steps > 0) {
    return phrase("run", "epoch %1 · step %2 of %3").arg(number(rank.epoch), number(rank.step), number(steps));
  }
  if (state.planned_steps > 0) {
    return phrase("run", "%1 of %2").arg(countOf(rank.steps_done, "step"), number(state.planned_steps));
  }
  return countOf(rank.steps_done, "step");
}

/// From the pace so far: right for a steady job, and said only when there is a pace.
QString etaText(const RankState& rank, const RunState& state) {
  const std::int64_t left = state.planned_steps - rank.steps_done;
  if (state.status != JobStatus::Running || stalledIn(state) != nullptr || state.deadlocked || rank.steps_done < 2 ||
      left <= 0)
    return {};
  const double per_step = static_cast<double>(state.elapsed_ns) / static_cast<double>(rank.steps_done);
  return phrase("run", "ETA %1").arg(durationText(std::llround(per_step * static_cast<double>(left))));
}

QString aliveText(const RunState& state) {
  if (state.world_size == 0) return isOver(state) ? phrase("run", "no rank seen") : phrase("run", "no rank yet");
  if (state.status != JobStatus::Running) return countOf(state.world_size, "rank");
  const qint64 gone =
      countWith(state, RankStatus::Dead) + countWith(state, RankStatus::Ended) + countWith(state, RankStatus::Unheard);
  return phrase("run", "%1 of %2")
      .arg(number(static_cast<qint64>(state.ranks.size()) - gone), countOf(state.world_size, "rank"));
}

QString milliseconds(double ms) {
  return phrase("run", "%1\u202fms").arg(ms);
}

/// What the launcher really starts in place of run.program; that one where the launcher cannot start it.
QString programOf(const PipelineSpec& spec) {
  const auto kind = launcherKind(spec.run.launcher);
  const auto own = kind ? ownProgram(**kind, spec.run.program) : Result<std::string>(kind.error());
  return QString::fromStdString(own ? *own : spec.run.program);
}

LaunchFacts::Line ranksLine(const PipelineSpec& spec) {
  QString value = QString("%1 × %2").arg(number(spec.worldSize()), programOf(spec));
  if (spec.world.nodes > 1) {
    const QString nodes = countOf(spec.world.nodes, "node");
    const auto every = spec.world.ranks_per_node.ofEveryNode();
    value = every ? phrase("run", "%1 · %2 × %3, all on this machine").arg(value, nodes, number(*every))
                  : phrase("run", "%1 · %2 (%3), all on this machine").arg(value, nodes, text(spec.world.text()));
  }
  return {phrase("run", "ranks"), value};
}

LaunchFacts::Line coresLine(const PipelineSpec& spec, std::int64_t cores) {
  const bool crowded = spec.worldSize() > cores;
  const QString value = crowded ? phrase("run", "%1 for %2: waits will include CPU scheduling")
                                      .arg(countOf(cores, "core"), countOf(spec.worldSize(), "rank"))
                                : phrase("run", "%1, at least one per rank").arg(countOf(cores, "core"));
  return {phrase("run", "this machine"), value, crowded};
}

/// "rank 2, 60 ms more loading in every step", "... in steps 20 to 39", "... from step 20 on".
QString delayText(const PipelineSpec::Run::Delay& delay) {
  QString steps = phrase("run", "in every step");
  if (delay.until_step > 0) {
    steps = phrase("run", "in steps %1 to %2").arg(number(delay.from_step), number(delay.until_step - 1));
  } else if (delay.from_step > 0) {
    steps = phrase("run", "from step %1").arg(number(delay.from_step));
  }
  return (delay.phase == "load" ? phrase("run", "rank %1, %2 more loading %3")
                                : phrase("run", "rank %1, %2 more computing %3"))
      .arg(number(delay.rank), milliseconds(delay.ms), steps);
}

LaunchFacts::Line delayLine(const PipelineSpec& spec) {
  const auto& delays = spec.run.delays;
  if (delays.empty()) return {phrase("run", "slowed ranks"), phrase("run", "none")};
  if (delays.size() == 1) return {phrase("run", "slowed rank"), delayText(delays.front())};
  std::vector<std::int64_t> ranks;
  ranks.reserve(delays.size());
  for (const auto& delay : delays) ranks.push_back(delay.rank);
  return {phrase("run", "slowed ranks"), QString::fromStdString(listed(ranks)) + QStringLiteral(" (run.delays)")};
}

}  // namespace

RunHeadline headlineOf(const RunState& state, const QString& compared) {
  const auto lines = headlines(state);
  RunHeadline first = lines.empty() ? plainHeadline(state, compared) : lines.front();
  const bool finished = state.status == JobStatus::Finished;
  if (!lines.empty() && (finished || state.status == JobStatus::Stopped)) {
    const QString how = finished ? phrase("run", "Finished in %1.") : phrase("run", "Stopped after %1.");
    first.message = sentence({how.arg(durationText(state.elapsed_ns)), first.message});
  }
  if (isOver(state)) first.message = sentence({first.message, unknownText(state)});
  return first;
}

std::vector<RunHeadline> furtherHeadlines(const RunState& state) {
  auto lines = headlines(state);
  if (!lines.empty()) lines.erase(lines.begin());
  return lines;
}

QString crowdingText(const RunState& state) {
  return QString::fromStdString(words::crowding(state)).trimmed();
}

std::vector<qint64> culpritsOf(const RunState& state) {
  for (const Verdict& verdict : state.verdicts) {
    if (verdict.kind == VerdictKind::Mismatch || verdict.kind == VerdictKind::Paused || verdict.rank < 0) continue;
    if (verdict.ranks.empty()) return {verdict.rank};
    return {verdict.ranks.begin(), verdict.ranks.end()};
  }
  return {};
}

bool isCulprit(const RunState& state, qint64 rank) {
  const auto culprits = culpritsOf(state);
  return std::find(culprits.begin(), culprits.end(), rank) != culprits.end();
}

QString runStatusText(const RunState& state, const RunFacts* facts) {
  const RankState* behind = slowest(state);
  if (behind == nullptr) return aliveText(state);
  if (!state.hasSteps()) return aliveText(state);
  const double rate = std::accumulate(state.ranks.begin(), state.ranks.end(), 0.0,
                                      [](double sum, const RankState& rank) { return sum + rank.samples_per_s; });
  QStringList parts = {aliveText(state), stepText(*behind, state, facts)};
  const bool counts_samples = std::ranges::any_of(
      state.ranks, [](const RankState& rank) { return rank.steps_done > 0 && countsSamples(rank); });
  if (state.status == JobStatus::Running && counts_samples)
    parts += phrase("run", "%1 samples/s").arg(number(std::llround(rate)));
  if (const QString eta = etaText(*behind, state); !eta.isEmpty()) parts += eta;
  return parts.join(QStringLiteral(" · "));
}

QString droppedText(const RunState& state) {
  QString text = phrase("run", "%1 lost").arg(countOf(state.dropped, "record"));
  const Unread& unread = state.unread;
  if (unread.damaged_places > 0) text += " · " + phrase("run", "%1 damaged").arg(countOf(unread.damaged_bytes, "byte"));
  if (unknownOf(state) > 0) text += " · " + countOf(unknownOf(state), "unknown message");
  return text;
}

QString recordingText(const RunState& state, bool is_active) {
  if (is_active) {
    return state.status == JobStatus::Starting ? phrase("run", "starting")
                                               : phrase("run", "recording · %1").arg(clockText(state.elapsed_ns));
  }
  switch (state.status) {
    case JobStatus::Finished:
      return phrase("run", "finished · %1").arg(clockText(state.elapsed_ns));
    case JobStatus::Stopped:
      return phrase("run", "stopped · %1").arg(clockText(state.elapsed_ns));
    case JobStatus::Failed:
      return phrase("run", "failed · %1").arg(clockText(state.elapsed_ns));
    default:
      return phrase("run", "recorded · %1").arg(clockText(state.elapsed_ns));
  }
}

QString clockText(std::int64_t ns) {
  const std::int64_t seconds = std::max<std::int64_t>(0, ns) / static_cast<std::int64_t>(kNsPerSecond);
  return QString("%1:%2:%3")
      .arg(seconds / 3600, 2, 10, QChar('0'))
      .arg(seconds / 60 % 60, 2, 10, QChar('0'))
      .arg(seconds % 60, 2, 10, QChar('0'));
}

ProofVerdict proofVerdict(const RunState& state, const RunFacts* facts) {
  const std::int64_t right = sumOf(state, &RankState::matched);
  const std::int64_t wrong = sumOf(state, &RankState::mismatched);
  if (right + wrong == 0) {
    if (facts != nullptr && !facts->problem.empty())
      return {Tone::Note, phrase("run", "There is no plan to compare with: %1").arg(text(facts->problem))};
    return {Tone::Note, phrase("run", "No batch has been compared with the plan yet")};
  }
  if (wrong == 0 && right < state.planned_batches)
    return {Tone::Fine, phrase("run", "%1 of %2 planned batches compared: all match the plan")
                            .arg(number(right), number(state.planned_batches))};
  if (wrong == 0) {
    return {Tone::Fine, phrase("run", "%1 of %2 batches match the plan").arg(number(right), number(right))};
  }
  const QString words = wrong == 1 ? phrase("run", "%1 of %2 batches does not match the plan")
                                   : phrase("run", "%1 of %2 batches do not match the plan");
  QString line = words.arg(number(wrong), number(right + wrong));
  if (const auto& first = state.first_difference) {
    line = phrase("run", "%1; first: rank %2, epoch %3, step %4")
               .arg(line, number(first->rank), number(first->epoch), number(first->step));
  }
  return {Tone::Error, line};
}

ProofVerdict verifyVerdict(const Proof& proof) {
  switch (proof.result) {
    case ProofResult::Match:
      return {Tone::Fine, phrase("run", "match · all %1 planned batches").arg(number(proof.planned_batches)), true};
    case ProofResult::Mismatch:
      return {Tone::Error,
              phrase("run", "mismatch · %1").arg(text(proof.explanation.empty() ? proof.what : proof.explanation)),
              true};
    case ProofResult::Incomplete:
      break;
  }
  return {Tone::Note, phrase("run", "incomplete · %1").arg(text(proof.what)), true};
}

QString onlyRanksOffer(const std::vector<qint64>& only, const std::vector<qint64>& selected, qint64 world_size) {
  if (!only.empty()) return phrase("run", "all ranks");
  const auto is_there = [world_size](qint64 rank) { return rank < world_size; };
  if (!std::all_of(selected.begin(), selected.end(), is_there)) return {};
  if (selected.size() == 1) return phrase("run", "only rank %1").arg(selected[0]);
  if (selected.size() == 2) return phrase("run", "only ranks %1 and %2").arg(selected[0]).arg(selected[1]);
  return {};
}

std::vector<RunHeadline> withLoaders(RunHeadline first, std::vector<RunHeadline> further,
                                     const capture::Capture& loaders) {
  std::vector<RunHeadline> read;
  for (const capture::CapturedLoader& loader : loaders.loaders) {
    for (const capture::RunFinding& finding : loader.findings) {
      const QString title = loaders.loaders.size() == 1
                                ? text(finding.title)
                                : phrase("run", "%1: %2").arg(text(loader.job.name), text(finding.title));
      read.push_back({Tone::Warning, title, text(finding.text), {}, {}, -1});
    }
  }
  std::vector<RunHeadline> lines;
  if (first.tone == Tone::Fine && !read.empty()) first.tone = Tone::Note;
  const bool is_worse = first.tone == Tone::Warning || first.tone == Tone::Error;
  if (is_worse) lines.push_back(first);
  lines.insert(lines.end(), read.begin(), read.end());
  if (!is_worse) lines.insert(read.empty() ? lines.begin() : lines.begin() + 1, first);
  lines.insert(lines.end(), std::make_move_iterator(further.begin()), std::make_move_iterator(further.end()));
  return lines;
}

RunHeadline mismatchHeadline(const JobProof& proof, bool is_of_open_design) {
  RunHeadline line;
  line.tone = Tone::Error;
  line.title = is_of_open_design ? phrase("run", "The job did not read what the open design plans")
                                 : text(words::proofTitle(proof.proof.result));
  QStringList said;
  for (const std::string& sentence :
       {proof.proof.explanation, differencesText(proof, proof.differing), proof.proof.what}) {
    if (!sentence.empty()) said += text(sentence);
  }
  line.message = said.join(' ');
  if (const auto& first = proof.proof.first_difference) line.rank = first->rank;
  return line;
}

LaunchFacts launchFacts(const PipelineSpec& spec, std::int64_t cores, const Result<void>& readiness) {
  LaunchFacts facts;
  const QString ranks = countOf(spec.worldSize(), "rank");
  facts.title = phrase("run", "Launch starts a stand-in job with %1").arg(ranks);
  facts.button = phrase("run", "Launch a stand-in");
  if (spec.worldSize() > cores) {
    facts.button = phrase("run", "Start %1 on %2").arg(ranks, countOf(cores, "core"));
    facts.question = phrase("run", "%1 would share %2 and slow down whatever else runs here. Start them all the same?")
                         .arg(ranks, countOf(cores, "core"));
  }
  facts.lines = {
      ranksLine(spec),
      coresLine(spec, cores),
      {phrase("run", "each step"),
       phrase("run", "load %1 · compute %2 · all_reduce of %3")
           .arg(milliseconds(spec.run.load_ms), milliseconds(spec.run.compute_ms),
                QString::fromStdString(byteSize(static_cast<double>(spec.run.gradient_kb) * 1000)))},
      delayLine(spec),
      {phrase("run", "what it proves"),
       phrase("run", "whether batches arrive in the planned order; your script does not run")},
  };
  if (!readiness) {
    facts.problem = QString::fromStdString(readiness.error().message);
    facts.hint = QString::fromStdString(readiness.error().hint);
  }
  return facts;
}

}  // namespace shardlens::ui
