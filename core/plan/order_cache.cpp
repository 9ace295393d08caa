// SPDX-License-Identifier: Apache-2.0
#include "core/plan/order_cache.h"

#include <algorithm>
#include <chrono>

namespace shardlens {

Result<OrderPtr> OrderCache::get(const sampling::SamplerRule& rule, const PipelineSpec& spec,
                                 const sampling::OrderKey& key, const Work& work) {
  {
    std::unique_lock lock(mutex_);
    while (in_progress_.count(key) > 0) {
      if (work.stopped()) return cancelled();
      computed_.wait_for(lock, std::chrono::milliseconds(20));  // the one who computes may be stopped: look again
    }
    if (const auto found = entries_.find(key); found != entries_.end()) {
      found->second.used = ++clock_;
      return found->second.order;
    }
    in_progress_.insert(key);
  }
  Result<OrderPtr> order = rule.order(spec, key, work);
  {
    const std::scoped_lock lock(mutex_);
    in_progress_.erase(key);
    if (order) {
      entries_[key] = {*order, ++clock_};
      trim();
    }
  }
  computed_.notify_all();
  return order;
}

void OrderCache::trim() {
  std::int64_t bytes = 0;
  for (const auto& [key, entry] : entries_) bytes += entry.order->bytes();
  while (bytes > budget_ && entries_.size() > 1) {
    const auto oldest = std::min_element(entries_.begin(), entries_.end(),
                                         [](const auto& a, const auto& b) { return a.second.used < b.second.used; });
    bytes -= oldest->second.order->bytes();
    entries_.erase(oldest);
  }
}

}  // namespace shardlens
