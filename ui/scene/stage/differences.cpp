// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/stage/differences.h"

#include <algorithm>

namespace shardlens::ui {
namespace {

constexpr qint64 kItemsBetweenLooks = 1 << 18;  ///< some milliseconds

bool sameBatch(const RankEpoch& a, const RankEpoch& b, Step step) {
  if (step.value >= a.batches() || step.value >= b.batches()) return false;
  const RankEpoch::Range at = a.batch(step);
  const RankEpoch::Range other = b.batch(step);
  if (at.size() != other.size()) return false;
  for (qint64 k = 0; k < at.size(); ++k) {
    if (a.sample(at.first + k) != b.sample(other.first + k)) return false;
  }
  return true;
}

}  // namespace

std::shared_ptr<const StageDifferences> StageDifferences::compute(const EpochPlan& epoch, const EpochPlan& reference,
                                                                  const Work& work) {
  auto out = std::make_shared<StageDifferences>();
  const qint64 steps = std::max(stepsOf(epoch), stepsOf(reference));
  const qint64 ranks = std::max(std::ssize(epoch.ranks), std::ssize(reference.ranks));
  static const RankEpoch kNobody;
  out->bits_ = CellBits(ranks, steps);
  qint64 items = 0;
  for (qint64 rank = 0; rank < ranks; ++rank) {
    const RankEpoch& one = rank < std::ssize(epoch.ranks) ? epoch.ranks[rank] : kNobody;
    const RankEpoch& other = rank < std::ssize(reference.ranks) ? reference.ranks[rank] : kNobody;
    const qint64 both = std::max(one.batches(), other.batches());
    out->batches_ += both;
    for (qint64 step = 0; step < both; ++step) {
      if (items >= kItemsBetweenLooks) {
        if (work.stopped()) return nullptr;
        work.progress(static_cast<double>(rank) / static_cast<double>(ranks));
        items = 0;
      }
      items += step < one.batches() ? one.batch(Step{step}).size() + 1 : 1;
      if (sameBatch(one, other, Step{step})) continue;
      out->bits_.set(rank, step);
      ++out->differing_;
      if (!out->first_ || step < out->first_->step) out->first_ = CellAddress{rank, step};
    }
  }
  out->bits_.seal();
  return out;
}

}  // namespace shardlens::ui
