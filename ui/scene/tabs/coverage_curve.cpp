// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/tabs/coverage_curve.h"

#include <algorithm>

namespace shardlens::ui {
namespace {

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
