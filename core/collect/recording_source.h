// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/collect/event_source.h"
#include "core/record/recording_reader.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <vector>

namespace shardlens {

/// The events of a recording, finished or still growing, up to any moment of it.
class RecordingSource : public EventSource {
 public:
  /// Io when it cannot be opened; BadInput when it is no recording, or one of a newer format.
  static Result<RecordingSource> open(const std::filesystem::path& path);

  /// Keeps back what is later than this moment of the run, in nanoseconds since its first event; negative: nothing.
  void setLimit(std::int64_t until_ns) { until_ns_ = until_ns; }
  /// pull() returns early when this says so.
  void setWork(const Work& work) { work_ = work; }
  /// Hands over some megabytes of what there is.
  bool pull(EventSink& sink) override;

  /// Its last event was read.
  [[nodiscard]] bool ended() const { return reader_.ended(); }
  [[nodiscard]] const RecordingReader& reader() const { return reader_; }

 private:
  explicit RecordingSource(RecordingReader reader) : reader_(std::move(reader)) {}
  void hand(EventSink& sink, const Event& event);
  bool handLater(EventSink& sink);
  [[nodiscard]] bool isAfter(const Event& event, std::int64_t ns) const;

  RecordingReader reader_;
  Work work_;
  std::deque<Event> later_;    ///< read and later than what was asked for so far, in file order
  std::vector<Event> events_;  ///< read and not looked at from next_ on
  std::size_t next_ = 0;
  std::int64_t first_ns_ = -1;
  std::int64_t until_ns_ = -1;
};

}  // namespace shardlens
