// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/order.h"

#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace shardlens {

/// The positions that one rank receives in an epoch, as a strided view of an order: runs of `block` positions, one run
/// every `stride`. Positions past the order's end start again at its beginning (padding by tiling).
class Slice {
 public:
  Slice() = default;
  /// `count` items from position `first`; `padding_from` is the first position whose item is only added (usually the
  /// order's size). 1 <= block <= stride.
  Slice(OrderPtr order, std::int64_t first, std::int64_t stride, std::int64_t count, std::int64_t padding_from,
        std::int64_t block = 1)
      : order_(std::move(order)),
        first_(first),
        stride_(stride),
        block_(block),
        count_(count),
        padding_from_(padding_from) {}

  /// The rank's share of an order that is dealt rank after rank.
  static Slice ofDeal(OrderPtr order, Rank rank);

  [[nodiscard]] std::int64_t size() const { return count_; }
  /// The place in the order, not wrapped: ascends with k.
  [[nodiscard]] std::int64_t position(std::int64_t k) const {
    return block_ == 1 ? first_ + k * stride_ : first_ + k / block_ * stride_ + k % block_;
  }
  /// Whether the sampler only adds the item, so that slices or batches come out even. It is padding where another item
  /// reads its sample first (RankEpoch::isPadding).
  [[nodiscard]] bool isAdded(std::int64_t k) const { return position(k) >= padding_from_ || isMarked(position(k)); }
  /// Which of the first `items` items are added; ascending.
  [[nodiscard]] std::vector<std::int64_t> addedAmong(std::int64_t items) const;
  [[nodiscard]] SampleIndex sample(std::int64_t k) const {
    const std::int64_t place = position(k);
    const std::int64_t size = order_->size();
    return (*order_)[place < size ? place : place % size];
  }

  /// Items before this position.
  [[nodiscard]] std::int64_t countBelow(std::int64_t position) const;
  /// The items that read this place of the order, on every lap around it; ascending.
  [[nodiscard]] std::vector<std::int64_t> itemsAt(std::int64_t place) const;

  [[nodiscard]] const OrderPtr& order() const { return order_; }
  [[nodiscard]] std::int64_t first() const { return first_; }
  [[nodiscard]] std::int64_t stride() const { return stride_; }
  [[nodiscard]] std::int64_t block() const { return block_; }
  /// Where the order ends for this slice; items of positions from here on are added.
  [[nodiscard]] std::int64_t addedFrom() const { return padding_from_; }

  /// Equal for slices of one order that hold the same positions.
  [[nodiscard]] std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t> geometry() const {
    return {first_, stride_, block_, count_};
  }

 private:
  [[nodiscard]] bool isMarked(std::int64_t position) const {
    return order_->deal() != nullptr && !order_->deal()->padded.empty() && order_->deal()->isPadded(position);
  }

  OrderPtr order_;
  std::int64_t first_ = 0;
  std::int64_t stride_ = 1;
  std::int64_t block_ = 1;
  std::int64_t count_ = 0;
  std::int64_t padding_from_ = 0;
};

}  // namespace shardlens
