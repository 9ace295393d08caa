// SPDX-License-Identifier: Apache-2.0
#include "core/plan/batch_differences.h"

#include <algorithm>
#include <bit>

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

BatchBits::BatchBits(std::int64_t ranks, std::int64_t steps)
    : steps_(steps), words_((steps + 63) / 64), bits_(static_cast<std::size_t>(words_ * ranks), 0) {}

void BatchBits::copyRank(std::int64_t from, std::int64_t to) {
  std::copy_n(bits_.begin() + from * words_, words_, bits_.begin() + to * words_);
}

void BatchBits::seal() {
  counts_.assign(bits_.size(), 0);
  for (std::size_t word = 0; word < bits_.size(); ++word) {
    if (static_cast<std::int64_t>(word) % words_ == 0) continue;
    counts_[word] = counts_[word - 1] + static_cast<std::uint32_t>(std::popcount(bits_[word - 1]));
  }
}

std::int64_t BatchBits::count(std::int64_t rank, std::int64_t first, std::int64_t last) const {
  if (bits_.empty() || first >= last) return 0;
  return before(rank, std::min(last, steps_)) - before(rank, std::min(first, steps_));
}

std::int64_t BatchBits::before(std::int64_t rank, std::int64_t step) const {
  const std::int64_t in_rank = std::min(step / 64, words_ - 1);
  const std::int64_t rest = step - in_rank * 64;
  const std::uint64_t mask = rest >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << rest) - 1;
  const auto word = static_cast<std::size_t>(rank * words_ + in_rank);
  return counts_[word] + std::popcount(bits_[word] & mask);
}

}  // namespace shardlens
