// SPDX-License-Identifier: Apache-2.0
#include "core/plan/batch_differences.h"

#include <algorithm>

namespace shardlens {
namespace {

/// The rank's batches; of a rank that the epoch does not have, none.
const RankEpoch& rankOf(const EpochPlan& epoch, std::int64_t rank) {
  static const RankEpoch kNone;
  return rank < std::ssize(epoch.ranks) ? epoch.ranks[static_cast<std::size_t>(rank)] : kNone;
}

}  // namespace

bool sameBatch(const RankEpoch& a, const RankEpoch& b, Step step) {
  if (step.value >= a.batches() || step.value >= b.batches()) return false;
  const RankEpoch::Range at = a.batch(step);
  const RankEpoch::Range other = b.batch(step);
  if (at.size() != other.size()) return false;
  for (std::int64_t k = 0; k < at.size(); ++k) {
    if (a.sample(at.first + k) != b.sample(other.first + k)) return false;
  }
  return true;
}

std::shared_ptr<const BatchDifferences> BatchDifferences::compute(const EpochPlan& epoch, const EpochPlan& reference,
                                                                  const Work& work) {
  auto out = std::make_shared<BatchDifferences>();
  const std::int64_t ranks = std::max(std::ssize(epoch.ranks), std::ssize(reference.ranks));
  out->bits_ = BatchBits(ranks, std::max(epoch.steps(), reference.steps()));
  std::int64_t items = 0;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    const RankEpoch& one = rankOf(epoch, rank);
    const RankEpoch& other = rankOf(reference, rank);
    const std::int64_t both = std::max(one.batches(), other.batches());
    out->batches_ += both;
    for (Step step{0}; step.value < both; ++step) {
      if (items >= kItemsBetweenLooks) {
        if (work.stopped()) return nullptr;
        work.progress(static_cast<double>(rank) / static_cast<double>(ranks));
        items = 0;
      }
      const std::int64_t size = step.value < one.batches() ? one.batch(step).size() : 0;
      items += size + 1;
      if (sameBatch(one, other, step)) {
        out->same_items_ += size;
        continue;
      }
      out->bits_.set(rank, step.value);
      ++out->differing_;
      if (!out->first_ || step < out->first_->step) out->first_ = Place{Rank{rank}, step};
    }
  }
  out->bits_.seal();
  return out;
}

}  // namespace shardlens
