// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/time_lost.h"

#include "tests/support/histories.h"

#include <doctest/doctest.h>

#include <random>

using namespace shardlens;
using namespace shardlens::test;

namespace {

using Set = std::vector<bool>;

/// Exponential times, and rank 3 slower by 5 ms.
std::vector<double> noisyWork(std::mt19937& random, std::size_t ranks) {
  std::exponential_distribution<double> noise(0.5);
  std::vector<double> work(ranks);
  for (double& one : work) one = 10 + noise(random);
  work[3] += 5;
  return work;
}

}  // namespace

TEST_CASE("the wait of all is owed by the latest, down to the next latest") {
  HistoryMaker maker(4);
  for (int i = 0; i < 40; ++i) maker.add({10, 70, 10, 50});  // rank 1 is 60 ms late, rank 3 40 ms
  const TimeLost& lost = maker.lost();
  CHECK(lost.owed(lost.all(), {false, true, false, false}).gain_ms == doctest::Approx(40 * 20));
  CHECK(lost.owed(lost.all(), {false, true, false, false}).lost_ms == doctest::Approx(40 * 60));
  CHECK(lost.owed(lost.all(), {false, false, false, true}).gain_ms == 0);
  CHECK(lost.owed(lost.all(), {false, true, false, true}).gain_ms == doctest::Approx(40 * 60));
  // Ranks 0 and 2 wait 60 ms each, rank 3 20 ms.
  CHECK(lost.owed(lost.all(), {false, true, false, true}).lost_ms == doctest::Approx(40 * 140));
  CHECK(lost.owed({10, 20}, {false, true, false, true}).gain_ms == doctest::Approx(10 * 60));
  CHECK(lost.owed(lost.all(), {true, false, true, false}).gain_ms == 0);
  CHECK(lost.owed(lost.all(), Set(4, true)).gain_ms == 0);
  CHECK(lost.owed(lost.all(), Set(4, false)).lost_ms == 0);
  CHECK(lost.milliseconds(lost.all()) == doctest::Approx(60 + 39 * 70));
}

TEST_CASE("what all but one set owe adds up to the wait of all") {
  std::mt19937 random(3);
  HistoryMaker maker(4);
  double waited = 0;
  for (int i = 0; i < 100; ++i) {
    const auto work = noisyWork(random, 4);
    maker.add(work);
    for (const double one : work) waited += *std::max_element(work.begin(), work.end()) - one;
  }
  // The last one to be left waits for nobody but the others, whichever it is.
  for (std::size_t first = 0; first < 4; ++first) {
    Set others(4, true);
    others[first] = false;
    double until_first = 0;
    for (std::size_t row = 0; row < 100; ++row) {
      for (const float late : maker.lost().late(row))
        until_first += std::max(0.0F, maker.lost().late(row)[first] - late);
    }
    CHECK(maker.lost().owed(maker.lost().all(), others).lost_ms + until_first == doctest::Approx(waited).epsilon(1e-4));
  }
}

TEST_CASE("a long run is thinned: its memory is bounded, all that was lost stays, and each sum stays true") {
  std::mt19937 random(5);
  HistoryMaker maker(8);
  Set slow(8, false);
  slow[3] = true;
  Set pair = slow;
  pair[6] = true;
  double spread = 0;
  double gain = 0;
  double gain_of_pair = 0;
  constexpr int kCollectives = 100'000;
  for (int i = 0; i < kCollectives; ++i) {
    auto work = noisyWork(random, 8);
    if (i == 40'000) work[6] += 5000;
    maker.add(work);
    const auto latestOf = [&work](const Set& without) {
      double latest = 0;
      for (std::size_t rank = 0; rank < 8; ++rank) latest = without[rank] ? latest : std::max(latest, work[rank]);
      return latest;
    };
    const double last = latestOf(Set(8, false));
    spread += last - *std::min_element(work.begin(), work.end());
    gain += last - latestOf(slow);
    gain_of_pair += last - latestOf(pair);
  }
  const TimeLost& lost = maker.lost();
  CHECK(lost.size() <= 4096);
  CHECK(lost.collectives(lost.all()) == kCollectives);
  double kept = 0;
  double longest = 0;
  std::int64_t expected_step = 0;
  for (std::size_t row = 0; row < lost.size(); ++row) {
    const double late = lost.late(row)[lost.lastOf(row)];
    kept += lost.row(row).weight * late;
    longest = std::max(longest, late);
    CHECK(lost.row(row).step == expected_step);
    expected_step = lost.row(row).last_step + 1;
  }
  CHECK(kept == doctest::Approx(spread).epsilon(1e-5));
  CHECK(longest > 4990);
  CHECK(lost.owed(lost.all(), slow).gain_ms == doctest::Approx(gain).epsilon(0.03));
  CHECK(lost.owed(lost.all(), pair).gain_ms == doctest::Approx(gain_of_pair).epsilon(0.03));
  // The newest quarter is as it was.
  for (std::size_t row = lost.size() - 500; row < lost.size(); ++row) CHECK(lost.row(row).weight == 1);
}

TEST_CASE("places in the order of arrival; equal times share them") {
  HistoryMaker maker(4);
  maker.add({10, 30, 10, 20});
  const auto order = maker.lost().order(0);
  CHECK(std::vector<int>(order.begin(), order.end()) == std::vector<int>{1, 6, 1, 4});
  CHECK(maker.lost().lastOf(0) == 1);
}
