// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/slice.h"

#include "core/sampling/order.h"

#include <algorithm>

namespace shardlens {

Slice Slice::ofDeal(OrderPtr order, Rank rank) {
  const Deal::Share share = order->deal()->shareOf(rank);
  return {std::move(order), share.first, 1, share.count, share.first + share.count - share.padding};
}

std::vector<std::int64_t> Slice::addedAmong(std::int64_t items) const {
  std::vector<std::int64_t> added;
  std::int64_t tail = items;
  while (tail > 0 && position(tail - 1) >= padding_from_) --tail;
  if (order_ != nullptr && order_->deal() != nullptr && tail > 0) {
    const auto& padded = order_->deal()->padded;
    for (auto at = std::lower_bound(padded.begin(), padded.end(), first_); at != padded.end(); ++at) {
      if (*at > position(tail - 1)) break;
      added.push_back(*at - first_);  // dealt shares are in one piece
    }
  }
  for (; tail < items; ++tail) added.push_back(tail);
  return added;
}

std::int64_t Slice::countBelow(std::int64_t position) const {
  if (position <= first_) return 0;
  const std::int64_t ahead = position - first_;
  return std::min(count_, ahead / stride_ * block_ + std::min(block_, ahead % stride_));
}

std::vector<std::int64_t> Slice::itemsAt(std::int64_t place) const {
  std::vector<std::int64_t> items;
  if (count_ == 0) return items;
  const std::int64_t last = position(count_ - 1);
  for (std::int64_t at = place; at <= last; at += order_->size()) {
    const std::int64_t ahead = at - first_;
    if (ahead >= 0 && ahead % stride_ < block_) items.push_back(ahead / stride_ * block_ + ahead % stride_);
  }
  return items;
}

}  // namespace shardlens
