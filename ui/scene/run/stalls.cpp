// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/run/stalls.h"

#include "core/base/text.h"
#include "core/diagnose/run_state.h"
#include "core/diagnose/verdict_words.h"
#include "ui/scene/links.h"
#include "ui/scene/number_text.h"
#include "ui/scene/run/rank_rows.h"
#include "ui/scene/run/text.h"
#include "ui/state/phrase.h"

#include <QStringList>

#include <algorithm>
#include <string>
#include <vector>

namespace shardlens::ui {
namespace {

bool isStandstill(const Verdict& verdict) {
  return verdict.kind == VerdictKind::Stalled;
}

/// When a rank last began or ended something; nothing when no rank ever did.
std::optional<std::int64_t> lastProgress(const RunState& state, const Overview* overview) {
  std::int64_t last = 0;
  const bool is_running = isUnderWay(state.status);
  if (is_running) {
    for (const RankState& rank : state.ranks) last = std::max(last, rank.since_ns);
  } else if (overview != nullptr) {
    last = overview->lanes.end_ns;
  }
  return last > 0 ? std::optional(last) : std::nullopt;
}

constexpr std::size_t kMostOwn = 6;      ///< of the job's own calls, the innermost ones
constexpr std::size_t kMostLibrary = 3;  ///< of the calls inside them

CallList listOf(const RunState& state, const RankStack& stack, const QString& head) {
  CallList list;
  list.head = head;
  list.note = phrase("run", "process %1, %2 ago")
                  .arg(QString::number(stack.pid), durationText(state.elapsed_ns - stack.taken_ns));
  for (const StackFrame& frame : stack.frames)
    list.rows.push_back(
        {text(frame.function), text(words::lineText(frame)), text(frame.code), text(frame.file), frame.is_own});
  return list;
}

QString workerHead(const RankStack& worker) {
  const QString number = QString::number(*worker.worker);
  if (!worker.sample) return phrase("run", "worker %1, which has the batch").arg(number);
  return phrase("run", "worker %1, which reads sample %2").arg(number, QString::number(*worker.sample));
}

constexpr std::size_t kMostNamed = 3;

/// "rank 2 on gpu-box-3, process 4812".
QString whoText(const RankState& rank) {
  if (rank.pid <= 0) return phrase("run", "rank %1").arg(rank.rank);
  if (rank.host.empty()) return phrase("run", "rank %1, process %2").arg(rank.rank).arg(rank.pid);
  return phrase("run", "rank %1 on %2, process %3")
      .arg(QString::number(rank.rank), text(rank.host), QString::number(rank.pid));
}

/// It is in something: not over, and not unheard of.
bool isAtWork(const RankState& rank) {
  return rank.status == RankStatus::Loading || rank.status == RankStatus::Computing ||
         rank.status == RankStatus::InCollective || rank.status == RankStatus::Between ||
         rank.status == RankStatus::Stopped;
}

/// What it is in: "data wait, epoch 0, step 7".
QString inText(const RunState& state, const RankState& rank) {
  QString now = rankRow(state, rank.rank, 0).now_briefly.back();
  if (!state.hasSteps()) return now;
  return phrase("run", "%1, epoch %2, step %3").arg(now, number(rank.epoch), number(rank.step));
}

/// Ranks that wait in the same operation, in the words of the verdict.
struct Alike {
  std::string operation;
  std::vector<std::int64_t> ranks;

  [[nodiscard]] QString words() const {
    const QString names = text(listed(ranks));
    const QString in = text(operation);
    if (ranks.size() == 1)
      return in.isEmpty() ? phrase("run", "rank %1").arg(names) : phrase("run", "rank %1 in %2").arg(names, in);
    return in.isEmpty() ? phrase("run", "ranks %1").arg(names) : phrase("run", "ranks %1 in %2").arg(names, in);
  }
};

/// The others, as far as they wait in an operation.
StallText::Line waitingLine(const RunState& state, const std::vector<const RankState*>& culprits) {
  std::vector<Alike> waiting;
  std::int64_t since = state.elapsed_ns;
  for (const RankState& rank : state.ranks) {
    const bool is_culprit = std::find(culprits.begin(), culprits.end(), &rank) != culprits.end();
    if (is_culprit || rank.status != RankStatus::InCollective) continue;
    const std::string operation = operationText(rank);
    auto found = std::ranges::find(waiting, operation, &Alike::operation);
    if (found == waiting.end()) found = waiting.insert(waiting.end(), {operation, {}});
    found->ranks.push_back(rank.rank);
    since = std::min(since, rank.since_ns);
  }
  if (waiting.empty()) return {};
  QStringList lines;
  for (const Alike& alike : waiting) lines += alike.words();
  const bool is_one = waiting.size() == 1 && waiting.front().ranks.size() == 1;
  const QString time = durationText(state.elapsed_ns - since);
  return {phrase("run", "ranks waiting"), lines.join('\n'),
          is_one ? phrase("run", "for %1").arg(time) : phrase("run", "for up to %1").arg(time)};
}

}  // namespace

const Verdict* stalledIn(const RunState& state) {
  const auto found = std::ranges::find_if(state.verdicts, isStandstill);
  return found == state.verdicts.end() ? nullptr : &*found;
}

std::vector<const RankState*> culpritsIn(const RunState& state, const Verdict& verdict) {
  std::vector<std::int64_t> ranks = verdict.ranks;
  if (ranks.empty() && verdict.rank >= 0) ranks = {verdict.rank};
  std::vector<const RankState*> found;
  for (const std::int64_t rank : ranks) {
    if (rank >= 0 && rank < static_cast<std::int64_t>(state.ranks.size()))
      found.push_back(&state.ranks[static_cast<std::size_t>(rank)]);
  }
  return found;
}

std::vector<Stall> stallsOf(const RunState& state, const Overview* overview) {
  std::vector<Stall> stalls;
  for (const Verdict& verdict : state.verdicts) {
    if (verdict.kind != VerdictKind::Paused && !isStandstill(verdict)) continue;
    const auto from = verdict.from_ns || !isStandstill(verdict) ? verdict.from_ns : lastProgress(state, overview);
    if (from) stalls.push_back({*from, verdict.to_ns.value_or(state.elapsed_ns)});
  }
  return stalls;
}

std::optional<Stall> stallOf(const RunState& state, qint64 rank) {
  const Verdict* stalled = stalledIn(state);
  if (stalled == nullptr || !stalled->from_ns || !stalled->to_ns) return std::nullopt;
  for (const RankState* culprit : culpritsIn(state, *stalled)) {
    if (culprit->rank == rank) return Stall{*stalled->from_ns, *stalled->to_ns};
  }
  return std::nullopt;
}

std::int64_t stallLength(const RunState& state) {
  const Verdict* stalled = stalledIn(state);
  return stalled == nullptr || !stalled->from_ns ? 0 : std::max<std::int64_t>(0, state.elapsed_ns - *stalled->from_ns);
}

std::vector<CallList::Row> CallList::shortened() const {
  std::size_t inside = rows.size();  // the first call after the last own one
  while (inside > 0 && !rows[inside - 1].is_own) --inside;
  std::vector<Row> kept;
  for (std::size_t i = inside; i-- > 0 && kept.size() < kMostOwn;) {
    if (rows[i].is_own) kept.insert(kept.begin(), rows[i]);
  }
  const std::size_t left = rows.size() - inside;
  kept.insert(kept.end(), rows.end() - static_cast<std::ptrdiff_t>(std::min(left, kMostLibrary)), rows.end());
  return kept;
}

QString CallList::text() const {
  QString out = head + " (" + note + ")\n";
  for (const Row& row : rows) out += "  " + row.function + "  " + row.file + " " + row.place + "  " + row.code + '\n';
  return out;
}

std::vector<CallList> callLists(const RunState& state, const RankState& rank) {
  std::vector<CallList> lists;
  if (const RankStack* own = ownStack(rank)) {
    lists.push_back(listOf(state, *own,
                           own->sample ? phrase("run", "its calls, while it reads sample %1").arg(*own->sample)
                                       : phrase("run", "calls that have not returned")));
  }
  if (const RankStack* worker = owingStack(rank)) lists.push_back(listOf(state, *worker, workerHead(*worker)));
  return lists;
}

std::optional<StallText> stallText(const RunState& state) {
  const Verdict* stalled = stalledIn(state);
  if (stalled == nullptr) return std::nullopt;
  StallText said;
  said.title = text(stalled->title);
  said.rank = stalled->rank;
  // Of a recording without an end it is not known how long that went on.
  const bool has_end = state.status != JobStatus::Unknown;
  const auto add = [&said, has_end](const QString& head, const QString& words, const QString& time = {}) {
    if (!words.isEmpty()) said.lines.push_back({head, words, has_end ? time : QString()});
  };
  const auto culprits = culpritsIn(state, *stalled);
  QStringList who;
  for (std::size_t i = 0; i < std::min(culprits.size(), kMostNamed); ++i) who += whoText(*culprits[i]);
  if (culprits.size() > kMostNamed) who += phrase("run", "and %1").arg(countOf(culprits.size() - kMostNamed, "rank"));
  add(phrase("run", "stalled"), who.join('\n'));
  if (!culprits.empty() && isAtWork(*culprits.front())) {
    const RankState& first = *culprits.front();
    add(phrase("run", "since"), phrase("run", "%1 after the start").arg(clockText(first.since_ns)),
        phrase("run", "%1 ago").arg(durationText(state.elapsed_ns - first.since_ns)));
    add(phrase("run", "current phase"), inText(state, first));
  } else {
    add(phrase("run", "what is known"), text(stalled->message));
  }
  const auto waiting = waitingLine(state, culprits);
  add(waiting.head, waiting.text, waiting.time);
  add(phrase("run", "what to do"), commandsApart(text(stalled->next)));
  if (!culprits.empty()) said.calls = callLists(state, *culprits.front());
  for (const Verdict& verdict : state.verdicts) {
    if (&verdict != stalled) said.more.push_back(text(verdict.title));
  }
  return said;
}

}  // namespace shardlens::ui
