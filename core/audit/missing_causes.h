// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/ledger.h"
#include "core/audit/readers.h"
#include "core/base/large_array.h"
#include "core/sampling/claims.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace shardlens {

/// Why samples are in no batch of an epoch: collects those that an order holds without handing them out, and gives the
/// cause of each sample that turned out to be missing.
class MissingCauses {
 public:
  /// `orders`: how many different ones the ranks read.
  MissingCauses(const Plan& plan, Epoch epoch, std::size_t orders);

  /// What the views of one order leave out: places that none reads, and items that the loader drops.
  Result<void> add(std::span<const View> views, const Work& work);
  /// The cause for a sample that no batch holds.
  [[nodiscard]] MissingCause of(SampleIndex sample);

 private:
  Result<void> mark(SampleIndex sample, MissingCause cause);
  Result<void> addUnread(std::span<const View> views, const Work& work);
  Result<void> addShares(std::span<const View> views, const Work& work);
  [[nodiscard]] std::vector<bool> placesOfRanks(const OrderPtr& order) const;

  const Plan& plan_;
  Epoch epoch_;
  std::int64_t universe_;
  bool shares_of_orders_;  ///< ranks take shares, and not all of one order
  sampling::UnreadCause unread_;
  sampling::LeftOutCause left_out_;  ///< made when it is first needed
  std::function<sampling::LeftOutCause()> make_left_out_;
  std::optional<LargeArray<std::uint8_t>> causes_;  ///< by sample; 0: in no order. Made when there is something to mark
};

}  // namespace shardlens
