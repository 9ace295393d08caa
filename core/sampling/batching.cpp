// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/batching.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace shardlens {

Batching Batching::ofSize(std::int64_t batch_size, bool drop_last) {
  assert(batch_size > 0);
  Batching batching;
  batching.batch_size_ = batch_size;
  batching.drop_last_ = drop_last;
  return batching;
}

Batching Batching::atLeast(std::int64_t batches) const {
  Batching batching = *this;
  batching.at_least_ = batches;
  return batching;
}

Batching Batching::atMost(std::int64_t batches) const {
  Batching batching = *this;
  batching.at_most_ = batches;
  return batching;
}

Batching Batching::listed(std::shared_ptr<const Deal> deal, Rank rank) {
  assert(deal != nullptr && deal->lists_batches);
  Batching batching;
  batching.share_ = deal->shareOf(rank);
  batching.deal_ = std::move(deal);
  return batching;
}

std::int64_t Batching::count(std::int64_t items) const {
  const std::int64_t cut = drop_last_ ? items / batch_size_ : (items + batch_size_ - 1) / batch_size_;
  return std::min(at_most_, deal_ != nullptr ? share_.batches : std::max(at_least_, cut));
}

Batching::Range Batching::range(Step step, std::int64_t items) const {
  assert(step.value >= 0 && step.value < count(items));
  if (deal_ == nullptr) {
    const std::int64_t first = std::min(step.value * batch_size_, items);
    return {first, std::min(first + batch_size_, items)};
  }
  const std::int64_t* ends = deal_->batch_ends.data() + share_.first_batch;
  return {step.value == 0 ? 0 : ends[step.value - 1] - share_.first, ends[step.value] - share_.first};
}

std::optional<Step> Batching::stepOf(std::int64_t item, std::int64_t items) const {
  std::int64_t step = item / batch_size_;
  if (deal_ != nullptr) {
    const std::int64_t* ends = deal_->batch_ends.data() + share_.first_batch;
    step = std::upper_bound(ends, ends + share_.batches, share_.first + item) - ends;
  }
  return item < items && step < count(items) ? std::optional(Step{step}) : std::nullopt;
}

std::int64_t Batching::worker(Step step, std::int64_t num_workers) const {
  if (deal_ != nullptr && !deal_->batch_workers.empty()) {
    return deal_->batch_workers[share_.first_batch + static_cast<std::size_t>(step.value)];
  }
  return num_workers == 0 ? -1 : step.value % num_workers;
}

}  // namespace shardlens
