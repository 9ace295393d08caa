// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/base/large_array.h"
#include "core/sampling/deal.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace shardlens {

/// An immutable sequence of sample ids in the narrowest form: 0..n-1 needs no memory, most permutations 32 bits per id.
class Order {
 public:
  Order() = default;

  /// 0, 1, ..., size-1.
  static std::shared_ptr<const Order> identity(std::int64_t size);
  static std::shared_ptr<const Order> of(std::vector<std::uint32_t> ids);
  static std::shared_ptr<const Order> of(std::vector<std::int64_t> ids);
  static std::shared_ptr<const Order> of(LargeArray<std::uint32_t> ids);

  /// The same ids, dealt: they are ordered by rank, perhaps in batches of their own.
  static std::shared_ptr<const Order> dealt(const std::shared_ptr<const Order>& ids, Deal deal);

  [[nodiscard]] std::int64_t size() const { return size_; }
  /// Null for orders that ranks read by a stride.
  [[nodiscard]] const std::shared_ptr<const Deal>& deal() const { return deal_; }
  [[nodiscard]] SampleIndex operator[](std::int64_t position) const {
    if (narrow_ != nullptr) return narrow_[position];
    return wide_ != nullptr ? wide_[position] : position;
  }
  /// The ids as one array, if they take 32 bits each; otherwise nothing.
  [[nodiscard]] std::span<const std::uint32_t> narrowIds() const {
    return narrow_ == nullptr ? std::span<const std::uint32_t>() : std::span(narrow_, static_cast<std::size_t>(size_));
  }
  [[nodiscard]] std::int64_t bytes() const;

 private:
  std::int64_t size_ = 0;
  const std::uint32_t* narrow_ = nullptr;
  const std::int64_t* wide_ = nullptr;
  std::shared_ptr<const void> storage_;
  std::shared_ptr<const Deal> deal_;
};

using OrderPtr = std::shared_ptr<const Order>;

}  // namespace shardlens
