// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/run/wait_rows.h"

#include "core/audit/words/finding_words.h"
#include "core/diagnose/run_state.h"
#include "ui/scene/number_text.h"
#include "ui/scene/run/rank_rows.h"
#include "ui/scene/run/text.h"
#include "ui/state/phrase.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shardlens::ui {
namespace {

double perStep(std::int64_t ns, std::int64_t steps) {
  return static_cast<double>(ns) / static_cast<double>(std::max<std::int64_t>(1, steps));
}

void addLastIn(WaitRow& row, const shardlens::Arrival& arrival) {
  if (arrival.collectives == 0) return;
  row.last_share = static_cast<double>(arrival.last_in) / static_cast<double>(arrival.collectives);
  row.last = phrase("run", "last in %1 of %2").arg(number(arrival.last_in), number(arrival.collectives));
}

const Verdict* slowVerdict(const RunState& state) {
  const auto found = std::find_if(state.verdicts.begin(), state.verdicts.end(),
                                  [](const Verdict& verdict) { return verdict.kind == VerdictKind::Straggler; });
  return found == state.verdicts.end() ? nullptr : &*found;
}

QString secondsText(double seconds) {
  return durationText(std::llround(seconds * 1e9));
}

/// Worth a word only where several ranks are slow: the gain of one is the verdict's.
void addGain(WaitRow& row, const Verdict& verdict) {
  const auto place = std::find(verdict.ranks.begin(), verdict.ranks.end(), row.rank);
  if (place == verdict.ranks.end() || verdict.gain_alone_s.size() != verdict.ranks.size() || verdict.ranks.size() < 2)
    return;
  const auto index = static_cast<std::size_t>(place - verdict.ranks.begin());
  row.gain = phrase("run", "fixing it alone saves %1").arg(secondsText(verdict.gain_alone_s[index]));
}

/// The moment the last collective was complete: the newest beginning of a transfer that every lane has.
std::int64_t lastRelease(const Timeline& timeline) {
  std::int64_t release = std::numeric_limits<std::int64_t>::max();
  for (const Lane& lane : timeline.lanes) {
    const auto last = std::find_if(lane.spans.rbegin(), lane.spans.rend(),
                                   [](const Span& span) { return span.phase == Phase::Transfer; });
    if (last == lane.spans.rend()) return -1;
    release = std::min(release, last->begin_ns);
  }
  return timeline.lanes.empty() ? -1 : release;
}

/// When this rank came to the collective that was complete at `release`; -1 when its part of it is not there.
std::int64_t arrivalAt(const Lane& lane, std::int64_t release) {
  const auto transfer = std::find_if(lane.spans.begin(), lane.spans.end(), [release](const Span& span) {
    return span.phase == Phase::Transfer && span.begin_ns == release;
  });
  if (transfer == lane.spans.end()) return -1;
  if (transfer == lane.spans.begin()) return release;
  const Span& before = *std::prev(transfer);
  return before.phase == Phase::Wait && before.end_ns == release ? before.begin_ns : release;
}

}  // namespace

std::vector<WaitRow> waitRows(const RunState& state) {
  std::vector<WaitRow> rows;
  const auto culprits = culpritsOf(state);
  const Verdict* const slow = slowVerdict(state);
  for (const RankState& rank : state.ranks) {
    WaitRow row;
    row.rank = rank.rank;
    row.wait_ns = perStep(rank.wait_ns, rank.steps_done);
    row.share = waitShare(state, rank);
    const QString wait = durationText(std::llround(row.wait_ns));
    row.wait = row.share < 0      ? phrase("run", "not measured")
               : state.hasSteps() ? phrase("run", "%1 per step").arg(wait)
                                  : phrase("run", "%1 in total").arg(wait);
    row.has_gaps = rank.has_gaps;
    if (rank.has_gaps && row.share >= 0) row.wait = phrase("run", "%1 of what was recorded").arg(row.wait);
    row.is_culprit = std::find(culprits.begin(), culprits.end(), rank.rank) != culprits.end();
    const auto index = static_cast<std::size_t>(rank.rank);
    if (index < state.arrivals.size()) addLastIn(row, state.arrivals[index]);
    if (slow != nullptr) addGain(row, *slow);
    rows.push_back(row);
  }
  return rows;
}

QString WaitRow::words() const {
  QStringList parts = {wait};
  for (const QString& part : {last, gain}) {
    if (!part.isEmpty()) parts += part;
  }
  return parts.join(" · ");
}

QString noWaitText(const std::vector<WaitRow>& rows, bool is_predicted) {
  constexpr double kShortest = 0.5;  // ns: a shorter one is shown as none
  const bool is_none = !rows.empty() && std::ranges::all_of(rows, [](const WaitRow& row) {
    return row.share >= 0 && !row.has_gaps && row.wait_ns < kShortest;
  });
  if (!is_none) return {};
  return is_predicted ? phrase("run", "No rank waits for another.") : phrase("run", "No rank has waited for another.");
}

QString owedText(const RunState& state) {
  const Verdict* const slow = slowVerdict(state);
  if (slow == nullptr || slow->lost_s <= 0) return {};
  const bool is_one = slow->ranks.size() == 1;
  QString line = (is_one ? phrase("run", "The others waited %1 for it · fixing it would save %2")
                         : phrase("run", "The others waited %1 for them · fixing all of them would save %2"))
                     .arg(secondsText(slow->lost_s), secondsText(slow->gain_s));
  if (slow->from_ns && slow->to_ns) {
    line = phrase("run", "%1 · %2 to %3 of the run")
               .arg(line, durationText(std::max<std::int64_t>(0, *slow->from_ns)), durationText(*slow->to_ns));
  }
  return line;
}

std::vector<WaitRow> waitRows(const Timeline& timeline) {
  std::vector<WaitRow> rows;
  for (const Lane& lane : timeline.lanes) {
    double wait = 0;
    double all = 0;
    std::int64_t steps = 0;
    for (const Span& span : lane.spans) {
      const auto length = static_cast<double>(span.end_ns - span.begin_ns);
      if (span.phase != Phase::Unmeasured) all += length;
      if (span.phase == Phase::Wait) wait += length;
      if (span.phase == Phase::Compute) ++steps;
    }
    WaitRow row;
    row.rank = lane.rank;
    row.wait_ns = wait / static_cast<double>(std::max<std::int64_t>(1, steps));
    row.share = all > 0 ? wait / all : -1;
    row.wait = row.share < 0 ? phrase("run", "no batch")
                             : phrase("run", "%1 per step").arg(durationText(std::llround(row.wait_ns)));
    rows.push_back(row);
  }
  return rows;
}

std::vector<WaitRow> waitRows(const schedule::Schedule& schedule, const schedule::Hang& hang) {
  std::vector<WaitRow> rows(static_cast<std::size_t>(schedule.plan().worldSize()));
  for (std::size_t rank = 0; rank < rows.size(); ++rank) {
    rows[rank].rank = static_cast<qint64>(rank);
    rows[rank].wait = phrase("run", "not known");
  }
  const auto hold = [&rows, &schedule](Rank rank, const schedule::Operation& operation, bool may_go_on) {
    WaitRow& row = rows[static_cast<std::size_t>(rank.value)];
    row.wait = (may_go_on ? phrase("run", "may be stuck in %1") : phrase("run", "stuck in %1"))
                   .arg(text(words::operationText(schedule, operation)));
    if (may_go_on) return;
    row.wait_ns = std::numeric_limits<double>::infinity();
    row.share = 1;
  };
  for (std::size_t i = 0; i < hang.waiting.size(); ++i) hold(hang.waiting[i], hang.calls[i], hang.may_go_on);
  for (const schedule::Absent& absent : hang.absent) {
    WaitRow& row = rows[static_cast<std::size_t>(absent.rank.value)];
    row.is_culprit = true;
    if (absent.waits_in) {
      hold(absent.rank, *absent.waits_in, absent.may_go_on);
    } else {
      row.share = 0;
      row.wait = phrase("run", "has finished");
    }
  }
  return rows;
}

std::vector<LastArrival> lastArrivals(const Timeline& timeline) {
  const std::int64_t release = lastRelease(timeline);
  std::vector<LastArrival> arrivals;
  for (const Lane& lane : timeline.lanes) {
    const std::int64_t at = release < 0 ? -1 : arrivalAt(lane, release);
    if (at < 0) return {};
    arrivals.push_back({lane.rank, at});
  }
  std::stable_sort(arrivals.begin(), arrivals.end(),
                   [](const LastArrival& a, const LastArrival& b) { return a.late_ns < b.late_ns; });
  const std::int64_t first = arrivals.empty() ? 0 : arrivals.front().late_ns;
  for (LastArrival& arrival : arrivals) arrival.late_ns -= first;
  return arrivals;
}

QString arrivalOrderText(const std::vector<LastArrival>& arrivals, std::size_t most) {
  if (arrivals.empty()) return {};
  QStringList names;
  for (std::size_t i = 0; i + 1 < arrivals.size(); ++i) {
    if (i + 2 < most || arrivals.size() <= most) names += number(arrivals[i].rank);
  }
  if (arrivals.size() > most) names += QStringLiteral("…");
  const LastArrival& last = arrivals.back();
  names += QString("%1 (+%2)").arg(number(last.rank), durationText(last.late_ns));
  return names.join(", ");
}

QString waitsCsv(const std::vector<WaitRow>& rows) {
  QString out = "rank,wait_ns,share,last_share\n";
  for (const WaitRow& row : rows) {
    out += QString("%1,%2,%3,%4\n")
               .arg(row.rank)
               .arg(row.share < 0 ? QString() : QString::number(row.wait_ns, 'f', 0))
               .arg(row.share < 0 ? QString() : QString::number(row.share))
               .arg(row.last_share);
  }
  return out;
}

}  // namespace shardlens::ui
