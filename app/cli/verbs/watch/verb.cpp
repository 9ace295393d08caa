// SPDX-License-Identifier: Apache-2.0
// shardlens watch [DIR] [--quiet]: follows the recording of a job, whoever started it, and shows it as `run` does. It
// may begin before the job, with it, or when it is over. Exit codes of `run`: 0 when the job ended well, 3 when how it
// ended is not known, 4 when it failed; 1 when it did not obey its design. Ctrl+C ends the watching, and that is 0.
#include "app/cli/verb.h"

#include "app/cli/verbs/run/run_text.h"
#include "core/base/text.h"
#include "core/collect/agent_recording.h"
#include "core/collect/awaited_job.h"
#include "core/collect/run_replay.h"
#include "core/collect/signals.h"
#include "core/launch/launch_command.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <poll.h>
#include <string>
#include <system_error>
#include <unistd.h>

namespace shardlens::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kLookEveryMs = 100;
constexpr int kLooksBetweenChoices = 10;
constexpr int kLooksBeforeAdvice = 80;

struct WatchArgs {
  std::string dir;
  bool quiet = false;
};

/// What was printed since `before`; all of it when nothing of that is left.
std::size_t firstNew(const RecentLines& lines, const RecentLines& before) {
  for (std::size_t i = lines.size(); i > 0 && before.size() > 0; --i) {
    if (lines.shares(i - 1, before, before.size() - 1)) return i;
  }
  return 0;
}

class Watch {
 public:
  /// `is_chosen`: nobody named the recording, so that a newer one replaces it until its job begins.
  Watch(fs::path recording, bool is_chosen, bool is_quiet, Screen& screen)
      : recording_(std::move(recording)),
        is_chosen_(is_chosen),
        is_quiet_(is_quiet),
        screen_(screen),
        progress_(screen, isatty(STDERR_FILENO) != 0, is_quiet) {}

  int run() {
    is_new_ = isAwaited(recording_);
    tellChoice();
    bool goes_on = true;
    while (goes_on && !isStopped()) goes_on = look();
    progress_.finish();
    if (!goes_on && !replay_) return notRecorded();
    return goes_on ? stopped() : over();
  }

 private:
  void tellChoice() {
    if (isAwaited(recording_)) {
      tell("Waiting for the first rank: nothing is recorded in " + recording_.string() + " yet.\n");
    } else if (is_chosen_) {
      tell("The newest recording is " + recording_.string() + ".\n");
    }
  }

  void tell(const std::string& text) {
    if (!is_quiet_) screen_.put(STDERR_FILENO, printable(text));
  }

  /// Waits a moment for Ctrl+C.
  bool isStopped() {
    pollfd asked{signals_.fd(), POLLIN, 0};
    (void)poll(&asked, 1, is_first_look_ ? 0 : kLookEveryMs);
    is_first_look_ = false;
    return signals_.take().stops > 0;
  }

  /// Shows what has come. False when no more will.
  bool look() {
    if (!replay_ && !open()) return awaits();
    // Asked before reading: what a recorder wrote before it went is read below.
    const bool is_written = !has_read_ || replay_->isBeingWritten();
    while (replay_->advance(-1, {})) {
    }
    has_read_ = true;
    const bool is_over = replay_->ended() || !is_written;
    if (is_over && !replay_->ended()) replay_->markLost();
    if (!is_over || replay_->begun()) show(is_over);
    return !is_over;
  }

  /// The job has not begun. False when it could not be recorded.
  bool awaits() {
    ++looks_;
    if (is_chosen_ && looks_ % kLooksBetweenChoices == 0) chooseAgain();
    if (looks_ == kLooksBeforeAdvice) tell(adviceOnSilence(recording_));
    return !failureToRecord(recording_);
  }

  void chooseAgain() {
    const fs::path newest = newestToWatch(recording_);
    if (newest == recording_) return;
    recording_ = newest;
    tellChoice();
  }

  int notRecorded() {
    screen_.put(STDOUT_FILENO, printable(*failureToRecord(recording_) + "\n"));
    screen_.finish();
    return kEnvironment;
  }

  bool open() {
    if (isAwaited(recording_)) return false;
    auto replay = RunReplay::open(recording_);
    if (!replay) return false;  // its first bytes are about to be written
    replay_.emplace(*std::move(replay));
    return true;
  }

  /// The lines of a job that was under way when we came are in its recording.
  void show(bool is_over) {
    const RunState state = replay_->state();
    const bool was_there = !is_new_ && !has_shown_;
    for (std::size_t i = was_there ? state.log.size() : firstNew(state.log, shown_); i < state.log.size(); ++i)
      progress_.line(state.log[i]);
    shown_ = state.log;
    has_shown_ = true;
    if (!is_over) progress_.show(state, recording_);
  }

  int stopped() {
    tell(replay_ ? "Watching has ended; the job goes on, and so does its recording.\n"
                 : "Watching has ended; the job has not begun.\n");
    screen_.finish();
    return kFine;
  }

  int over() {
    const RunState state = replay_->state();
    const bool is_whole = replay_->ended();
    screen_.put(STDOUT_FILENO, closingText(state, recording_.string(), {}, is_whole));
    if (const std::string note = replay_->note(); is_whole && !note.empty())
      screen_.put(STDOUT_FILENO, printable(note + "\n"));
    tellFindings(recording_.string(), is_quiet_, screen_);
    tellNextStart();
    screen_.finish();
    const Obeyed proof = is_whole ? obeyed(state) : Obeyed{};
    if (state.exit_code != kFine) return state.exit_code;
    return is_whole ? proof.code : static_cast<int>(kEnvironment);
  }

  Obeyed obeyed(const RunState& state) {
    const auto facts = replay_->facts();
    if (!facts || !facts->is_design || state.status == JobStatus::Stopped) return {};
    const auto plan = Plan::make(facts->spec);
    return plan ? tellObeyed(*plan, recording_.string(), facts->is_typed, is_quiet_, screen_) : Obeyed{};
  }

  void tellNextStart() {
    const fs::path next = recordingOfNextStart(recording_);
    std::error_code error;
    if (!fs::exists(recording_ / "start", error) || !fs::exists(next / "start", error)) return;
    screen_.put(STDOUT_FILENO,
                printable("The same shell started ranks again, recorded by themselves:\n  shardlens watch " +
                          shellQuoted(next.string()) + "\n"));
  }

  fs::path recording_;
  bool is_chosen_;
  bool is_quiet_;
  Screen& screen_;
  RunProgress progress_;
  Signals signals_;
  std::optional<RunReplay> replay_;
  RecentLines shown_;
  bool is_new_ = false;  ///< the job had not begun when we came
  bool is_first_look_ = true;
  int looks_ = 0;  ///< before the job has begun
  bool has_read_ = false;
  bool has_shown_ = false;
};

int run(const WatchArgs& options) {
  const auto recording = recordingToWatch(options.dir);
  if (!recording) return fail(recording.error());
  if (!isAwaited(*recording)) {
    if (auto opened = RunReplay::open(*recording); !opened) return fail(opened.error());
  }
  auto screen = Screen::open();
  if (!screen) return fail(screen.error());
  return Watch(*recording, options.dir.empty(), options.quiet, *screen).run();
}

}  // namespace

void addWatch(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<WatchArgs>();
  Arguments verb(app, "watch", "Follows a job that is recorded, whoever started it, as run shows its own");
  verb.add(
      "DIR", options->dir,
      "recording, or the folder that env made; default: the newest that goes on, or else the newest, whose job may "
      "be to come or over");
  verb.addFlag("--quiet", options->quiet,
               "show only how the job ended: exit code 0 is well, 1 not as designed, 3 not known, 4 failed");
  verb.runs(chosen, [options] { return run(*options); });
}

}  // namespace shardlens::cli
