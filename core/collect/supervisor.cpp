// SPDX-License-Identifier: Apache-2.0
#include "core/collect/supervisor.h"

#include "core/collect/collect_words.h"
#include "core/collect/job_source.h"

#include <string>
#include <utility>

namespace shardlens {
namespace {

using Clock = std::chrono::steady_clock;

/// Output of the job that is recorded; a job that prints more is not stopped, only cut.
constexpr std::int64_t kMostLogged = 64'000'000;

}  // namespace

Supervisor::Supervisor(Job job, RecordingWriter writer, Watcher watcher)
    : job_(std::move(job)),
      run_(std::move(writer), job_.expected, std::move(job_.drawn)),
      watcher_(std::move(watcher)),
      ending_(job_.is_command) {}

/// Whoever watches sees every line; the recording has only so much room for them.
void Supervisor::event(const Event& event) {
  ending_.heed(event);
  const auto* line = std::get_if<LogLine>(&event.what);
  if (line != nullptr) {
    if (watcher_.on_line) watcher_.on_line(*line);
    if (logged_bytes_ > kMostLogged) return;
    logged_bytes_ += static_cast<std::int64_t>(line->text.size());
  }
  run_.event(event);
  if (line != nullptr && logged_bytes_ > kMostLogged)
    run_.event({eventTime(), LogLine{LogLine::kOwn, true, words::tooMuchOutput()}});
  if (std::holds_alternative<Tick>(event.what)) tell();
}

void Supervisor::records(std::int64_t rank, std::span<const sl_record> records) {
  run_.records(rank, records);
}

/// Everything to the recording, without waiting for the disk, and to those who watch; a job that cannot go on is ended
/// after its grace.
void Supervisor::tell() {
  recording_ = run_.writer().send();
  const RunState state = run_.state();
  if (watcher_.on_state) watcher_.on_state(state);
  const std::string why = source_ != nullptr && watcher_.why_end ? watcher_.why_end(state) : "";
  if (!why.empty()) source_->stop(*this, false, why);
  const std::string died = firstSentence(state, VerdictKind::Dead);
  // A command of the user's may know what to do when a rank is gone.
  if (job_.is_typed || (!state.deadlocked && died.empty())) {
    hopeless_since_.reset();
  } else if (!hopeless_since_) {
    hopeless_since_ = Clock::now();
  } else if (source_ != nullptr && Clock::now() - *hopeless_since_ > job_.grace) {
    source_->stop(*this, false, died.empty() ? firstSentence(state, VerdictKind::Mismatch) : died);
  }
}

RunEnd Supervisor::failedStart(const Error& error) {
  event({eventTime(), LogLine{LogLine::kOwn, true, error.text()}});
  return {JobStatus::Failed, exitCode(error.code), error.text()};
}

RunEnd Supervisor::runJob(const Signals& signals) {
  auto source = JobSource::start(job_, *job_.launch, signals);
  if (!source) return failedStart(source.error());
  source_ = &*source;
  drive(*source, *this);
  source_ = nullptr;
  return ending_.of(*source->exit(), *job_.launcher, run_.state(), job_.is_own_program);
}

RunState Supervisor::run() {
  const Signals signals;
  event({eventTime(), job_.begin});
  if (job_.launch) {
    for (const std::string& note : job_.launch->notes) event({eventTime(), LogLine{LogLine::kOwn, false, note}});
  }
  recording_ = run_.writer().flush();
  const RunEnd end = job_.launch ? runJob(signals) : failedStart(job_.launch.error());
  event({eventTime(), end});
  recording_ = run_.writer().flush();
  RunState state = run_.state();
  if (watcher_.on_state) watcher_.on_state(state);
  return state;
}

}  // namespace shardlens
