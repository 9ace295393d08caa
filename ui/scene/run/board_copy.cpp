// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/run/board_copy.h"

#include "core/timeline/chrome_trace.h"
#include "ui/scene/number_text.h"
#include "ui/scene/run/lanes.h"
#include "ui/state/phrase.h"

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

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
