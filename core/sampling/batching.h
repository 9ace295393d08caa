// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/sampling/order.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

namespace shardlens {

/// Where one rank's batches begin and end among its items.
class Batching {
 public:
  /// A half-open range of items.
  struct Range {
    std::int64_t first = 0;
    std::int64_t last = 0;
    [[nodiscard]] std::int64_t size() const { return last - first; }
  };

  Batching() = default;
  /// torch.utils.data.BatchSampler: consecutive batches of one size, the short last one kept or dropped.
  static Batching ofSize(std::int64_t batch_size, bool drop_last);
  /// The same for a sampler that yields at least this many batches: those for which no item is left are empty.
  [[nodiscard]] Batching atLeast(std::int64_t batches) const;
  /// The first of them, at most so many: what a loop takes that ends early.
  [[nodiscard]] Batching atMost(std::int64_t batches) const;
  /// The batches that the deal lists for this rank; asserts that it lists some.
  static Batching listed(std::shared_ptr<const Deal> deal, Rank rank);

  /// Batches of a rank with this many items.
  [[nodiscard]] std::int64_t count(std::int64_t items) const;
  [[nodiscard]] Range range(Step step, std::int64_t items) const;
  /// The batch that holds the item; nothing for an item that is dropped.
  [[nodiscard]] std::optional<Step> stepOf(std::int64_t item, std::int64_t items) const;
  /// The DataLoader worker that loads the batch, of `num_workers`; -1 is the rank's own process.
  [[nodiscard]] std::int64_t worker(Step step, std::int64_t num_workers) const;

 private:
  std::int64_t batch_size_ = 1;
  bool drop_last_ = false;
  std::int64_t at_least_ = 0;
  std::int64_t at_most_ = std::numeric_limits<std::int64_t>::max();
  std::shared_ptr<const Deal> deal_;  ///< null: batches of one size
  Deal::Share share_;
};

}  // namespace shardlens
