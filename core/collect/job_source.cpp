// SPDX-License-Identifier: Apache-2.0
#include "core/collect/job_source.h"

#include "core/base/process.h"
#include "core/collect/collect_words.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <poll.h>
#include <unistd.h>
#include <utility>

namespace shardlens {
namespace {

using std::chrono::milliseconds;

/// How often a progress bar of the job makes a line.
constexpr milliseconds kProgressEvery{2000};

/// Reads what is there; false once the other side is closed.
bool readAll(int fd, PrintedOutput& output, const PrintedOutput::UseLine& use) {
  std::array<char, 65536> bytes{};
  // At most a megabyte at a time: a job that only prints must not keep us from its rings.
  for (int i = 0; i < 16; ++i) {
    const ssize_t got = read(fd, bytes.data(), bytes.size());
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return false;
    if (got < 0) return true;
    output.add({bytes.data(), static_cast<std::size_t>(got)}, use);
  }
  return true;
}

/// Keeps events back, and lets records through.
class HeldEvents : public EventSink {
 public:
  explicit HeldEvents(EventSink& sink) : sink_(sink) {}
  void event(const Event& event) override { held_.push_back(event); }
  void records(std::int64_t rank, std::span<const sl_record> records) override { sink_.records(rank, records); }
  void release() {
    for (const Event& event : std::exchange(held_, {})) sink_.event(event);
  }

 private:
  EventSink& sink_;
  std::vector<Event> held_;
};

}  // namespace

Result<JobSource> JobSource::start(Job& job, const Launch& launch, const Signals& signals) {
  auto group = ProcessGroup::start(launch);
  if (!group) return group.error();
  return JobSource(job, std::move(*group), signals);
}

JobSource::JobSource(Job& job, ProcessGroup group, const Signals& signals)
    : job_(&job),
      group_(std::move(group)),
      signals_(&signals),
      rings_(std::make_unique<RingSet>(job.dir.path().string(), job.begin.world_size)),
      stacks_(job.dir.path()) {
  for (const StartedProcess& process : group_.processes()) {
    streams_.push_back({process.output, true, {*job.launcher, process.rank, false}});
    streams_.push_back({process.errors, true, {*job.launcher, process.rank, true}});
  }
}

bool JobSource::pull(EventSink& sink) {
  if (exit_) return false;
  wait();
  handleStop(sink);
  drain(sink);
  if (Clock::now() >= next_look_) look(sink);
  collect(sink);
  if (!exit_) {
    if (ending_ && Clock::now() > kill_at_) (void)group_.kill(milliseconds(500));
    return true;
  }
  if (!group_.kill()) sink.event({eventTime(), LogLine{LogLine::kOwn, true, words::processesLeft()}});
  finish(sink);
  return false;
}

void JobSource::wait() {
  std::vector<pollfd> fds = {{signals_->fd(), POLLIN, 0}, {group_.news(), POLLIN, 0}};
  for (const Stream& stream : streams_) {
    if (stream.is_open) fds.push_back({stream.fd, POLLIN, 0});
  }
  const std::size_t handles_from = fds.size();
  for (const int handle : rings_->processHandles()) fds.push_back({handle, POLLIN, 0});
  poll(fds.data(), fds.size(), static_cast<int>(kDrainEvery.count()));
  // Who dies first is the one to name, so a death is looked at at once and not with the next look.
  const bool somebody_ended = std::any_of(fds.begin() + static_cast<std::ptrdiff_t>(handles_from), fds.end(),
                                          [](const pollfd& fd) { return fd.revents != 0; });
  if (somebody_ended) next_look_ = Clock::now();
}

void JobSource::handleStop(EventSink& sink) {
  const Asked asked = signals_->take();
  const auto say = [&sink](const std::string& text) { sink.event({eventTime(), LogLine{LogLine::kOwn, true, text}}); };
  for (const int signal : asked.passed) {
    group_.pass(signal);
    say(words::signalPassedOn(signalName(signal)));
  }
  if (asked.terminal_gone) say(words::terminalClosed());
  if (asked.stops == 0) return;
  if (ending_) {
    (void)group_.kill();
  } else {
    stop(sink, true, asked.is_users_stop ? words::userStopped() : words::askedToStop(signalName(asked.stop_signal)));
  }
}

void JobSource::stop(EventSink& sink, bool by_user, const std::string& why) {
  if (exit_ || std::exchange(ending_, true)) return;
  kill_at_ = Clock::now() + job_->grace;
  rings_->drain(sink);
  sink.event({eventTime(), RunStopping{by_user, why}});
  group_.terminate();
}

void JobSource::print(EventSink& sink, const PrintedLine& line) {
  sink.event({eventTime(), LogLine{line.rank, line.is_error, line.text}});
  if (line.rank >= 0 || !line.is_error) return;
  if (const auto end = job_->launcher->heed(line.text))
    sink.event({eventTime(), LauncherSays{end->rank, end->exit_code, end->signal}});
}

void JobSource::drain(EventSink& sink) {
  const auto use = [&](const PrintedLine& line) { print(sink, line); };
  for (Stream& stream : streams_) stream.is_open = stream.is_open && readAll(stream.fd, stream.output, use);
  rings_->drain(sink);
}

void JobSource::showProgress(EventSink& sink) {
  if (Clock::now() < next_progress_) return;
  next_progress_ = Clock::now() + kProgressEvery;
  for (Stream& stream : streams_) stream.output.showProgress([&](const PrintedLine& line) { print(sink, line); });
}

/// A launcher that is stopped neither prints nor ends: without a word that looks like a job that hangs.
void JobSource::lookAtLauncher(EventSink& sink) {
  bool is_stopped = false;
  for (const StartedProcess& process : group_.processes()) {
    if (process.rank >= 0 || process.exit) continue;
    const char state = processStat(process.id.pid).value_or(ProcessStat{}).state;
    is_stopped = is_stopped || state == 'T' || state == 't';
  }
  if (std::exchange(launcher_stopped_, is_stopped) == is_stopped) return;
  const words::Starter starter{job_->launcher->name(), job_->is_command};
  const std::string told = is_stopped ? words::launcherStopped(starter) : words::launcherContinues(starter);
  sink.event({eventTime(), LogLine{LogLine::kOwn, true, told}});
}

/// Slots and processes, then the time.
void JobSource::look(EventSink& sink) {
  next_look_ = Clock::now() + kLookEvery;
  showProgress(sink);
  lookAtLauncher(sink);
  rings_->discover(sink);
  HeldEvents held(sink);
  rings_->look(held);
  stacks_.look(held);
  collect(sink);  // ranks follow their launcher: its end comes before theirs
  held.release();
  sink.event({eventTime(), Tick{}});
}

void JobSource::collect(EventSink& sink) {
  if (exit_) return;
  const auto ended = group_.collect();
  if (!ended.empty()) drain(sink);  // their last words come first
  for (const StartedProcess& process : ended) {
    if (process.rank < 0 || process.exit->code == 0) continue;
    const int signal = process.exit->signal;
    sink.event({eventTime(), LauncherSays{process.rank, signal == 0 ? process.exit->code : 0, signal}});
  }
  exit_ = group_.exit();
  if (!exit_) return;
  if (job_->launcher->wasEndedFromOutside(*exit_))
    sink.event({eventTime(), LauncherSays{-1, exit_->code, exit_->signal}});
}

/// What ranks and launcher said last, after all are gone.
void JobSource::finish(EventSink& sink) {
  drain(sink);
  for (Stream& stream : streams_) stream.output.finish([&](const PrintedLine& line) { print(sink, line); });
  rings_->discover(sink);
  rings_->drain(sink);
  rings_->look(sink);
}

}  // namespace shardlens
