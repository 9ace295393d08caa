// SPDX-License-Identifier: Apache-2.0
#include "core/collect/run_follower.h"

#include "core/base/phrase.h"
#include "core/base/result.h"
#include "core/collect/collect_words.h"
#include "core/diagnose/verdict_words.h"

#include <utility>

namespace shardlens {
namespace {

constexpr auto kPeriod = std::chrono::milliseconds(50);
constexpr auto kOverviewPeriod = std::chrono::seconds(1);

std::unique_ptr<RunReplay> watched(RunReplay replay) {
  auto shown = std::make_unique<RunReplay>(std::move(replay));
  shown->keepOverview();
  return shown;
}

}  // namespace

RunFollower::RunFollower(RunReplay replay, std::filesystem::path run_file, Deliver deliver)
    : run_file_(std::move(run_file)),
      deliver_(std::move(deliver)),
      replay_(watched(std::move(replay))),
      thread_([this](const std::stop_token& stop) { loop(stop); }) {}

RunFollower::RunFollower(RunFolder folder, std::shared_ptr<JobProcess> job, RunState starting, Deliver deliver)
    : run_file_(folder.runFile()),
      deliver_(std::move(deliver)),
      folder_(std::move(folder)),
      job_(std::move(job)),
      starting_(std::move(starting)),
      thread_([this](const std::stop_token& stop) { loop(stop); }) {}

RunFollower::~RunFollower() {
  requestStop();
}

void RunFollower::requestStop() {
  thread_.request_stop();
  const MutexLock lock(mutex_);
  advance_.request_stop();
}

void RunFollower::seek(std::int64_t ns) {
  {
    const MutexLock lock(mutex_);
    wish_ns_ = ns;
    wished_ = true;
    seeks_ = true;
    advance_.request_stop();
  }
  wake_.notify_one();
}

bool RunFollower::isSeeking() {
  const MutexLock lock(mutex_);
  return seeks_;
}

Work RunFollower::takeWish() {
  const MutexLock lock(mutex_);
  wished_ = false;
  advance_ = {};
  until_ns_ = wish_ns_;
  return Work{advance_.get_token(), {}};
}

void RunFollower::openIfThere() {
  if (replay_) return;
  if (auto opened = RunReplay::open(run_file_)) replay_ = watched(*std::move(opened));
}

bool RunFollower::writerIsAlive() {
  if (job_) return !job_->exitCode().has_value();
  if (!read_once_) return true;  // the file itself says who writes it
  return replay_ && replay_->isBeingWritten();
}

/// The reducer only goes forward: an earlier moment is reached from the beginning.
void RunFollower::goBack() {
  if (!replay_ || until_ns_ < 0 || until_ns_ >= replay_->now()) return;
  known_end_ns_ = std::max(known_end_ns_, replay_->newest());
  auto again = RunReplay::open(run_file_);
  if (!again) return;
  again->shareObserved(*replay_);
  replay_ = watched(*std::move(again));
  changed_ = true;
}

/// Long recordings are shown while they are read. Their end is shown with what follows from it: that nothing grows any
/// more, and that all of the run is in the overview.
void RunFollower::catchUp(const Work& work) {
  auto shown = std::chrono::steady_clock::now();
  while (replay_ && !work.stopped() && replay_->advance(until_ns_, work)) {
    changed_ = true;
    if (std::chrono::steady_clock::now() - shown < kPeriod || until_ns_ >= 0 || replay_->ended()) continue;
    publish();
    shown = std::chrono::steady_clock::now();
  }
}

/// A recording with an end is over; so is one that nobody wrote any more before it was read.
void RunFollower::lookForEnd() {
  const bool ended = replay_ && replay_->ended();
  if (!ended && (writer_alive_ || until_ns_ >= 0)) return;
  if (!over_) changed_ = true;
  if (!over_ && !(replay_ && replay_->begun())) describeFailedStart();
  if (!ended && changed_ && replay_ && replay_->begun()) replay_->markLost();
  over_ = true;
}

/// The supervisor went before it recorded anything: what it said is the reason.
void RunFollower::describeFailedStart() {
  starting_.status = JobStatus::Failed;
  starting_.exit_code = job_ ? job_->exitCode().value_or(0) : 0;
  starting_.failure = folder_ ? folder_->lastWords() : std::string();
  if (starting_.failure.empty()) starting_.failure = worded("record", "The recording ends before the job began.");
  starting_.verdicts = {{VerdictKind::LaunchFailed, -1, words::jobNotStarted({}).title, starting_.failure, {}, {}, 0}};
}

/// It costs more than a state, and the last seconds are in the state.
void RunFollower::renewOverview() {
  const auto now = std::chrono::steady_clock::now();
  if (replay_->now() <= overview_to_ns_) return;
  if (overview_ != nullptr && !over_ && now - overviewed_ < kOverviewPeriod) return;
  overviewed_ = now;
  overview_to_ns_ = replay_->now();
  if (auto newer = replay_->overview()) overview_ = std::make_shared<const Overview>(*std::move(newer));
}

void RunFollower::publish() {
  if (!changed_) return;
  changed_ = false;
  RunMoment moment;
  moment.recorder = job_ ? std::optional(job_->id()) : std::nullopt;
  if (replay_ && replay_->begun()) {
    moment.state = std::make_shared<const RunState>(replay_->state());
    moment.proof = std::make_shared<const BatchProof>(replay_->proof());
    moment.facts = replay_->facts();
    if (const auto recorder = replay_->recorder()) moment.recorder = recorder;
    renewOverview();
    moment.overview = overview_;
    moment.newest_ns = std::max(known_end_ns_, replay_->newest());
  } else {
    moment.state = std::make_shared<const RunState>(starting_);
    moment.proof = std::make_shared<const BatchProof>();
  }
  moment.live = !over_ && writer_alive_;
  moment.was_written = was_written_;
  deliver_(std::move(moment));
}

/// A recording that is over and shown has nothing more to say until somebody seeks in it.
void RunFollower::sleep(const std::stop_token& stop) {
  const bool may_change = !over_ || (job_ && !job_->exitCode());
  MutexLock lock(mutex_);
  seeks_ = wished_;  // what was wished for before has been delivered
  const auto woken = [this]() SHARDLENS_REQUIRES(mutex_) { return wished_; };
  if (may_change) {
    wake_.wait_for(lock, stop, kPeriod, woken);
  } else {
    wake_.wait(lock, stop, woken);
  }
}

void RunFollower::look(const std::stop_token& stop) {
  writer_alive_ = writerIsAlive();  // asked before reading: what a writer wrote before it went is read below
  was_written_ = was_written_ || (writer_alive_ && !over_ && (job_ || read_once_));
  openIfThere();
  const Work work = takeWish();
  if (stop.stop_requested()) return;
  goBack();
  catchUp(work);
  read_once_ = true;
  if (work.stopped()) return;
  lookForEnd();
  publish();
}

/// Shows why, and reads again from the beginning when somebody seeks.
void RunFollower::fail(const Error& error) {
  replay_.reset();
  starting_.status = JobStatus::Failed;
  starting_.failure = filled(worded("record", "The recording cannot be followed: %1"), error.message);
  over_ = true;
  changed_ = true;
  publish();
}

void RunFollower::loop(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    const auto looked = guarded([&] { look(stop); });
    if (!looked) (void)guarded([&] { fail(looked.error()); });
    sleep(stop);
  }
  // Here, because to free what a large recording takes would hold up the thread that destroys this.
  replay_.reset();
  overview_.reset();
  ended_ = true;
}

}  // namespace shardlens
