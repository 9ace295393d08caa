// SPDX-License-Identifier: Apache-2.0
#include "core/collect/recorded_run.h"

#include <utility>

namespace shardlens {

RecordedRun::RecordedRun(RecordingWriter writer, ExpectedBatch expected, std::optional<DrawnBatches> drawn)
    : writer_(std::move(writer)), reducer_(std::move(expected)), drawn_(std::move(drawn)) {}

void RecordedRun::keep(const Event& event) {
  writer_.add(event);
  reducer_.apply(event);
}

void RecordedRun::event(const Event& event) {
  if (std::holds_alternative<Tick>(event.what) || std::holds_alternative<RunEnd>(event.what)) addDrawn();
  keep(event);
}

void RecordedRun::records(std::int64_t rank, std::span<const sl_record> records) {
  writer_.add(rank, records);
  for (const sl_record& record : records)
    reducer_.apply({static_cast<std::int64_t>(record.time_ns), RankRecord{rank, record}});
  if (drawn_) drawn_->use(rank, records);
}

void RecordedRun::addDrawn() {
  if (!drawn_) return;
  const std::int64_t now = eventTime();
  for (RankRecord& drawn : drawn_->take()) {
    drawn.record.time_ns = static_cast<std::uint64_t>(now);
    keep({now, drawn});
  }
}

}  // namespace shardlens
