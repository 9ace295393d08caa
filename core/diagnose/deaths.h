// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/record/event.h"

#include <cstdint>
#include <vector>

namespace shardlens {

/// How a rank ended.
enum class RankEnd : std::uint8_t {
  NotYet,
  SaidBye,   ///< it had finished, and reported that
  GaveUp,    ///< it reported the error with which it ends itself
  Unsaid,    ///< its process ended without saying so, as after os._exit() or a signal, and nothing shows which
  Died,      ///< its process ended without saying so before it had come to its end, and neither launcher nor supervisor
             ///< ended it; or the launcher says that it failed
  SentAway,  ///< the launcher or the supervisor ended it, because another rank died or the job was stopped
};

struct Ending {
  RankEnd how = RankEnd::NotYet;
  std::int64_t time_ns = -1;  ///< when it said that it had finished, or when its process was gone
  int exit_code = 0;          ///< that it ended with, as it or the launcher says; 0 = not known, or fine
  int signal = 0;             ///< that ended it, as it or the launcher says; 0 = none, or not known
  bool after_bye = false;     ///< it died although it had said that it had finished
};

/// The one place that decides which rank died, and which was only asked to stop. The launcher's account is more
/// reliable than the order in which processes were seen to end, since a launcher ends the others within a millisecond.
class Deaths {
 public:
  explicit Deaths(std::int64_t world_size = 0) : endings_(static_cast<std::size_t>(world_size)) {}

  /// Sets the number of ranks and forgets how they ended; what the launcher said is kept.
  void grow(std::int64_t world_size) { endings_.assign(static_cast<std::size_t>(world_size), {}); }
  /// `signal`: its program took it as the order to end, as Python does with an uncaught KeyboardInterrupt; 0: none.
  void bye(std::int64_t rank, int exit_code, std::int64_t time_ns, int signal = 0);
  /// `always_says`: a rank of this program that ends well says so.
  void gone(std::int64_t rank, std::int64_t time_ns, bool always_says = true);
  /// Something shows that this rank, which is Unsaid, had not finished.
  void shown(std::int64_t rank);
  void launcherSays(const LauncherSays& says, std::int64_t time_ns);
  /// The supervisor begins to end the job: ranks that end from now on were told to.
  void jobIsEnded() { is_ended_ = true; }

  /// No rank made progress when the first one ended, so no rank ended because another was missing: somebody who saw the
  /// standstill may have ended the job.
  void jobStoodStill() { stood_still_ = true; }
  [[nodiscard]] bool hasStoodStill() const { return stood_still_; }
  /// All that are Unsaid were ended together.
  void endedTogether();

  /// Ranks that are Unsaid, the first to go first.
  [[nodiscard]] std::vector<std::int64_t> unsaid() const;
  [[nodiscard]] const Ending& of(std::int64_t rank) const { return endings_[static_cast<std::size_t>(rank)]; }

 private:
  /// The launcher was ended: its ranks end with it, in any order.
  void launcherIsGone();
  [[nodiscard]] bool isNamed(std::size_t rank) const;
  /// Ranks that ended from this moment on ended because of another rank.
  void sendAwaySince(std::int64_t time_ns);
  Ending& at(std::int64_t rank) { return endings_[static_cast<std::size_t>(rank)]; }

  std::vector<Ending> endings_;
  std::vector<std::int64_t> named_;  ///< ranks that the launcher says failed
  bool somebody_died_ = false;
  bool is_ended_ = false;
  bool stood_still_ = false;
};

}  // namespace shardlens
