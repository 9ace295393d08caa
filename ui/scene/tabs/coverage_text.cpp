// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/tabs/coverage_text.h"

#include "core/audit/ledger.h"
#include "ui/scene/tabs/overlap_text.h"
#include "ui/state/phrase.h"

#include <QStringList>

#include <algorithm>

namespace shardlens::ui {
namespace {

QString timesLabel(qint64 times) {
  if (times == 0) return phrase("tabs", "never");
  if (times == 1) return phrase("tabs", "once");
  return times == 2 ? phrase("tabs", "twice") : phrase("tabs", "%1 times").arg(times);
}

QString facts(const Ledger& coverage) {
  QStringList parts{
      phrase("tabs", "%1 of %2 seen").arg(number(coverage.seen), countOf(coverage.dataset_size, "sample")),
      phrase("tabs", "%1 handed out").arg(number(coverage.handed_out))};
  if (coverage.repeats.total() == 0) parts << phrase("tabs", "no padding");
  for (const std::string& part : repeatsText(coverage)) parts << QString::fromStdString(part);
  for (const std::string& part : missingText(coverage)) parts << QString::fromStdString(part);
  return parts.join(QStringLiteral(" · "));
}

QString areSeen(qint64 samples, const QString& how) {
  return (samples == 1 ? phrase("tabs", "%1 is %2") : phrase("tabs", "%1 are %2")).arg(countOf(samples, "sample"), how);
}

/// Distinct samples among those marked so far.
class SeenSet {
 public:
  explicit SeenSet(qint64 size) : words_(static_cast<std::size_t>((size + 63) / 64)) {}
  void mark(SampleIndex sample) {
    std::uint64_t& word = words_[static_cast<std::size_t>(sample >> 6)];
    const std::uint64_t bit = std::uint64_t{1} << (sample & 63);
    seen_ += (word & bit) == 0;
    word |= bit;
  }
  [[nodiscard]] qint64 seen() const { return seen_; }

 private:
  std::vector<std::uint64_t> words_;
  qint64 seen_ = 0;
};

void markBatch(SeenSet& seen, const RankEpoch& rank, Step step) {
  const RankEpoch::Range batch = rank.batch(step);
  for (std::int64_t item = batch.first; item < batch.last; ++item) seen.mark(rank.sample(item));
}

}  // namespace

std::vector<TimesSeen> timesSeen(const Ledger& coverage, std::size_t most) {
  std::vector<TimesSeen> bars;
  for (std::size_t times = 0; times < coverage.times_seen.size() || times < 2; ++times) {
    const qint64 samples = times < coverage.times_seen.size() ? coverage.times_seen[times] : 0;
    if (samples == 0 && times >= 2) continue;
    if (bars.size() < most) {
      bars.push_back({timesLabel(static_cast<qint64>(times)), static_cast<qint64>(times), samples});
    } else {
      bars.back().samples += samples;
      bars.back().label = phrase("tabs", "%1+ times").arg(bars.back().times);
    }
  }
  return bars;
}

CoverageVerdict coverageVerdict(const Ledger& coverage) {
  CoverageVerdict verdict{phrase("tabs", "Every sample is seen once"), facts(coverage), Tone::Fine};
  const bool padding = onlyPaddingRepeats(coverage);
  QStringList sentences;
  if (coverage.missing > 0) sentences << areSeen(coverage.missing, phrase("tabs", "never seen"));
  if (coverage.duplicated > 0) {
    sentences << areSeen(coverage.duplicated,
                         padding ? phrase("tabs", "repeated as padding") : phrase("tabs", "seen more than once"));
  }
  if (sentences.isEmpty()) return verdict;
  verdict.title = sentences.join(QStringLiteral(", "));
  verdict.tone = coverage.duplicated > 0 && !padding ? Tone::Error : coverage.missing > 0 ? Tone::Warning : Tone::Note;
  return verdict;
}

QString coverageCsv(const Ledger& coverage) {
  QString out = "list,sample\n";
  const auto add = [&out](const char* list, const std::vector<SampleIndex>& ids) {
    for (const SampleIndex id : ids) out += QString("%1,%2\n").arg(list).arg(id);
  };
  add("missing", coverage.missing_ids);
  add("duplicated", coverage.duplicated_ids);
  add("padding", coverage.padding_ids);
  return out;
}

double CoverageCurve::seenAt(double step) const {
  if (points.empty()) return 0;
  const auto after = std::lower_bound(points.begin(), points.end(), step, [](const Point& point, double at) {
    return static_cast<double>(point.step) < at;
  });
  if (after == points.begin()) return static_cast<double>(after->seen);
  if (after == points.end()) return static_cast<double>(points.back().seen);
  const Point& before = *(after - 1);
  const double part = (step - static_cast<double>(before.step)) / static_cast<double>(after->step - before.step);
  return static_cast<double>(before.seen) + part * static_cast<double>(after->seen - before.seen);
}

Result<CoverageCurve> coverageCurve(const Plan& plan, Epoch epoch, qint64 points, const Work& work) {
  auto order = plan.epoch(epoch, work.part(0, 0.5));
  if (!order) return std::move(order).error();
  CoverageCurve curve{{{0, 0}}, plan.spec().dataset.size, order->steps()};
  SeenSet seen(curve.dataset_size);
  const qint64 every = std::max<qint64>(1, curve.steps / points);
  for (Step step{0}; step.value < curve.steps; ++step) {
    for (const RankEpoch& rank : order->ranks) {
      if (step.value < rank.batches()) markBatch(seen, rank, step);
    }
    if (work.stopped()) return cancelled();
    const qint64 done = step.value + 1;
    if (done % every == 0 || done == curve.steps) curve.points.push_back({done, seen.seen()});
  }
  return curve;
}

}  // namespace shardlens::ui
