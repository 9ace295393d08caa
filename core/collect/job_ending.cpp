// SPDX-License-Identifier: Apache-2.0
#include "core/collect/job_ending.h"

#include "core/base/exit_code.h"
#include "core/base/process.h"
#include "core/base/text.h"

#include <algorithm>
#include <vector>

namespace shardlens {
namespace {

std::string endedFromOutside(const ProcessExit& exit, const Launcher& launcher) {
  const std::string name = std::string("The launcher ") + launcher.name();
  if (exit.signal != 0) return name + " was ended by " + signalName(exit.signal) + ", and the ranks ended with it.";
  return name + " was asked to end by another process, and ended the ranks.";
}

/// Our rank programs report what they do: a job of theirs that nothing was seen of has not done its work.
bool nobodyWasHeard(const RunState& state) {
  return !state.ranks.empty() && std::all_of(state.ranks.begin(), state.ranks.end(),
                                             [](const RankState& rank) { return rank.status == RankStatus::Unheard; });
}

std::string endedWithoutWork(const Launcher& launcher, const RunState& state) {
  return "The launcher " + std::string(launcher.name()) + " ended with code 0, but " +
         (state.world_size == 1 ? "its rank was" : "none of its " + counted(state.world_size, "rank") + " was") +
         " ever heard from.";
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

/// What the ranks said last, when nobody knows which of them failed: a rank's words are never given as another's.
std::string JobEnding::wordsOfRanks() const {
  const std::int64_t rank = last_error_.begin()->first;
  const std::string& text = last_error_.begin()->second;  // not a structured binding: clang 14 does not capture one
  const bool agree = last_error_.size() > 1 && std::all_of(last_error_.begin(), last_error_.end(),
                                                           [&](const auto& one) { return one.second == text; });
  if (agree) return ": " + text;
  if (last_error_.size() == 1) return ". The last error line of rank " + std::to_string(rank) + ": " + text;
  constexpr std::size_t kMost = 4;
  std::vector<std::string> said;
  for (const auto& [who, words] : last_error_) {
    if (said.size() < kMost) said.push_back("rank " + std::to_string(who) + ": " + words);
  }
  const std::size_t more = last_error_.size() - said.size();
  return ". The last error lines: " + join(said, "; ") +
         (more == 0 ? "" : "; and those of " + counted(std::int64_t(more), "more rank"));
}

std::string JobEnding::failure(const ProcessExit& exit, const Launcher& launcher) const {
  if (first_end_ && first_end_->exit_code != 0) {
    const std::string words = wordsOf(first_end_->rank);
    return "Rank " + std::to_string(first_end_->rank) + " ended with code " + std::to_string(first_end_->exit_code) +
           (words.empty() ? "." : ": " + words);
  }
  const std::string text =
      "The launcher " + std::string(launcher.name()) + " ended with code " + std::to_string(exit.code);
  if (!last_error_.empty()) return text + wordsOfRanks();
  return text + (launcher.words().empty() ? "." : ": " + launcher.words());
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
  if (!is_named && !died.empty()) return {JobStatus::Failed, kJobFailed, died};
  if (exit.code == 0 && is_own_program && nobodyWasHeard(state))
    return {JobStatus::Failed, kJobFailed, endedWithoutWork(launcher, state)};
  if (exit.code == 0) return {JobStatus::Finished, kFine, {}};
  return {JobStatus::Failed, is_refusal ? exit.code : kJobFailed, failure(exit, launcher)};
}

}  // namespace shardlens
