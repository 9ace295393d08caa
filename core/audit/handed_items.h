// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/ledger.h"
#include "core/audit/readers.h"
#include "core/audit/sample_counts.h"
#include "core/sampling/claims.h"

#include <cstdint>
#include <span>
#include <vector>

namespace shardlens {

/// Adds up the items of an epoch, order by order, and finds the way in which each sample is handed out again.
class HandedItems {
 public:
  /// `orders`: how many will be added. Environment when memory does not suffice.
  static Result<HandedItems> make(const Plan& plan, std::size_t orders, const Work& work);

  /// All views of one order.
  Result<void> add(std::span<const View> views, const Work& work);
  /// Readers of one order that are handed each sample once.
  void addWhole(std::int64_t readers);
  /// Closes the account: fills in handed_out, seen, the repeats and the padding's ids. Nothing may be added after it.
  void close(Ledger& ledger);

  /// How often each sample was handed out, in addition to the `everywhere()` times that all of them were.
  [[nodiscard]] const Tally& times() const { return times_; }
  [[nodiscard]] std::int64_t everywhere() const { return everywhere_; }

 private:
  /// A place of an order that only repeats a sample.
  struct Padded {
    SampleIndex sample = 0;
    std::int64_t readers = 0;
    bool filled = false;
  };
  using Bits = LargeArray<std::uint64_t>;

  explicit HandedItems(const Plan& plan, Tally times, Bits bits, std::size_t orders);
  Result<std::vector<Padded>> addItems(std::span<const View> views, const Work& work);
  /// Sets the bits of the first `places` of the order if no sample is there twice; otherwise sets none and returns
  /// false.
  Result<bool> markOnce(const Order& order, std::int64_t places, const Work& work);
  /// Adds the first `places` of the order if no sample is there twice; otherwise adds nothing and returns false.
  Result<bool> addOnce(const Order& order, std::int64_t places, std::uint8_t times, const Work& work);
  [[nodiscard]] Result<std::int64_t> distinctOf(std::span<const View> views, const Work& work);
  Result<void> moveToWorkers(std::span<const View> views, const Work& work);
  [[nodiscard]] Result<std::int64_t> distinctInOrder(std::span<const View> views, const Work& work);
  void takePadding(std::vector<Padded>& padded, Ledger& ledger);

  std::int64_t universe_;
  sampling::SamplerClaims claims_;
  Tally times_;
  bool single_order_;
  bool last_is_whole_ = false;  ///< the views that were added last hand out each sample once
  std::int64_t everywhere_ = 0;
  std::int64_t handed_out_ = 0;
  std::int64_t same_place_ = 0;     ///< items without padding whose place another rank reads
  std::int64_t in_order_ = 0;       ///< places whose sample is also at another place of the order, or of the share
  std::int64_t across_shares_ = 0;  ///< samples of a share that are also in another share of the order
  std::int64_t of_orders_ = 0;      ///< distinct samples of each order, added up
  std::vector<Padded> padded_;
  Bits bits_;  ///< one for each sample; all zero between uses
};

}  // namespace shardlens
