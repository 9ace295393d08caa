// SPDX-License-Identifier: Apache-2.0
#include "core/collect/event_source.h"

#include "core/wire/ring_file.h"

namespace shardlens {

std::int64_t eventTime() {
  return static_cast<std::int64_t>(sl_now());
}

void EventSink::records(std::int64_t rank, std::span<const sl_record> records) {
  for (const sl_record& record : records) event({static_cast<std::int64_t>(record.time_ns), RankRecord{rank, record}});
}

void drive(EventSource& source, EventSink& sink) {
  while (source.pull(sink)) {
  }
}

}  // namespace shardlens
