// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/run/rank_rows.h"

#include "core/collect/run_replay.h"
#include "core/timeline/chrome_trace.h"
#include "ui/scene/number_text.h"
#include "ui/scene/run/lanes.h"
#include "ui/scene/run/text.h"
#include "ui/state/phrase.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace shardlens::ui {
namespace {

constexpr double kNotMeasured = 1e12;              ///< lateness of ranks about which nothing is known
constexpr std::int64_t kWorthSaying = 10'000'000;  // ns: shorter ones would only flicker

NowTone toneOf(const RankState& rank) {
  switch (rank.status) {
    case RankStatus::Loading:
      return NowTone::Load;
    case RankStatus::Computing:
      return NowTone::Compute;
    case RankStatus::InCollective:
      return NowTone::Wait;
    case RankStatus::Done:
      return NowTone::Good;
    case RankStatus::Dead:
    case RankStatus::Stopped:
      return NowTone::Bad;
    case RankStatus::Unheard:
    case RankStatus::Between:
    case RankStatus::Ended:
      break;
  }
  return NowTone::Unmeasured;
}

QString doingText(const RunState& state, const RankState& rank) {
  if (state.status == JobStatus::Unknown) return QString::fromStdString(statusText(state, rank));
  switch (rank.status) {
    case RankStatus::Loading:
      return phrase("run", "data wait");
    case RankStatus::Computing:
      return phrase("run", "computing");
    case RankStatus::InCollective:
      return phrase("run", "waiting · %1").arg(QString::fromStdString(operationText(rank)));
    case RankStatus::Stopped:
      return phrase("run", "stopped");
    default:
      return QString::fromStdString(statusText(rank));
  }
}

bool lasts(const RankState& rank) {
  return rank.status == RankStatus::Loading || rank.status == RankStatus::Computing ||
         rank.status == RankStatus::InCollective || rank.status == RankStatus::Stopped;
}

/// What the rank does and for how long; then the same in fewer words.
void sayNow(RankRow& row, const RunState& state, const RankState& rank) {
  const QString doing = doingText(state, rank);
  const QString first = doing.section(" \u00b7 ", 0, 0);
  const std::int64_t since = state.elapsed_ns - rank.since_ns;
  const bool is_lasting = state.status == JobStatus::Running && lasts(rank) && since >= kWorthSaying;
  const QString length = is_lasting ? QStringLiteral(" ") + durationText(since) : QString();
  row.now = doing + length;
  row.now_briefly = {first + length, first};
}

bool isOneHost(const RunState& state) {
  return std::all_of(state.ranks.begin(), state.ranks.end(),
                     [&](const RankState& rank) { return rank.host == state.ranks.front().host; });
}

/// Larger = shown earlier.
double lateness(const RunState& state, qint64 rank) {
  const RankState& one = state.ranks[static_cast<std::size_t>(rank)];
  if (one.status == RankStatus::Dead || one.status == RankStatus::Stopped) return 2 * kNotMeasured;
  if (rank < static_cast<qint64>(state.arrivals.size())) {
    const auto& arrival = state.arrivals[static_cast<std::size_t>(rank)];
    if (arrival.collectives > 0) return arrival.median_ms;
  }
  const double share = waitShare(state, one);
  return share < 0 ? kNotMeasured : 1 - share;
}

QString milliseconds(std::int64_t ns) {
  return QString::number(static_cast<double>(ns) / 1e6, 'f', 3);
}

/// The last seconds are in both lanes: the whole one is read up to where the recent one begins.
std::vector<Span> spansIn(const LaneSource& source, std::int64_t begin_ns, std::int64_t end_ns) {
  std::vector<Span> spans;
  const bool has_recent = source.recent != nullptr && !source.recent->spans.empty();
  const std::int64_t recent_from = has_recent ? source.recent->spans.front().begin_ns : end_ns;
  const auto take = [&](const Lane* lane, std::int64_t until) {
    if (lane == nullptr) return;
    for (const Span& span : lane->spans) {
      if (span.end_ns > begin_ns && span.begin_ns < std::min({until, end_ns, source.over_ns})) spans.push_back(span);
    }
  };
  take(source.whole, recent_from);
  take(source.recent, end_ns);
  return spans;
}

}  // namespace

double waitShare(const RunState& state, const RankState& rank) {
  std::int64_t measured = rank.load_ns + rank.compute_ns + rank.wait_ns + rank.transfer_ns;
  if (measured > 0 && !state.hasSteps()) measured = std::max(measured, state.elapsed_ns);
  return measured > 0 ? static_cast<double>(rank.wait_ns) / static_cast<double>(measured) : -1;
}

std::vector<qint64> rankOrder(const RunState& state, RankOrder order) {
  std::vector<qint64> ranks(state.ranks.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  if (order == RankOrder::ByRank) return ranks;
  std::vector<double> late;
  double worst = 0;
  for (const qint64 rank : ranks) {
    late.push_back(lateness(state, rank));
    if (late.back() < kNotMeasured) worst = std::max(worst, late.back());
  }
  // In coarse steps, so that ranks that are about equally late do not change places all the time.
  constexpr double kSteps = 8;
  const auto step = [&](qint64 rank) {
    return worst > 0 ? std::ceil(kSteps * late[static_cast<std::size_t>(rank)] / worst)
                     : late[static_cast<std::size_t>(rank)];
  };
  std::stable_sort(ranks.begin(), ranks.end(), [&](qint64 a, qint64 b) { return step(a) > step(b); });
  return ranks;
}

qint64 equalNodeSize(const PipelineSpec::World& world) {
  return world.ranks_per_node.ofEveryNode().value_or(0);
}

qint64 emulatedNodeSize(const RunState& state, const RunFacts* facts) {
  return facts == nullptr || state.spec_yaml.text().empty() ? 0 : equalNodeSize(facts->spec.world);
}

std::vector<qint64> nodeStarts(const RunState& state, qint64 ranks_per_node) {
  const auto ranks = static_cast<qint64>(state.ranks.size());
  if (isOneHost(state)) return nodeStarts(ranks, ranks_per_node);
  std::vector<qint64> starts;
  for (qint64 rank = 1; rank < ranks; ++rank) {
    const auto at = static_cast<std::size_t>(rank);
    if (state.ranks[at].host != state.ranks[at - 1].host) starts.push_back(rank);
  }
  return static_cast<qint64>(starts.size()) + 1 == ranks ? std::vector<qint64>() : starts;
}

std::vector<qint64> nodeStarts(qint64 ranks, qint64 ranks_per_node) {
  std::vector<qint64> starts;
  if (ranks_per_node <= 1) return starts;
  for (qint64 rank = ranks_per_node; rank < ranks; rank += ranks_per_node) starts.push_back(rank);
  return starts;
}

RankRow rankRow(const RunState& state, qint64 rank, qint64 ranks_per_node) {
  const RankState& one = state.ranks[static_cast<std::size_t>(rank)];
  RankRow row;
  row.rank = rank;
  row.name = QString::number(rank);
  const bool emulated = isOneHost(state) && ranks_per_node > 0;
  row.place = emulated ? QString("n%1").arg(rank / ranks_per_node) : QString::fromStdString(one.host);
  row.step = one.is_measured && state.hasSteps() ? number(one.step) : QString("–");
  row.rate = one.samples_per_s > 0 ? number(std::llround(one.samples_per_s)) : QString("–");
  sayNow(row, state, one);
  row.tone = toneOf(one);
  row.wait_share = waitShare(state, one);
  row.is_culprit = isCulprit(state, rank);
  return row;
}

QString rowsText(const std::vector<RankRow>& rows) {
  QString out;
  for (const RankRow& row : rows) {
    const QString who = row.place.isEmpty() ? phrase("run", "rank %1").arg(row.name)
                                            : phrase("run", "rank %1 on %2").arg(row.name, row.place);
    QStringList says = {row.now};
    if (!row.step.isEmpty()) says += phrase("run", "step %1").arg(row.step);
    if (!row.rate.isEmpty()) says += phrase("run", "%1 samples/s").arg(row.rate);
    if (row.wait_share >= 0)
      says += phrase("run", "%1\u202f% of its time waiting").arg(std::lround(100 * row.wait_share));
    out += who + ": " + says.join(QStringLiteral(" · ")) + '\n';
  }
  return out;
}

QString lanesCsv(const RunLanes& lanes, const std::vector<qint64>& ranks, std::int64_t begin_ns, std::int64_t end_ns) {
  QString out = csvLine({"rank", "epoch", "step", "phase", "begin_ms", "end_ms"});
  int pieces = 0;
  for (const qint64 rank : ranks) {
    if (rank < 0 || rank >= static_cast<qint64>(lanes.ranks())) continue;
    for (const Span& span : spansIn(lanes.of(static_cast<std::size_t>(rank)), begin_ns, end_ns)) {
      if (++pieces > kMostPieces) return out + QString("# more than %1 pieces are in view\n").arg(kMostPieces);
      out += csvLine({QString::number(rank), QString::number(span.epoch), QString::number(span.step),
                      phaseName(span.phase), milliseconds(span.begin_ns), milliseconds(span.end_ns)});
    }
  }
  return out;
}

}  // namespace shardlens::ui
