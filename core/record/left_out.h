// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/record/event.h"

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace shardlens {

/// What a recorder left out of its segment because the disk was too slow, and how the recording says so. Memory is
/// bounded by the world size.
class LeftOut {
 public:
  /// Whether an event must be written however slow the disk is. Such events are few, and no replay is right without
  /// them.
  static bool isIndispensable(const Event& event);

  /// What to write for an event that has room: readers are told one total of lost records for each rank, whichever
  /// process lost them.
  Event written(const Event& event);
  /// Takes note that these were left out.
  void records(std::int64_t rank, std::span<const sl_record> records);
  void event(const Event& event);
  /// Whether something was left out that the recording does not say yet.
  [[nodiscard]] bool hasNews() const { return !unsaid_.empty() || !slots_.empty() || lines_ > said_lines_; }
  /// What makes the recording true again: each rank's newest slot, the totals of lost records, one line for people.
  std::vector<Event> news();
  /// All that was left out, as the error of this file; none when there is nothing.
  [[nodiscard]] Result<void> error(const std::string& path) const;

 private:
  struct Lost {
    std::int64_t in_ring = 0;  ///< as the latest RankDropped said
    std::int64_t here = 0;
  };
  void lose(std::int64_t rank, std::int64_t count, std::int64_t time_ns);

  std::map<std::int64_t, Lost> lost_;
  std::set<std::int64_t> unsaid_;        ///< ranks whose total has changed since it was reported
  std::map<std::int64_t, Event> slots_;  ///< the newest one of each rank that was left out
  std::int64_t records_ = 0;
  std::int64_t lines_ = 0;
  std::int64_t said_records_ = 0;
  std::int64_t said_lines_ = 0;
  std::int64_t last_ns_ = 0;
};

}  // namespace shardlens
