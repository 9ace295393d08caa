// SPDX-License-Identifier: Apache-2.0
#include "core/audit/sample_sets.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <random>

using namespace shardlens;

namespace {

constexpr std::int64_t kUniverse = 2'500'000;  ///< more than two pieces of the index that sparse sets are counted with

/// One rank's items as given, in one batch.
RankEpoch itemsOf(std::vector<std::int64_t> ids) {
  const auto size = static_cast<std::int64_t>(ids.size());
  return {Rank{0}, Epoch{0}, Slice(Order::of(std::move(ids)), 0, 1, size, size),
          Batching::ofSize(std::max<std::int64_t>(1, size), false), 0};
}

std::vector<std::int64_t> draw(std::mt19937_64& random, std::int64_t count, std::int64_t below) {
  std::vector<std::int64_t> ids;
  for (std::int64_t i = 0; i < count; ++i)
    ids.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(below)));
  return ids;
}

}  // namespace

TEST_CASE("lists, bits and wholes are counted against each other as sorted lists count them") {
  std::mt19937_64 random(3);
  std::vector<std::vector<std::int64_t>> drawn;
  for (const std::int64_t count : {0, 1, 500, 60'000, 500'000}) {
    drawn.push_back(draw(random, count, kUniverse));
    drawn.push_back(draw(random, count, kUniverse / 10));
  }
  drawn.emplace_back(kUniverse);
  std::iota(drawn.back().begin(), drawn.back().end(), 0);
  drawn.push_back({0, kUniverse - 1});

  SampleSetMaker maker(kUniverse);
  std::vector<SampleSet> sets;
  std::vector<std::vector<std::int64_t>> slow;
  for (const auto& ids : drawn) {
    auto set = maker.of(itemsOf(ids), static_cast<std::int64_t>(ids.size()), {});
    REQUIRE(set);
    sets.push_back(*std::move(set));
    slow.push_back(ids);
    std::ranges::sort(slow.back());
    slow.back().erase(std::unique(slow.back().begin(), slow.back().end()), slow.back().end());
  }
  CHECK(std::any_of(sets.begin(), sets.end(), [](const SampleSet& set) { return set.ids.size() > 1000; }));
  CHECK(std::any_of(sets.begin(), sets.end(), [](const SampleSet& set) { return !set.bits.empty(); }));
  CHECK(std::any_of(sets.begin(), sets.end(), [](const SampleSet& set) { return set.all; }));

  const auto shared = sharedCounts(sets, kUniverse, {});
  REQUIRE(shared);
  for (std::size_t a = 0; a < sets.size(); ++a) {
    for (std::size_t b = 0; b < sets.size(); ++b) {
      CAPTURE(a);
      CAPTURE(b);
      std::vector<SampleIndex> both;
      std::set_intersection(slow[a].begin(), slow[a].end(), slow[b].begin(), slow[b].end(), std::back_inserter(both));
      CHECK((*shared)[a * sets.size() + b] == static_cast<std::int64_t>(both.size()));
      both.resize(std::min<std::size_t>(both.size(), 100));
      CHECK(firstShared(sets[a], sets[b], kUniverse, 100) == both);
    }
  }
}

TEST_CASE("a whole set takes no memory and a small one little") {
  std::vector<std::int64_t> all(1000);
  std::iota(all.begin(), all.end(), 0);
  CHECK(SampleSetMaker(1000).of(itemsOf(all), 1000, {})->bytes() == 0);
  CHECK(SampleSetMaker(kUniverse).of(itemsOf({5, 5, 7}), 3, {})->bytes() == 8);
}

TEST_CASE("counting stops when asked to") {
  std::stop_source source;
  source.request_stop();
  const Work work{source.get_token(), {}};
  CHECK(SampleSetMaker(10).of(itemsOf({1, 2}), 2, work).error().code == ErrorCode::Cancelled);
}
