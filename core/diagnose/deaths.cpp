// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/deaths.h"

#include <algorithm>

namespace shardlens {

void Deaths::bye(std::int64_t rank, int exit_code, std::int64_t time_ns) {
  Ending& ending = at(rank);
  if (ending.how != RankEnd::NotYet && ending.how != RankEnd::SaidBye) return;
  ending = {exit_code == 0 ? RankEnd::SaidBye : RankEnd::GaveUp, time_ns, exit_code, 0, false};
}

void Deaths::gone(std::int64_t rank, std::int64_t time_ns) {
  Ending& ending = at(rank);
  if (ending.how != RankEnd::NotYet) return;
  ending.time_ns = time_ns;
  ending.how = is_ended_ || somebody_died_ ? RankEnd::SentAway : RankEnd::Died;
  somebody_died_ = true;
}

void Deaths::launcherIsGone() {
  if (is_ended_) return;
  is_ended_ = true;
  for (Ending& ending : endings_) {
    if (ending.how == RankEnd::Died) ending.how = RankEnd::SentAway;
  }
}

void Deaths::launcherSays(const LauncherSays& says, std::int64_t time_ns) {
  if (says.rank < 0) return launcherIsGone();
  const bool is_failure = says.signal != 0 || says.exit_code != 0;
  if (is_ended_ || !is_failure || says.rank >= static_cast<std::int64_t>(endings_.size())) return;
  Ending& ending = at(says.rank);
  if (ending.how == RankEnd::GaveUp) return;  // it has said so itself
  const bool after_bye = ending.how == RankEnd::SaidBye || ending.after_bye;
  ending = {RankEnd::Died, ending.time_ns >= 0 ? ending.time_ns : time_ns, says.exit_code, says.signal, after_bye};
  named_.push_back(says.rank);
  somebody_died_ = true;
  // Whom we took for the first to die was only the first that we saw go.
  for (std::size_t i = 0; i < endings_.size(); ++i) {
    const bool is_named = std::find(named_.begin(), named_.end(), static_cast<std::int64_t>(i)) != named_.end();
    if (endings_[i].how == RankEnd::Died && !is_named) endings_[i].how = RankEnd::SentAway;
  }
}

}  // namespace shardlens
