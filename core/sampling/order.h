// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/base/large_array.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace shardlens {

/// How an order that follows no stride is divided into ranks and batches: its items are ordered by rank, each rank's
/// in the order in which its loader delivers them.
struct Deal {
  struct Share {
    std::int64_t first = 0;       ///< position of the rank's first item
    std::int64_t count = 0;       ///< items
    std::int64_t padding = 0;     ///< of these, at their end, added only so that slices or batches come out even
    std::size_t first_batch = 0;  ///< the rank's first batch in batch_ends
    std::int64_t batches = 0;     ///< the rank's batches in batch_ends
    std::int64_t filled = 0;      ///< of the padding, at its end: added only to fill a batch
  };
  /// A short batch that drop_last drops, where each worker cuts batches of its own.
  struct DroppedBatch {
    std::int64_t first = 0;    ///< position of its first item, behind the rank's last batch
    std::int64_t count = 0;    ///< items, at least one
    std::int32_t worker = -1;  ///< -1: the rank's own process
  };
  /// By rank; a single one when the order belongs to one rank alone. Ranks of one copy of the model may have the same.
  std::vector<Share> shares;

  /// False: the loader cuts batches of its own size, and the rest of this struct is empty.
  bool lists_batches = false;
  /// Where each batch ends in the order, rank after rank; a rank's batches follow each other without gaps and may be
  /// empty. What follows a rank's last batch belongs to none.
  std::vector<std::int64_t> batch_ends;
  /// Positions of further items that are added so, wherever they are; ascending.
  std::vector<std::int64_t> padded;
  /// DataLoader worker of each batch; empty when batch i goes to worker i mod num_workers.
  std::vector<std::int32_t> batch_workers;
  /// What the workers drop, ascending by position; empty where batches are cut in another way.
  std::vector<DroppedBatch> dropped;
  /// Samples that were drawn and fall to no rank in this epoch.
  std::vector<std::int64_t> left_over;

  [[nodiscard]] bool isPadded(std::int64_t position) const {
    return std::binary_search(padded.begin(), padded.end(), position);
  }

  [[nodiscard]] const Share& shareOf(Rank rank) const {
    return shares[shares.size() == 1 ? 0 : static_cast<std::size_t>(rank.value)];
  }
  /// Of `dropped`, what this rank's workers drop.
  [[nodiscard]] std::span<const DroppedBatch> droppedOf(Rank rank) const {
    const Share& share = shareOf(rank);
    const auto from = std::ranges::lower_bound(dropped, share.first, {}, &DroppedBatch::first);
    const auto to = std::ranges::lower_bound(dropped, share.first + share.count, {}, &DroppedBatch::first);
    return {from, to};
  }
};

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
