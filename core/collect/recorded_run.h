// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collect/drawn_batches.h"
#include "core/collect/event_source.h"
#include "core/diagnose/reducer.h"
#include "core/record/recording_writer.h"

#include <cstdint>
#include <optional>
#include <span>

namespace shardlens {

/// Takes the events of a run that goes on into its recording and into its state. With `drawn`, what loaders drew for
/// the steps that began is an event of the next tick, or of the moment before the end.
class RecordedRun : public EventSink {
 public:
  explicit RecordedRun(RecordingWriter writer, ExpectedBatch expected = {}, std::optional<DrawnBatches> drawn = {});

  void event(const Event& event) override;
  void records(std::int64_t rank, std::span<const sl_record> records) override;

  [[nodiscard]] RecordingWriter& writer() { return writer_; }
  [[nodiscard]] const RecordingWriter& writer() const { return writer_; }
  [[nodiscard]] RunState state() const { return reducer_.snapshot(); }

 private:
  void keep(const Event& event);
  void addDrawn();

  RecordingWriter writer_;
  Reducer reducer_;
  std::optional<DrawnBatches> drawn_;
};

}  // namespace shardlens
