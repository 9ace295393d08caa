// SPDX-License-Identifier: Apache-2.0
#include "core/collect/job_ending.h"

#include "core/base/process.h"
#include "core/base/result.h"
#include "core/collect/collect_words.h"

#include <algorithm>
#include <vector>

namespace shardlens {
namespace {

/// Our rank programs report what they do: a job of theirs that nothing was seen of has not done its work.
bool nobodyWasHeard(const RunState& state) {
  return !state.ranks.empty() &&
         std::ranges::all_of(state.ranks, [](const RankState& rank) { return rank.status == RankStatus::Unheard; });
}

}  // namespace

std::string firstSentence(const RunState& state, VerdictKind kind) {
  for (const Verdict& verdict : state.verdicts) {
    if (verdict.kind == kind) return verdict.message;
  }
  return {};
}

void JobEnding::heed(const Event& event) {
  if (const auto* line = std::get_if<LogLine>(&event.what)) {
    if (line->is_error && line->rank >= 0 && !line->text.empty()) last_error_[line->rank] = line->text;
  } else if (const auto* says = std::get_if<LauncherSays>(&event.what)) {
    launcher_ended_ = launcher_ended_ || says->rank < 0;
    if (says->rank >= 0 && !first_end_ && !stopping_) first_end_ = *says;
  } else if (const auto* stopping = std::get_if<RunStopping>(&event.what)) {
    stopping_ = *stopping;
  }
}

std::string JobEnding::wordsOf(std::int64_t rank) const {
  const auto found = last_error_.find(rank);
  return found == last_error_.end() ? std::string() : found->second;
}

/// With what the ranks said last, when nobody knows which of them failed: a rank's words are never given as another's.
std::string JobEnding::failureOfUnknown(const ProcessExit& exit, const Launcher& launcher) const {
  constexpr std::size_t kMost = 4;
  const std::string& text = last_error_.begin()->second;
  const bool agree =
      last_error_.size() > 1 && std::ranges::all_of(last_error_, [&](const auto& one) { return one.second == text; });
  std::vector<words::RankSaid> said;
  for (const auto& one : last_error_) {
    if (said.size() < kMost) said.emplace_back(one);
  }
  const auto more = static_cast<std::int64_t>(last_error_.size() - said.size());
  return words::launcherFailed({launcher.name(), is_command_}, exit.code, said, more, agree);
}

std::string JobEnding::failure(const ProcessExit& exit, const Launcher& launcher) const {
  if (first_end_ && first_end_->exit_code != 0)
    return words::rankFailed(first_end_->rank, first_end_->exit_code, wordsOf(first_end_->rank));
  if (is_command_ && exit.signal != 0)
    return words::commandKilled({launcher.name(), is_command_}, signalName(exit.signal));
  return last_error_.empty() ? words::launcherFailed({launcher.name(), is_command_}, exit.code, launcher.words())
                             : failureOfUnknown(exit, launcher);
}

std::string JobEnding::endedFromOutside(const ProcessExit& exit, const Launcher& launcher) const {
  return exit.signal != 0 ? words::launcherKilled({launcher.name(), is_command_}, signalName(exit.signal))
                          : words::launcherAskedToEnd({launcher.name(), is_command_});
}

RunEnd JobEnding::of(const ProcessExit& exit, const Launcher& launcher, const RunState& state,
                     bool is_own_program) const {
  const bool is_named = first_end_ && first_end_->exit_code != 0;
  if (stopping_ && stopping_->by_user) return {JobStatus::Stopped, kJobFailed, stopping_->why};
  if (stopping_) return {JobStatus::Failed, kJobFailed, is_named ? failure(exit, launcher) : stopping_->why};
  if (launcher_ended_) return {JobStatus::Failed, kJobFailed, endedFromOutside(exit, launcher)};
  // Our rank programs use our codes: 2 for a wrong spec, 3 for a machine that cannot do it. One of them says why, for
  // all.
  const bool is_refusal = is_own_program && (exit.code == kUsage || exit.code == kEnvironment);
  if (is_refusal && !last_error_.empty()) return {JobStatus::Failed, exit.code, last_error_.begin()->second};
  const std::string died = firstSentence(state, VerdictKind::Dead);
  const bool is_fine = exit.code == 0 && !is_own_program;  // a program of the user's may end as it likes
  if (!is_named && !died.empty() && !is_fine) return {JobStatus::Failed, kJobFailed, died};
  if (exit.code == 0 && is_own_program && nobodyWasHeard(state))
    return {JobStatus::Failed, kJobFailed, words::noRankHeard({launcher.name(), is_command_}, state.world_size)};
  if (exit.code == 0) return {JobStatus::Finished, kFine, {}};
  return {JobStatus::Failed, is_refusal ? exit.code : kJobFailed, failure(exit, launcher)};
}

}  // namespace shardlens
