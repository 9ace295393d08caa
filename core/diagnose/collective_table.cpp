// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/collective_table.h"

#include <algorithm>
#include <limits>

namespace shardlens {
namespace {

constexpr std::size_t kWindow = 200;
/// Visits kept at most, so that a large world does not multiply the windows.
constexpr std::size_t kMostCells = 4'000'000;

std::size_t within(std::int64_t world_size, std::size_t most, std::size_t least) {
  return std::clamp(kMostCells / static_cast<std::size_t>(std::max<std::int64_t>(1, world_size)), least, most);
}

}  // namespace

std::int64_t Collective::firstEnter() const {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  for (const Visit& visit : visits) first = visit.enter_ns >= 0 ? std::min(first, visit.enter_ns) : first;
  return first;
}

std::int64_t Collective::lastEnter() const {
  std::int64_t last = -1;
  for (const Visit& visit : visits) last = std::max(last, visit.enter_ns);
  return last;
}

bool Collective::isMixed() const {
  std::uint16_t op = SL_OP_NONE;
  for (const Visit& visit : visits) {
    if (visit.op == SL_OP_NONE) continue;
    if (op != SL_OP_NONE && visit.op != op) return true;
    op = visit.op;
  }
  return false;
}

CollectiveTable::CollectiveTable(std::int64_t world_size)
    : world_size_(world_size),
      most_open_(within(world_size, 4096, 8)),
      most_arrivals_(within(world_size, kWindow, 20)) {}

Collective& CollectiveTable::at(std::uint64_t seq) {
  const auto found = open_.find(seq);
  if (found != open_.end()) return found->second;
  if (open_.size() >= most_open_) {
    open_.erase(open_.begin());
    ++forgotten_;
  }
  Collective& made = open_[seq];
  made.seq = seq;
  made.visits.resize(static_cast<std::size_t>(world_size_));
  return made;
}

void CollectiveTable::enter(std::int64_t rank, const sl_record& record, bool worked) {
  Collective& collective = at(record.seq);
  Visit& visit = collective.visits[static_cast<std::size_t>(rank)];
  if (visit.enter_ns >= 0) return;
  visit = {static_cast<std::int64_t>(record.time_ns), -1, record.op, record.epoch, record.step, worked};
  ++collective.entered;
}

std::optional<Collective> CollectiveTable::leave(std::int64_t rank, const sl_record& record) {
  const auto found = open_.find(record.seq);
  if (found == open_.end()) return std::nullopt;
  Collective& collective = found->second;
  Visit& visit = collective.visits[static_cast<std::size_t>(rank)];
  if (visit.enter_ns < 0 || visit.leave_ns >= 0) return std::nullopt;
  visit.leave_ns = static_cast<std::int64_t>(record.time_ns);
  if (++collective.left < world_size_) return std::nullopt;
  Collective complete = std::move(collective);
  open_.erase(found);
  keepArrivals(complete);
  return complete;
}

void CollectiveTable::keepArrivals(const Collective& collective) {
  const std::int64_t last = collective.lastEnter();
  const bool worked =
      std::any_of(collective.visits.begin(), collective.visits.end(), [](const Visit& visit) { return visit.worked; });
  if (worked) {
    const std::int64_t first = collective.firstEnter();
    ArrivalRow row;
    row.late_ms.reserve(collective.visits.size());
    for (const Visit& visit : collective.visits)
      row.late_ms.push_back(static_cast<float>(visit.enter_ns - first) / 1e6F);
    if (last_arrival_ns_ >= 0) row.interval_ms = static_cast<float>(last - last_arrival_ns_) / 1e6F;
    arrivals_.push_back(std::move(row));
    if (arrivals_.size() > most_arrivals_) arrivals_.pop_front();
  }
  last_arrival_ns_ = last;
}

const Collective* CollectiveTable::latestOpen() const {
  return open_.empty() ? nullptr : &open_.rbegin()->second;
}

const Collective* CollectiveTable::firstMixed() const {
  for (const auto& [seq, collective] : open_) {
    if (collective.isMixed()) return &collective;
  }
  return nullptr;
}

const char* operationName(std::uint32_t op) {
  switch (op) {
    case SL_OP_BARRIER:
      return "barrier";
    case SL_OP_ALLREDUCE:
      return "all_reduce";
    case SL_OP_BROADCAST:
      return "broadcast";
    default:
      return "an unknown operation";
  }
}

}  // namespace shardlens
