// SPDX-License-Identifier: Apache-2.0
#include "core/plan/order_cache.h"

#include <doctest/doctest.h>

#include <atomic>
#include <new>
#include <thread>
#include <vector>

using namespace shardlens;

namespace {

std::atomic<int> calls{0};
constexpr std::int64_t kPlenty = 1'000'000;

Result<OrderPtr> throwOnce(const PipelineSpec&, const sampling::OrderKey&, const Work&) {
  if (calls++ == 0) throw std::bad_alloc();
  return Order::identity(8);
}

Result<OrderPtr> count(const PipelineSpec&, const sampling::OrderKey&, const Work&) {
  ++calls;
  return Order::identity(8);
}

sampling::SamplerRule ruleWith(Result<OrderPtr> (*order)(const PipelineSpec&, const sampling::OrderKey&, const Work&)) {
  calls = 0;
  sampling::SamplerRule rule;
  rule.order = order;
  return rule;
}

}  // namespace

TEST_CASE("a rule that throws is an error, and the next asker computes the order") {
  const auto rule = ruleWith(throwOnce);
  OrderCache cache(kPlenty);
  const auto failed = cache.get(rule, {}, {"key", 0, 0}, {});
  REQUIRE_FALSE(failed);
  CHECK(failed.error().message == "there is not enough memory.");
  const auto order = cache.get(rule, {}, {"key", 0, 0}, {});  // for ever, if the key stayed in progress
  REQUIRE(order);
  CHECK((*order)->size() == 8);
}

TEST_CASE("threads that ask for one key compute it once") {
  const auto rule = ruleWith(count);
  OrderCache cache(kPlenty);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&] { CHECK(cache.get(rule, {}, {"key", 0, 0}, {})); });
    }
  }
  CHECK(calls == 1);
}
