// SPDX-License-Identifier: Apache-2.0
#include "core/record/left_out.h"

#include "core/record/record_words.h"

#include <algorithm>
#include <utility>

namespace shardlens {
bool LeftOut::isIndispensable(const Event& event) {
  if (const auto* slot = std::get_if<RankSlot>(&event.what)) return slot->slot.phase == SL_PHASE_DONE;
  const auto is_any = [&](auto... one) { return (std::holds_alternative<decltype(one)>(event.what) || ...); };
  return !is_any(RankRecord{}, LogLine{}, RankDropped{}, Tick{});
}

Event LeftOut::written(const Event& event) {
  const auto* dropped = std::get_if<RankDropped>(&event.what);
  if (dropped == nullptr) return event;
  Lost& lost = lost_[dropped->rank];
  lost.in_ring = dropped->total;
  unsaid_.erase(dropped->rank);
  return {event.time_ns, RankDropped{dropped->rank, lost.in_ring + lost.here}, event.clock};
}

void LeftOut::lose(std::int64_t rank, std::int64_t count, std::int64_t time_ns) {
  lost_[rank].here += count;
  records_ += count;
  unsaid_.insert(rank);
  last_ns_ = std::max(last_ns_, time_ns);
}

void LeftOut::records(std::int64_t rank, std::span<const sl_record> records) {
  if (records.empty()) return;
  lose(rank, static_cast<std::int64_t>(records.size()), static_cast<std::int64_t>(records.back().time_ns));
}

void LeftOut::event(const Event& event) {
  last_ns_ = std::max(last_ns_, event.time_ns);
  if (const auto* record = std::get_if<RankRecord>(&event.what)) {
    lose(record->rank, 1, event.time_ns);
  } else if (const auto* dropped = std::get_if<RankDropped>(&event.what)) {
    lost_[dropped->rank].in_ring = dropped->total;
    unsaid_.insert(dropped->rank);
  } else if (const auto* slot = std::get_if<RankSlot>(&event.what)) {
    slots_.insert_or_assign(slot->rank, event);
  } else if (std::holds_alternative<LogLine>(event.what)) {
    ++lines_;
  }
}

std::vector<Event> LeftOut::news() {
  std::vector<Event> events;
  for (auto& [rank, slot] : std::exchange(slots_, {})) events.push_back(std::move(slot));
  for (const std::int64_t rank : std::exchange(unsaid_, {})) {
    const Lost& lost = lost_[rank];
    events.push_back({last_ns_, RankDropped{rank, lost.in_ring + lost.here}});
  }
  const std::int64_t records = records_ - std::exchange(said_records_, records_);
  const std::int64_t lines = lines_ - std::exchange(said_lines_, lines_);
  if (records + lines > 0)
    events.push_back({last_ns_, LogLine{LogLine::kOwn, true, words::leftOutOfRecording(records, lines)}});
  return events;
}

Result<void> LeftOut::error(const std::string& path) const {
  if (records_ + lines_ == 0) return {};
  return words::diskTooSlow(path, records_, lines_);
}

}  // namespace shardlens
