// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/run_state.h"
#include "core/launch/launchers/launcher.h"
#include "core/record/event.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace shardlens {

/// How a job ended, with the sentence for it, from what its ranks, its launcher and its supervisor said.
class JobEnding {
 public:
  /// `is_command`: as Job says.
  explicit JobEnding(bool is_command = false) : is_command_(is_command) {}
  /// Takes every event of the run.
  void heed(const Event& event);
  /// The end of a job whose launcher ended like this. `is_own_program`: its ranks use our exit codes.
  [[nodiscard]] RunEnd of(const ProcessExit& exit, const Launcher& launcher, const RunState& state,
                          bool is_own_program) const;

 private:
  [[nodiscard]] std::string wordsOf(std::int64_t rank) const;
  [[nodiscard]] std::string failureOfUnknown(const ProcessExit& exit, const Launcher& launcher) const;
  [[nodiscard]] std::string failure(const ProcessExit& exit, const Launcher& launcher) const;

  [[nodiscard]] std::string endedFromOutside(const ProcessExit& exit, const Launcher& launcher) const;

  bool is_command_;
  std::optional<RunStopping> stopping_;             ///< we ended the job
  std::optional<LauncherSays> first_end_;           ///< of a rank, as the launcher says
  bool launcher_ended_ = false;                     ///< by something other than us
  std::map<std::int64_t, std::string> last_error_;  ///< the last line of each rank's standard error
};

/// The sentence of the first verdict of this kind; empty when there is none.
std::string firstSentence(const RunState& state, VerdictKind kind);

}  // namespace shardlens
