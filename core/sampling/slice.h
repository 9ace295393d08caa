// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/order.h"

#include <cstdint>

namespace shardlens {

/// The positions that one rank receives in an epoch, as a strided view: item k stands at position first + k * stride of
/// the order; positions past its end start again at its beginning (padding by tiling).
class Slice {
 public:
  Slice() = default;
  /// `count` items; `padding_from` is the first position that counts as padding (usually the order's size).
  Slice(OrderPtr order, std::int64_t first, std::int64_t stride, std::int64_t count, std::int64_t padding_from)
      : order_(std::move(order)), first_(first), stride_(stride), count_(count), padding_from_(padding_from) {}

  [[nodiscard]] std::int64_t size() const { return count_; }
  /// The place in the permuted order, not wrapped: at least padding_from for padding.
  [[nodiscard]] std::int64_t position(std::int64_t k) const { return first_ + k * stride_; }
  [[nodiscard]] bool isPadding(std::int64_t k) const { return position(k) >= padding_from_; }
  [[nodiscard]] SampleIndex sample(std::int64_t k) const {
    const std::int64_t place = position(k);
    const std::int64_t size = order_->size();
    return (*order_)[place < size ? place : place % size];
  }

  [[nodiscard]] const OrderPtr& order() const { return order_; }
  [[nodiscard]] std::int64_t first() const { return first_; }
  [[nodiscard]] std::int64_t stride() const { return stride_; }
  /// Where the order ends for this slice; positions from here on are padding.
  [[nodiscard]] std::int64_t paddingFrom() const { return padding_from_; }

 private:
  OrderPtr order_;
  std::int64_t first_ = 0;
  std::int64_t stride_ = 1;
  std::int64_t count_ = 0;
  std::int64_t padding_from_ = 0;
};

}  // namespace shardlens
