// SPDX-License-Identifier: Apache-2.0
#include "core/lens/report.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace shardlens;

namespace {

/// Two ranks, batches of two, the samples in the order of a list.
EpochPlan dealt(const IndexList& list, std::int64_t block) {
  EpochPlan epoch;
  const OrderPtr order = Order::of(IndexList(list));
  for (Rank rank{0}; rank.value < 2; ++rank) {
    const Slice slice(order, rank.value * block, 2 * block, order->size() / 2, order->size(), block);
    epoch.ranks.emplace_back(rank, Epoch{0}, slice, Batching::ofSize(2, false), 0);
  }
  return epoch;
}

SampleContent contentOf(const EpochPlan& epoch) {
  auto content = SampleContent::of(epoch);
  REQUIRE(content);
  return *std::move(content);
}

std::string text(const EpochPlan& first, const EpochPlan& second) {
  return comparisonText(compareSamples(contentOf(first), contentOf(second), 0), false);
}

}  // namespace

TEST_CASE("samples are compared step by step, over the epoch, and one by one") {
  const EpochPlan strided = dealt({0, 1, 2, 3, 4, 5, 6, 7}, 1);
  CHECK(text(strided, dealt({0, 1, 2, 3, 4, 5, 6, 7}, 2)) == "the same samples in each step, but on other ranks");
  CHECK(text(strided, dealt({2, 1, 0, 3, 4, 5, 6, 7}, 1)) == "the same samples in each batch, in another order");
  CHECK(text(strided, dealt({4, 1, 2, 3, 0, 5, 6, 7}, 1)) == "the same samples in another order");
  CHECK(text(strided, dealt({0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3}, 1)) ==
        "the same samples, some more often or less "
        "often");
  CHECK(text(strided, dealt({0, 1, 2, 3, 4, 5, 6, 9}, 1)) == "other samples: 1 left out, 1 that the design leaves out");
  CHECK(text(strided, dealt({0, 1, 2, 3}, 1)) == "other samples: 4 left out");
  CHECK(comparisonText({}, true) == "the same order");
}

TEST_CASE("samples in no batch do not count") {
  EpochPlan whole = dealt({0, 1, 2, 3}, 1);
  EpochPlan cut = dealt({0, 1, 2, 3, 4, 5}, 1);
  for (RankEpoch& rank : cut.ranks) rank = RankEpoch(rank.rank(), Epoch{0}, rank.slice(), Batching::ofSize(2, true), 0);
  const SampleComparison compared = compareSamples(contentOf(whole), contentOf(cut), 0);
  CHECK(compared.same_steps);
  CHECK(compared.only_second == 0);
}

TEST_CASE("a comparison can be stopped") {
  std::stop_source stop;
  stop.request_stop();
  Work work;
  work.stop = stop.get_token();
  const EpochPlan large = dealt(IndexList(1 << 20, 3), 1);
  const auto content = SampleContent::of(large, work);
  REQUIRE_FALSE(content);
  CHECK(content.error().code == ErrorCode::Cancelled);
}

TEST_CASE("samples that come again are counted, few or many") {
  for (const std::int64_t length : {std::int64_t{64}, std::int64_t{1} << 21}) {
    std::vector<SampleIndex> ids(static_cast<std::size_t>(length));
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<SampleIndex>(i / 64 * 2);
    const SampleContent content = contentOf(dealt(IndexList(ids), 1));
    CHECK(content.distinct() == length / 64);
    CHECK(content.repeats() == length - length / 64);
    CHECK(content.timesAgain(0) == 63);
    CHECK(content.timesAgain(1) == 0);
    CHECK(content.has(0));
    CHECK_FALSE(content.has(1));
    CHECK_FALSE(content.has(length * 100));
  }
}

TEST_CASE("readings are counted however often a sample comes") {
  std::vector<SampleIndex> ids(std::size_t{1} << 21);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<SampleIndex>(i % 4);
  const SampleContent often = contentOf(dealt(IndexList(ids), 1));
  CHECK(often.timesAgain(0) == (1 << 19) - 1);
  for (SampleIndex& id : ids) id = std::min<SampleIndex>(id, 2);
  const ReadingShares shares = compareSamples(often, contentOf(dealt(IndexList(ids), 1)), 0).shares;
  CHECK(shares.moved == 3 << 19);
  CHECK(shares.lost == 1 << 19);
  CHECK(shares.repeated == 1 << 19);
  CHECK(shares.sum() == 5 << 19);
}

TEST_CASE("an added sample is added once, and what comes of it again is repeated") {
  const SampleContent first = contentOf(dealt({0, 1, 2, 3}, 1));
  const SampleContent second = contentOf(dealt({0, 1, 2, 3, 9, 9, 9, 3}, 1));
  const ReadingShares shares = compareSamples(first, second, 0).shares;
  CHECK(shares.added == 1);
  CHECK(shares.repeated == 3);
  CHECK(shares.sum() == second.items());
}

TEST_CASE("padding that comes before its sample's own place leaves no repeat") {
  EpochPlan epoch;
  const OrderPtr order = Order::of(IndexList({0, 1, 1, 0}));
  for (Rank rank{0}; rank.value < 2; ++rank) {
    epoch.ranks.emplace_back(rank, Epoch{0}, Slice(order, rank.value, 2, 2, 2), Batching::ofSize(2, false), 0);
  }
  const SampleContent content = contentOf(epoch);
  CHECK(content.items() == 4);
  CHECK(content.repeats() == 0);
}
