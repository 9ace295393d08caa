// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/collect/event_source.h"
#include "core/collect/trace_source.h"
#include "core/diagnose/rank_tracker.h"
#include "core/record/recording_reader.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace shardlens {

/// The events of a recording, finished or still growing, or of a trace that another tool wrote, up to any moment of it.
class RecordingSource : public EventSource {
 public:
  /// Io when it cannot be opened; BadInput when it is neither a recording nor a trace, or one of a newer format.
  static Result<RecordingSource> open(const std::filesystem::path& path);

  /// Holds back what is later than this moment of the run, in nanoseconds of the reference clock since its first event;
  /// negative: nothing. Times of other clocks are converted to the reference's as ClockTable says: by the measured
  /// offset, or, where there is none, so that the first event of a clock comes when it is read.
  void setLimit(std::int64_t until_ns);
  /// pull() returns early when this says so.
  void setWork(const Work& work);
  /// Delivers the next few megabytes.
  bool pull(EventSink& sink) override;

  /// Its last event was read.
  [[nodiscard]] bool ended() const { return trace_ ? trace_->ended() : reader_->ended(); }
  [[nodiscard]] bool isBeingWritten() const { return reader_ && reader_->isBeingWritten(); }
  /// The process that records the job, when it is one that this process could signal.
  [[nodiscard]] std::optional<ProcessId> recorder() const;
  /// Sentences about what was not read and what is uncertain; empty when there is nothing to say.
  [[nodiscard]] std::string note() const { return trace_ ? trace_->note() : reader_->note(); }
  [[nodiscard]] RecordingLost lost() const { return trace_ ? RecordingLost{trace_->note()} : reader_->lost(); }
  [[nodiscard]] bool isDamaged() const { return trace_ ? trace_->isDamaged() : reader_->isDamaged(); }
  /// How it ends, when another tool wrote it; null: it is a recording of ours.
  [[nodiscard]] std::shared_ptr<const TraceEnd> traceEnd() const { return trace_ ? trace_->end() : nullptr; }

 private:
  RecordingSource() = default;
  /// An event with its time by the reference clock.
  struct Timed {
    Event event;
    std::int64_t ns = 0;
  };
  bool handLater(EventSink& sink);
  [[nodiscard]] std::int64_t timeOf(const Event& event);
  [[nodiscard]] bool isAfter(std::int64_t ns, std::int64_t limit_ns) const;

  std::optional<RecordingReader> reader_;  ///< this, or
  std::optional<TraceSource> trace_;
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
