// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/collect/event_source.h"
#include "core/diagnose/clock_table.h"
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

  /// Holds back what is later than this moment of the run, in nanoseconds of the reference clock since its first event;
  /// negative: nothing. Times of other clocks are converted to the reference's as ClockTable says: by the measured
  /// offset, or, where there is none, so that the first event of a clock comes when it is read.
  void setLimit(std::int64_t until_ns) { until_ns_ = until_ns; }
  /// pull() returns early when this says so.
  void setWork(const Work& work) { work_ = work; }
  /// Delivers the next few megabytes.
  bool pull(EventSink& sink) override;

  /// Its last event was read.
  [[nodiscard]] bool ended() const { return reader_.ended(); }
  [[nodiscard]] const RecordingReader& reader() const { return reader_; }

 private:
  explicit RecordingSource(RecordingReader reader) : reader_(std::move(reader)) {}
  /// An event with its time by the reference clock.
  struct Timed {
    Event event;
    std::int64_t ns = 0;
  };
  bool handLater(EventSink& sink);
  [[nodiscard]] std::int64_t timeOf(const Event& event);
  [[nodiscard]] bool isAfter(std::int64_t ns, std::int64_t limit_ns) const;

  RecordingReader reader_;
  Work work_;
  ClockTable clocks_;
  std::deque<Timed> later_;    ///< read and later than what was asked for so far, in file order
  std::vector<Event> events_;  ///< read, and not yet handled from next_ on
  std::size_t next_ = 0;
  std::int64_t first_ns_ = -1;
  std::int64_t newest_ns_ = 0;  ///< by the reference clock, of what was taken so far
  std::int64_t until_ns_ = -1;
};

}  // namespace shardlens
