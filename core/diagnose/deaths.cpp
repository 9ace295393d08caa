// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/deaths.h"

#include <algorithm>
#include <csignal>
#include <limits>

namespace shardlens {

void Deaths::bye(std::int64_t rank, int exit_code, std::int64_t time_ns, int signal) {
  Ending& ending = at(rank);
  if (ending.how != RankEnd::NotYet && ending.how != RankEnd::SaidBye) return;
  if (signal != 0) {
    ending = {is_ended_ || somebody_died_ ? RankEnd::SentAway : RankEnd::Died, time_ns, 0, signal, false};
    somebody_died_ = true;
    return sendAwaySince(time_ns + 1);
  }
  ending = {exit_code == 0 ? RankEnd::SaidBye : RankEnd::GaveUp, time_ns, exit_code, 0, false};
  if (exit_code == 0) return;
  somebody_died_ = true;
  sendAwaySince(time_ns);  // though that was seen first
}

bool Deaths::isNamed(std::size_t rank) const {
  return std::find(named_.begin(), named_.end(), static_cast<std::int64_t>(rank)) != named_.end();
}

void Deaths::sendAwaySince(std::int64_t time_ns) {
  for (std::size_t i = 0; i < endings_.size(); ++i) {
    const bool went = endings_[i].how == RankEnd::Died || endings_[i].how == RankEnd::Unsaid;
    if (went && !isNamed(i) && endings_[i].time_ns >= time_ns) endings_[i].how = RankEnd::SentAway;
  }
}

void Deaths::gone(std::int64_t rank, std::int64_t time_ns, bool always_says) {
  Ending& ending = at(rank);
  if (ending.how != RankEnd::NotYet) return;
  ending.time_ns = time_ns;
  if (is_ended_ || somebody_died_) {
    ending.how = RankEnd::SentAway;
  } else if (always_says && !stood_still_) {
    ending.how = RankEnd::Died;
    somebody_died_ = true;
  } else {
    ending.how = RankEnd::Unsaid;
  }
}

void Deaths::shown(std::int64_t rank) {
  Ending& ending = at(rank);
  if (ending.how != RankEnd::Unsaid) return;
  sendAwaySince(ending.time_ns);
  ending.how = RankEnd::Died;
  somebody_died_ = true;
}

void Deaths::endedTogether() {
  for (Ending& ending : endings_) {
    if (ending.how == RankEnd::Unsaid) ending.how = RankEnd::SentAway;
  }
  somebody_died_ = true;
}

std::vector<std::int64_t> Deaths::unsaid() const {
  std::vector<std::int64_t> ranks;
  for (std::size_t i = 0; i < endings_.size(); ++i) {
    if (endings_[i].how == RankEnd::Unsaid) ranks.push_back(static_cast<std::int64_t>(i));
  }
  std::ranges::stable_sort(ranks, [this](std::int64_t a, std::int64_t b) { return of(a).time_ns < of(b).time_ns; });
  return ranks;
}

void Deaths::launcherIsGone() {
  if (is_ended_) return;
  is_ended_ = true;
  for (Ending& ending : endings_) {
    if (ending.how == RankEnd::Died || ending.how == RankEnd::Unsaid) ending.how = RankEnd::SentAway;
  }
}

void Deaths::launcherSays(const LauncherSays& says, std::int64_t time_ns) {
  if (says.rank < 0) return launcherIsGone();
  const bool is_failure = says.signal != 0 || says.exit_code != 0;
  if (is_ended_ || !is_failure || says.rank >= static_cast<std::int64_t>(endings_.size())) return;
  Ending& ending = at(says.rank);
  if (ending.how == RankEnd::GaveUp) return;  // it has said so itself
  // Somebody ended a job that stood still: that rank is not why.
  if (stood_still_ && (says.signal == SIGTERM || says.signal == SIGINT)) {
    ending = {RankEnd::SentAway, ending.time_ns >= 0 ? ending.time_ns : time_ns, 0, says.signal, false};
    sendAwaySince(std::numeric_limits<std::int64_t>::min());
    return endedTogether();
  }
  const bool after_bye = ending.how == RankEnd::SaidBye || ending.after_bye;
  ending = {RankEnd::Died, ending.time_ns >= 0 ? ending.time_ns : time_ns, says.exit_code, says.signal, after_bye};
  named_.push_back(says.rank);
  somebody_died_ = true;
  // Whom we took for the first to die was only the first that we saw go.
  sendAwaySince(std::numeric_limits<std::int64_t>::min());
}

}  // namespace shardlens
