// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>

namespace shardlens {

/// Orders by key, the least recently used forgotten when they outgrow the budget. Safe from any thread; two threads
/// that ask for one key compute it once.
class OrderCache {
 public:
  explicit OrderCache(std::int64_t budget_bytes) : budget_(budget_bytes) {}

  Result<OrderPtr> get(const sampling::SamplerRule& rule, const PipelineSpec& spec, const sampling::OrderKey& key,
                       const Work& work);

 private:
  struct Entry {
    OrderPtr order;
    std::uint64_t used = 0;
  };
  void trim();

  std::int64_t budget_;
  std::mutex mutex_;
  std::condition_variable computed_;
  std::map<sampling::OrderKey, Entry> entries_;
  std::set<sampling::OrderKey> in_progress_;
  std::uint64_t clock_ = 0;
};

}  // namespace shardlens
