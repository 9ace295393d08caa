// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/thread_annotations.h"
#include "core/sampling/sampler_rule.h"

#include <condition_variable>
#include <cstdint>
#include <list>
#include <map>
#include <set>

namespace shardlens {

/// Orders by key, the least recently used forgotten when they outgrow the budget. Safe from any thread; two threads
/// that ask for one key compute it once. What a rule throws becomes its Error.
class OrderCache {
 public:
  explicit OrderCache(std::int64_t budget_bytes) : budget_(budget_bytes) {}

  Result<OrderPtr> get(const sampling::SamplerRule& rule, const PipelineSpec& spec, const sampling::OrderKey& key,
                       const Work& work);

 private:
  struct Entry {
    sampling::OrderKey key;
    OrderPtr order;
  };
  /// Marks a key as being computed during its lifetime, however the computation ends.
  class Claim;

  /// The order if it is kept; otherwise the key is in_progress_ from now on, and the caller must compute the order.
  Result<OrderPtr> findOrClaim(const sampling::OrderKey& key, const Work& work) SHARDLENS_EXCLUDES(mutex_);
  void release(const sampling::OrderKey& key) SHARDLENS_EXCLUDES(mutex_);
  void keep(const sampling::OrderKey& key, const OrderPtr& order) SHARDLENS_EXCLUDES(mutex_);

  std::int64_t budget_;
  Mutex mutex_;
  std::condition_variable_any computed_;
  std::list<Entry> entries_ SHARDLENS_GUARDED_BY(mutex_);  ///< the last used first
  std::map<sampling::OrderKey, std::list<Entry>::iterator> places_ SHARDLENS_GUARDED_BY(mutex_);
  std::set<sampling::OrderKey> in_progress_ SHARDLENS_GUARDED_BY(mutex_);
  std::int64_t bytes_ SHARDLENS_GUARDED_BY(mutex_) = 0;  ///< of all entries
};

}  // namespace shardlens
