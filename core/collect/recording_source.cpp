// SPDX-License-Identifier: Apache-2.0
#include "core/collect/recording_source.h"

#include "core/traces/foreign_job.h"

#include <algorithm>
#include <utility>

namespace shardlens {

Result<RecordingSource> RecordingSource::open(const std::filesystem::path& path) {
  RecordingSource source;
  if (traces::isForeignTrace(path)) {
    auto job = traces::readForeignTrace(path);
    if (!job) return job.error();
    source.trace_.emplace(*std::move(job));
    return source;
  }
  auto reader = RecordingReader::open(path);
  if (!reader) return reader.error();
  source.reader_.emplace(*std::move(reader));
  return source;
}

void RecordingSource::setLimit(std::int64_t until_ns) {
  until_ns_ = until_ns;
  if (trace_) trace_->setLimit(until_ns);
}

void RecordingSource::setWork(const Work& work) {
  work_ = work;
  if (trace_) trace_->setWork(work);
}

std::optional<ProcessId> RecordingSource::recorder() const {
  return reader_ ? reader_->recorder() : std::nullopt;
}

bool RecordingSource::isAfter(std::int64_t ns, std::int64_t limit_ns) const {
  return limit_ns >= 0 && first_ns_ >= 0 && ns - first_ns_ > limit_ns;
}

/// A time that is not to be believed is no reason to keep an event back.
std::int64_t RecordingSource::timeOf(const Event& event) {
  if (const auto* clock = std::get_if<RunClock>(&event.what)) clocks_.learn(*clock);
  const EventClock clock = clocks_.at(event.clock, event.time_ns, newest_ns_);
  auto ns = static_cast<std::uint64_t>(event.time_ns);
  return event.time_ns >= 0 && clock.bring(ns) ? static_cast<std::int64_t>(ns) : newest_ns_;
}

bool RecordingSource::handLater(EventSink& sink) {
  bool handed = false;
  std::deque<Timed> still_later;
  for (Timed& one : later_) {
    if (isAfter(one.ns, until_ns_)) {
      still_later.push_back(std::move(one));
    } else {
      sink.event(one.event);
      handed = true;
    }
  }
  later_ = std::move(still_later);
  return handed;
}

bool RecordingSource::pull(EventSink& sink) {
  if (trace_) return trace_->pull(sink);
  // The recorder drains one rank's ring after the other: events of different ranks come a little out of order.
  constexpr std::int64_t kDisorderNs = 1'000'000'000;
  constexpr std::size_t kLookAtStop = 256;
  bool handed = handLater(sink);
  if (next_ == events_.size()) {
    events_ = reader_->readMore();
    next_ = 0;
  }
  for (; next_ < events_.size(); ++next_) {
    if (next_ % kLookAtStop == 0 && work_.stopped()) break;
    Event& event = events_[next_];
    const std::int64_t ns = timeOf(event);
    if (until_ns_ >= 0 && isAfter(ns, until_ns_ + kDisorderNs)) break;
    if (first_ns_ < 0) first_ns_ = ns;
    newest_ns_ = std::max(newest_ns_, ns);
    if (isAfter(ns, until_ns_)) {
      later_.push_back({std::move(event), ns});
    } else {
      sink.event(event);
    }
    handed = true;
  }
  return handed;
}

}  // namespace shardlens
