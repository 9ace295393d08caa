// SPDX-License-Identifier: Apache-2.0
// Which of a rank's loaders is held against the design. Real jobs: tests/integration/capture/design_jobs.py.
#include "core/diagnose/rank_tracker.h"

#include <doctest/doctest.h>

using namespace shardlens;

namespace {

constexpr std::int64_t kSteps = 8;

/// An epoch, or its first steps, in a pass of its own.
void read(DrawnTally& tally, std::int64_t loader, std::int64_t pass, std::int64_t epoch, bool matches,
          std::int64_t steps = kSteps) {
  for (std::int64_t step = 0; step < steps; ++step) tally.add({loader, pass, epoch, step, matches});
}

void check(const DrawnTally& tally, std::int64_t loader, std::int64_t matched, std::int64_t mismatched) {
  const DrawnTally::Counts counts = tally.counts();
  CHECK(counts.loader == loader);
  CHECK(counts.matched == matched);
  CHECK(counts.mismatched == mismatched);
  CHECK(counts.first_difference.has_value() == (mismatched > 0));
}

}  // namespace

TEST_CASE("a single loader is counted as it is") {
  DrawnTally tally;
  CHECK(tally.counts() == DrawnTally::Counts{});
  read(tally, 0, 0, 0, true);
  read(tally, 0, 1, 1, false);
  check(tally, 0, kSteps, kSteps);
  CHECK(tally.counts().first_difference == std::pair<std::int64_t, std::int64_t>{1, 0});
}

TEST_CASE("a loader that differs is forgotten when one reads the design") {
  DrawnTally tally;  // another fold of a cross-validation first
  read(tally, 0, 0, 0, false);
  read(tally, 0, 1, 1, false);
  check(tally, 0, 0, 2 * kSteps);
  read(tally, 1, 2, 0, true, 1);
  check(tally, 1, 1, 0);
  read(tally, 1, 2, 0, true);
  read(tally, 1, 3, 1, true);
  check(tally, 1, 2 * kSteps + 1, 0);
  read(tally, 2, 4, 0, false);  // and another one afterwards
  check(tally, 1, 2 * kSteps + 1, 0);
}

TEST_CASE("of two loaders that are read in turns the one that obeys is meant") {
  DrawnTally tally;
  for (std::int64_t step = 0; step < kSteps; ++step) {
    tally.add({1, 1, 0, step, false});
    tally.add({0, 0, 0, step, true});
    check(tally, 0, step + 1, 0);
  }
}

TEST_CASE("a look at the first batches, as planned, excuses no training that differs") {
  DrawnTally tally;
  read(tally, 0, 0, 0, true, 1);
  read(tally, 1, 1, 0, false);
  check(tally, 0, 1, 0);
  read(tally, 1, 2, 1, false);
  check(tally, 1, 0, 2 * kSteps);
}

TEST_CASE("an epoch that is read several times counts once") {
  DrawnTally tally;
  read(tally, 0, 0, 0, true, 3);
  read(tally, 0, 1, 0, true, 2);
  check(tally, 0, 3, 0);
  read(tally, 0, 2, 0, true);
  read(tally, 0, 3, 1, true);
  check(tally, 0, 2 * kSteps, 0);
}

TEST_CASE("many trainings of a search are no more than some of them") {
  DrawnTally tally;
  read(tally, 0, 0, 0, true);
  for (std::int64_t loader = 1; loader < 1000; ++loader) read(tally, loader, loader, 0, false, 2);
  check(tally, 0, kSteps, 0);
}
