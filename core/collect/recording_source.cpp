// SPDX-License-Identifier: Apache-2.0
#include "core/collect/recording_source.h"

#include <utility>

namespace shardlens {

Result<RecordingSource> RecordingSource::open(const std::filesystem::path& path) {
  auto reader = RecordingReader::open(path);
  if (!reader) return reader.error();
  return RecordingSource(*std::move(reader));
}

bool RecordingSource::isAfter(const Event& event, std::int64_t ns) const {
  return ns >= 0 && first_ns_ >= 0 && event.time_ns - first_ns_ > ns;
}

void RecordingSource::hand(EventSink& sink, const Event& event) {
  if (first_ns_ < 0) first_ns_ = event.time_ns;
  sink.event(event);
}

bool RecordingSource::handLater(EventSink& sink) {
  bool handed = false;
  std::deque<Event> still_later;
  for (Event& event : later_) {
    if (isAfter(event, until_ns_)) {
      still_later.push_back(std::move(event));
    } else {
      hand(sink, event);
      handed = true;
    }
  }
  later_ = std::move(still_later);
  return handed;
}

bool RecordingSource::pull(EventSink& sink) {
  // The recorder drains one rank's ring after the other: events of different ranks come a little out of order.
  constexpr std::int64_t kDisorderNs = 1'000'000'000;
  constexpr std::size_t kLookAtStop = 256;
  bool handed = handLater(sink);
  if (next_ == events_.size()) {
    events_ = reader_.readMore();
    next_ = 0;
  }
  for (; next_ < events_.size(); ++next_) {
    if (next_ % kLookAtStop == 0 && work_.stopped()) break;
    Event& event = events_[next_];
    if (until_ns_ >= 0 && isAfter(event, until_ns_ + kDisorderNs)) break;
    if (isAfter(event, until_ns_)) {
      later_.push_back(std::move(event));
    } else {
      hand(sink, event);
    }
    handed = true;
  }
  return handed;
}

}  // namespace shardlens
