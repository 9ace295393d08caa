// SPDX-License-Identifier: Apache-2.0
#include "core/plan/order_cache.h"

#include "core/base/result.h"

#include <chrono>

namespace shardlens {

class OrderCache::Claim {
 public:
  Claim(OrderCache& cache, const sampling::OrderKey& key) : cache_(cache), key_(key) {}
  ~Claim() { cache_.release(key_); }
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;

 private:
  OrderCache& cache_;
  const sampling::OrderKey& key_;
};

Result<OrderPtr> OrderCache::get(const sampling::SamplerRule& rule, const PipelineSpec& spec,
                                 const sampling::OrderKey& key, const Work& work) {
  return guarded([&]() -> Result<OrderPtr> {
    auto known = findOrClaim(key, work);
    if (!known || *known != nullptr) return known;
    const Claim claim(*this, key);
    Result<OrderPtr> order = rule.order(spec, key, work);
    if (order) keep(key, *order);
    return order;
  });
}

Result<OrderPtr> OrderCache::findOrClaim(const sampling::OrderKey& key, const Work& work) {
  MutexLock lock(mutex_);
  while (in_progress_.count(key) > 0) {
    if (work.stopped()) return cancelled();
    computed_.wait_for(lock, std::chrono::milliseconds(20));  // the one who computes may be stopped: look again
  }
  if (const auto found = places_.find(key); found != places_.end()) {
    entries_.splice(entries_.begin(), entries_, found->second);
    return found->second->order;
  }
  in_progress_.insert(key);
  return OrderPtr();
}

void OrderCache::release(const sampling::OrderKey& key) {
  {
    const MutexLock lock(mutex_);
    in_progress_.erase(key);
  }
  computed_.notify_all();
}

void OrderCache::keep(const sampling::OrderKey& key, const OrderPtr& order) {
  const MutexLock lock(mutex_);
  entries_.push_front({key, order});
  places_[key] = entries_.begin();
  bytes_ += order->bytes();
  while (bytes_ > budget_ && entries_.size() > 1) {
    bytes_ -= entries_.back().order->bytes();
    places_.erase(entries_.back().key);
    entries_.pop_back();
  }
}

}  // namespace shardlens
