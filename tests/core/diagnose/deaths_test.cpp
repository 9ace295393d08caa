// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/deaths.h"

#include <doctest/doctest.h>

using namespace shardlens;

TEST_CASE("the first to go without a good-bye died, the others were sent away") {
  Deaths deaths(3);
  deaths.bye(2, 0, 5);
  deaths.gone(2, 6);
  deaths.gone(1, 10);
  deaths.gone(0, 11);
  CHECK(deaths.of(2).how == RankEnd::SaidBye);
  CHECK(deaths.of(1).how == RankEnd::Died);
  CHECK(deaths.of(1).time_ns == 10);
  CHECK(deaths.of(0).how == RankEnd::SentAway);
}

TEST_CASE("the launcher's account is surer than the order in which processes were seen to go") {
  Deaths deaths(3);
  deaths.gone(1, 10);
  deaths.gone(0, 11);
  deaths.launcherSays({0, 0, 9}, 20);
  CHECK(deaths.of(0).how == RankEnd::Died);
  CHECK(deaths.of(0).signal == 9);
  CHECK(deaths.of(0).time_ns == 11);
  CHECK(deaths.of(1).how == RankEnd::SentAway);
  deaths.launcherSays({2, 3, 0}, 21);  // before its process is seen to be gone
  deaths.gone(2, 30);
  CHECK(deaths.of(2).how == RankEnd::Died);
  CHECK(deaths.of(2).exit_code == 3);
  CHECK(deaths.of(0).how == RankEnd::Died);
}

TEST_CASE("a rank may give up, or die after its good-bye; who goes once the job is ended was sent away") {
  Deaths deaths(4);
  deaths.bye(0, 4, 1);
  deaths.launcherSays({0, 4, 0}, 2);
  CHECK(deaths.of(0).how == RankEnd::GaveUp);
  deaths.bye(1, 0, 1);
  deaths.launcherSays({1, 0, 11}, 3);
  CHECK(deaths.of(1).how == RankEnd::Died);
  CHECK(deaths.of(1).after_bye);
  deaths.jobIsEnded();
  deaths.gone(2, 5);
  deaths.launcherSays({2, 0, 15}, 6);
  CHECK(deaths.of(2).how == RankEnd::SentAway);
  CHECK(deaths.of(3).how == RankEnd::NotYet);
  deaths.launcherSays({77, 0, 9}, 7);
}

TEST_CASE("who goes after a rank gave up was sent away, in whatever order that was seen") {
  Deaths deaths(3);
  deaths.gone(0, 12);
  deaths.bye(1, 3, 10);
  deaths.gone(2, 13);
  CHECK(deaths.of(0).how == RankEnd::SentAway);
  CHECK(deaths.of(1).how == RankEnd::GaveUp);
  CHECK(deaths.of(2).how == RankEnd::SentAway);
  Deaths before(2);
  before.gone(0, 9);
  before.bye(1, 3, 10);
  CHECK(before.of(0).how == RankEnd::Died);
}

TEST_CASE("a rank that took a signal as the order to end did not end itself") {
  Deaths deaths(3);
  deaths.bye(1, 130, 10, 2);
  deaths.bye(0, 130, 11, 2);
  deaths.gone(2, 12);
  CHECK(deaths.of(1).how == RankEnd::Died);
  CHECK(deaths.of(1).signal == 2);
  CHECK(deaths.of(0).how == RankEnd::SentAway);
  CHECK(deaths.of(2).how == RankEnd::SentAway);
  deaths.launcherSays({-1, 1, 0}, 20);  // it was asked to end, and asked its ranks
  CHECK(deaths.of(1).how == RankEnd::SentAway);
  Deaths ended(1);
  ended.jobIsEnded();
  ended.bye(0, 130, 10, 2);
  CHECK(ended.of(0).how == RankEnd::SentAway);
}

TEST_CASE("a good-bye that the slot told is replaced by the rank's own, which knows the code") {
  Deaths deaths(1);
  deaths.bye(0, 0, 4);
  deaths.bye(0, 3, 5);
  CHECK(deaths.of(0).how == RankEnd::GaveUp);
  CHECK(deaths.of(0).exit_code == 3);
}

TEST_CASE("who goes without a word, and need not say one, is blamed only when something shows that it died") {
  Deaths deaths(4);
  deaths.gone(2, 10, false);
  deaths.gone(1, 11, false);
  deaths.gone(0, 12, false);
  CHECK(deaths.unsaid() == std::vector<std::int64_t>{2, 1, 0});
  deaths.shown(1);
  CHECK(deaths.of(2).how == RankEnd::Unsaid);
  CHECK(deaths.of(1).how == RankEnd::Died);
  CHECK(deaths.of(0).how == RankEnd::SentAway);
  deaths.gone(3, 13, false);
  CHECK(deaths.of(3).how == RankEnd::SentAway);
  deaths.launcherSays({3, 5, 0}, 14);
  CHECK(deaths.of(3).how == RankEnd::Died);
  CHECK(deaths.unsaid().empty());
}
