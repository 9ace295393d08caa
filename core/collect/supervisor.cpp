// SPDX-License-Identifier: Apache-2.0
#include "core/collect/supervisor.h"

#include "core/collect/output_lines.h"
#include "core/collect/ring_set.h"
#include "core/launch/process_group.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <optional>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace shardlens {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kDrainEvery{20};
constexpr milliseconds kLookEvery{100};
/// Output of the job that is recorded; a job that prints more is not stopped, only cut.
constexpr std::int64_t kMostLogged = 64'000'000;

std::int64_t now() {
  return static_cast<std::int64_t>(sl_now());
}

/// SIGINT, SIGTERM, SIGHUP and SIGCHLD as a readable file, and back to normal afterwards.
class Signals {
 public:
  Signals() {
    sigset_t wanted;
    sigemptyset(&wanted);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) sigaddset(&wanted, signal);
    pthread_sigmask(SIG_BLOCK, &wanted, &before_);
    fd_ = signalfd(-1, &wanted, SFD_NONBLOCK | SFD_CLOEXEC);
  }
  ~Signals() {
    close(fd_);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  [[nodiscard]] int fd() const { return fd_; }
  /// How many requests to stop have come since the last call.
  [[nodiscard]] int stopRequests() const {
    int requests = 0;
    signalfd_siginfo info{};
    while (read(fd_, &info, sizeof(info)) == sizeof(info)) requests += info.ssi_signo != SIGCHLD ? 1 : 0;
    return requests;
  }

 private:
  int fd_ = -1;
  sigset_t before_{};
};

/// Reads what is there; false once the other side is closed.
bool readAll(int fd, OutputLines& lines, const std::function<void(const LogLine&)>& use) {
  std::array<char, 65536> bytes{};
  // At most a megabyte at a time: a job that only prints must not keep us from its rings.
  for (int i = 0; i < 16; ++i) {
    const ssize_t got = read(fd, bytes.data(), bytes.size());
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return false;
    if (got < 0) return true;
    lines.add({bytes.data(), static_cast<std::size_t>(got)}, use);
  }
  return true;
}

std::string firstSentence(const RunState& state, VerdictKind kind) {
  for (const Verdict& verdict : state.verdicts) {
    if (verdict.kind == kind) return verdict.message;
  }
  return {};
}

}  // namespace

/// The loop of one job, with what lives only as long as it runs.
class Supervisor::Watch {
 public:
  Watch(Supervisor& owner, ProcessGroup group)
      : owner_(owner), group_(std::move(group)), rings_(owner.job_.job_dir, owner.job_.begin.world_size) {}

  /// The launcher's exit status, when everything has ended.
  int untilEnd(const Signals& signals) {
    std::optional<int> status;
    while (!status) {
      wait(signals);
      handleStop(signals.stopRequests());
      drain();
      if (Clock::now() >= next_look_) look();
      status = group_.collect();
      if (!status) escalate();
    }
    if (!group_.kill()) owner_.line({-1, true, "Some processes of the job could not be killed."});
    finish();
    return *status;
  }

 private:
  void wait(const Signals& signals) {
    std::vector<pollfd> fds = {{signals.fd(), POLLIN, 0}};
    if (output_open_) fds.push_back({group_.output(), POLLIN, 0});
    if (errors_open_) fds.push_back({group_.errors(), POLLIN, 0});
    const std::size_t handles_from = fds.size();
    for (const int handle : rings_.processHandles()) fds.push_back({handle, POLLIN, 0});
    poll(fds.data(), fds.size(), static_cast<int>(kDrainEvery.count()));
    // Who dies first is the one to name, so a death is looked at at once and not with the next look.
    const bool somebody_ended = std::any_of(fds.begin() + static_cast<std::ptrdiff_t>(handles_from), fds.end(),
                                            [](const pollfd& fd) { return fd.revents != 0; });
    if (somebody_ended) next_look_ = Clock::now();
  }

  void drain() {
    const auto use = [this](const LogLine& line) { owner_.line(line); };
    output_open_ = output_open_ && readAll(group_.output(), out_, use);
    errors_open_ = errors_open_ && readAll(group_.errors(), err_, use);
    rings_.drain(records_);
  }

  /// Slots and processes, then everything to the file and to those who watch.
  void look() {
    next_look_ = Clock::now() + kLookEvery;
    rings_.discover(events_);
    rings_.look(records_, events_);
    tell();
  }

  void tell() {
    owner_.event({now(), Tick{}});
    owner_.recording_ = owner_.writer_.flush();
    const RunState state = owner_.reducer_.snapshot();
    if (owner_.watcher_.on_state) owner_.watcher_.on_state(state);
    const bool died = !firstSentence(state, VerdictKind::Dead).empty();
    if (!state.deadlocked && !died) {
      hopeless_since_.reset();
    } else if (!hopeless_since_) {
      hopeless_since_ = Clock::now();
    } else if (!ending_ && Clock::now() - *hopeless_since_ > owner_.job_.grace) {
      stop(false, firstSentence(state, died ? VerdictKind::Dead : VerdictKind::Mismatch));
    }
  }

  void handleStop(int requests) {
    if (requests == 0) return;
    if (ending_) {
      (void)group_.kill();
    } else {
      stop(true, "The user stopped the job.");
    }
  }

  void stop(bool by_user, const std::string& why) {
    ending_ = true;
    kill_at_ = Clock::now() + owner_.job_.grace;
    owner_.by_user_ = by_user;
    owner_.stop_reason_ = why;
    rings_.drain(records_);
    owner_.event({now(), RunStopping{by_user, why}});
    group_.terminate();
  }

  void escalate() {
    if (ending_ && Clock::now() > kill_at_) (void)group_.kill(milliseconds(500));
  }

  /// What ranks and launcher said last, after all are gone.
  void finish() {
    drain();
    const auto use = [this](const LogLine& line) { owner_.line(line); };
    out_.finish(use);
    err_.finish(use);
    rings_.discover(events_);
    rings_.drain(records_);
    rings_.look(records_, events_);
  }

  Supervisor& owner_;
  ProcessGroup group_;
  RingSet rings_;
  OutputLines out_{false};
  OutputLines err_{true};
  bool output_open_ = true;
  bool errors_open_ = true;
  bool ending_ = false;
  Clock::time_point next_look_ = Clock::now();
  Clock::time_point kill_at_;
  std::optional<Clock::time_point> hopeless_since_;

  const RingSet::UseEvent events_ = [this](const Event& event) { owner_.event(event); };
  const RingSet::UseRecords records_ = [this](std::int64_t rank, const sl_record* records, std::size_t count) {
    owner_.writer_.add(rank, {records, count});
    for (std::size_t i = 0; i < count; ++i) {
      owner_.reducer_.apply({static_cast<std::int64_t>(records[i].time_ns), RankRecord{rank, records[i]}});
    }
  };
};

Supervisor::Supervisor(Job job, RecordingWriter writer, Watcher watcher)
    : job_(std::move(job)), writer_(std::move(writer)), watcher_(std::move(watcher)), reducer_(job_.expected) {}

void Supervisor::event(const Event& event) {
  writer_.add(event);
  reducer_.apply(event);
}

/// Open MPI says in its last lines which process ended with which code.
void Supervisor::heedLauncher(const std::string& text) {
  // Its first line says most; rules of dashes around its messages say nothing.
  const bool says_something = text.find_first_not_of("-= ") != std::string::npos;
  if (first_error_of_launcher_.empty() && says_something) first_error_of_launcher_ = text;
  const std::size_t noticed = text.find("noticed that process rank ");
  LauncherSays says;
  long long rank = -1;
  if (noticed != std::string::npos &&
      std::sscanf(text.c_str() + noticed, "noticed that process rank %lld with PID %*d on node %*s exited on signal %d",
                  &rank, &says.signal) == 2) {
    says.rank = rank;
    event({now(), says});
  }
  (void)std::sscanf(text.c_str(), " Process name: [[%*d,%*d],%lld]", &failed_rank_);
  (void)std::sscanf(text.c_str(), " Exit code: %d", &failed_code_);
}

void Supervisor::line(const LogLine& line) {
  if (line.is_error && line.rank >= 0 && !line.text.empty()) last_error_of_rank_ = line.text;
  if (line.is_error && line.rank < 0) heedLauncher(line.text);
  if (watcher_.on_line) watcher_.on_line(line);
  if (logged_bytes_ > kMostLogged) return;
  logged_bytes_ += static_cast<std::int64_t>(line.text.size());
  event({now(), line});
  if (logged_bytes_ > kMostLogged)
    event({now(), LogLine{-1, true, "Further output was not recorded: it is too much."}});
}

void Supervisor::begin() {
  event({now(), job_.begin});
  for (const std::string& note : job_.command.notes) line({-1, false, note});
  recording_ = writer_.flush();
}

std::string Supervisor::failureOf(int exit_status) const {
  const bool is_named = failed_rank_ >= 0 && failed_code_ != 0;
  std::string text = is_named
                         ? "Rank " + std::to_string(failed_rank_) + " ended with code " + std::to_string(failed_code_)
                         : "The launcher ended with code " + std::to_string(exit_status);
  const std::string& words = last_error_of_rank_.empty() ? first_error_of_launcher_ : last_error_of_rank_;
  return text + (words.empty() ? "." : ": " + words);
}

RunEnd Supervisor::failedStart(const Error& error) {
  const bool is_here = error.code == ErrorCode::Environment;
  line({-1, true, error.text()});
  return {JobStatus::Failed, is_here ? 3 : 2, error.text()};
}

RunEnd Supervisor::verdictOn(int exit_status, const RunState& state) const {
  if (by_user_) return {JobStatus::Stopped, 4, stop_reason_};
  if (!stop_reason_.empty()) return {JobStatus::Failed, 4, stop_reason_};
  const std::string died = firstSentence(state, VerdictKind::Dead);
  if (exit_status == 0 && died.empty()) return {JobStatus::Finished, 0, {}};
  if (!died.empty()) return {JobStatus::Failed, 4, died};
  // Our rank programs use our codes: 2 for a wrong spec, 3 for a machine that cannot do it. Their sentence says it all.
  const bool speaks_our_codes = !job_.program.empty() && (exit_status == 2 || exit_status == 3);
  if (speaks_our_codes && !last_error_of_rank_.empty()) return {JobStatus::Failed, exit_status, last_error_of_rank_};
  return {JobStatus::Failed, speaks_our_codes ? exit_status : 4, failureOf(exit_status)};
}

RunState Supervisor::run() {
  const Signals signals;
  begin();
  auto group = ProcessGroup::start(job_.command);
  RunEnd end;
  if (!group) {
    end = failedStart(group.error());
  } else {
    Watch watch(*this, std::move(*group));
    const int status = watch.untilEnd(signals);
    end = verdictOn(status, reducer_.snapshot());
  }
  return finish(end);
}

RunState Supervisor::refuse(const Error& why) {
  begin();
  return finish(failedStart(why));
}

RunState Supervisor::finish(const RunEnd& end) {
  event({now(), end});
  recording_ = writer_.flush();
  RunState state = reducer_.snapshot();
  if (watcher_.on_state) watcher_.on_state(state);
  return state;
}

}  // namespace shardlens
