// SPDX-License-Identifier: Apache-2.0
// What one rank reads in one epoch, for C.
#include "app/abi/border.h"
#include "app/abi/shared_order.h"
#include "core/plan/rank_epoch.h"
#include "core/sampling/order.h"

#include <memory>
#include <utility>
#include <vector>

using namespace shardlens;

// NOLINTNEXTLINE(readability-identifier-naming): what the C header calls it.
struct shardlens_share {
  RankEpoch epoch;                                ///< of the order, or of its places where the order is shared
  std::shared_ptr<const abi::SharedOrder> order;  ///< null: `epoch` has the ids

  [[nodiscard]] SampleIndex id(std::int64_t item) const {
    const std::int64_t found = epoch.sample(item);
    return order == nullptr ? found : order->ids()[static_cast<std::size_t>(found)];
  }
  [[nodiscard]] std::uint64_t fingerprint() const;
};

std::uint64_t shardlens_share::fingerprint() const {
  std::vector<SampleIndex> batches;
  std::vector<SampleIndex> ids;
  for (Step step{0}; step.value < epoch.batches(); ++step) {
    const RankEpoch::Range items = epoch.batch(step);
    ids.clear();
    for (std::int64_t k = items.first; k < items.last; ++k) ids.push_back(id(k));
    batches.push_back(static_cast<SampleIndex>(fingerprintOf(ids)));
  }
  return fingerprintOf(batches);  // as RankEpoch::fingerprint()
}

namespace {

Result<shardlens_share> drawn(const shardlens_plan& plan, Epoch epoch, Rank rank) {
  auto shared = plan.sharedOrder(epoch, rank);
  if (!shared) return plan.placed(shared.error());
  if (*shared != nullptr) {
    const auto places = Order::identity(static_cast<std::int64_t>((*shared)->ids().size()));
    return shardlens_share{plan.plan.rankEpochOver(places, epoch, rank), *std::move(shared)};
  }
  auto own = plan.plan.rankEpoch(epoch, rank);
  if (!own) return plan.placed(own.error());
  return shardlens_share{*std::move(own), nullptr};
}

}  // namespace

int32_t shardlens_share_open(const shardlens_plan* plan, int64_t epoch, int64_t rank, shardlens_share** out) {
  return abi::status([&]() -> Result<void> {
    if (auto there = plan->checkEpoch(epoch); !there) return there;
    if (auto there = plan->checkRank(rank); !there) return there;
    auto share = drawn(*plan, Epoch{epoch}, Rank{rank});
    if (!share) return share.error();
    *out = std::make_unique<shardlens_share>(*std::move(share)).release();
    return {};
  });
}

void shardlens_share_close(shardlens_share* share) {
  const std::unique_ptr<shardlens_share> owned(share);
}

int64_t shardlens_share_size(const shardlens_share* share) {
  return share->epoch.size();
}

int64_t shardlens_share_steps(const shardlens_share* share) {
  return share->epoch.batches();
}

int32_t shardlens_share_batch(const shardlens_share* share, int64_t step, int64_t* first, int64_t* last) {
  return abi::status([&]() -> Result<void> {
    if (step < 0 || step >= share->epoch.batches())
      return abi::wrongArgument("this rank has no step " + std::to_string(step) + " in this epoch.");
    const RankEpoch::Range items = share->epoch.batch(Step{step});
    *first = items.first;
    *last = items.last;
    return {};
  });
}

int32_t shardlens_share_ids(const shardlens_share* share, int64_t first, int64_t last, int64_t* ids) {
  return abi::status([&]() -> Result<void> {
    if (first < 0 || last < first || last > share->epoch.size())
      return abi::wrongArgument("items outside the share: it has " + std::to_string(share->epoch.size()) + ".");
    for (std::int64_t k = first; k < last; ++k) ids[k - first] = share->id(k);
    return {};
  });
}

uint64_t shardlens_share_fingerprint(const shardlens_share* share) {
  return share->fingerprint();
}
