// SPDX-License-Identifier: Apache-2.0
#include "core/audit/memory.h"

#include "core/audit/readers.h"

#include <algorithm>

namespace shardlens {
namespace {

/// All orders of an epoch, taking the first one's size for each.
Result<std::int64_t> orderBytes(const Plan& plan, Epoch epoch, const Work& work) {
  const auto readers = ranksOf(plan, epoch, plan.worldSize());
  const auto orders = static_cast<std::int64_t>(groupByOrder(plan, readers).size());
  const auto items = plan.rankEpoch(epoch, Rank{0}, work);
  if (!items) return items.error();
  return items->slice().order()->bytes() * orders;
}

}  // namespace

Result<MemoryEstimate> memoryOf(const Plan& plan, const Lockstep& steps, const Work& work) {
  const auto order_bytes = orderBytes(plan, Epoch{steps.epoch}, work);
  if (!order_bytes) return order_bytes.error();
  const PipelineSpec::Loader& loader = plan.spec().loader;
  MemoryEstimate memory;
  memory.order_bytes = *order_bytes;
  memory.prefetched_batches = std::min(steps.most, loader.num_workers * loader.prefetch_factor);
  memory.prefetched_samples = memory.prefetched_batches * loader.batch_size;
  return memory;
}

}  // namespace shardlens
