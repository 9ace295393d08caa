// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/wire/record.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace shardlens {

/// One rank's visit to one collective. Times are of the host's clock; -1 = not yet.
struct Visit {
  std::int64_t enter_ns = -1;
  std::int64_t leave_ns = -1;
  std::uint16_t op = SL_OP_NONE;
  std::uint32_t epoch = 0;
  std::uint32_t step = 0;
  bool worked = false;  ///< the rank loaded or computed since its last collective
};

/// One collective operation over all ranks: visits with the same sequence number.
struct Collective {
  std::uint64_t seq = 0;
  std::vector<Visit> visits;  ///< by rank
  std::int64_t entered = 0;
  std::int64_t left = 0;

  [[nodiscard]] std::int64_t firstEnter() const;
  /// When the last rank came: before it is waiting, after it is transfer.
  [[nodiscard]] std::int64_t lastEnter() const;
  /// Not all visitors call the same operation: none of them will ever leave.
  [[nodiscard]] bool isMixed() const;
};

/// How late every rank came to one collective, after the first.
struct ArrivalRow {
  std::vector<float> late_ms;  ///< by rank
  float interval_ms = 0;       ///< since the last arrival in the collective before; 0 for the first
};

/// Joins what ranks say about their collectives by sequence number. Keeps those that are not complete, and the arrivals
/// in the last ones that are. Bounded: when records were lost, the oldest incomplete collective is forgotten.
class CollectiveTable {
 public:
  explicit CollectiveTable(std::int64_t world_size);

  void enter(std::int64_t rank, const sl_record& record, bool worked);
  /// The collective, when this was the last rank to leave it.
  std::optional<Collective> leave(std::int64_t rank, const sl_record& record);

  /// The one with the highest sequence number that somebody entered and not everybody left; null when there is none.
  [[nodiscard]] const Collective* latestOpen() const;
  /// The first whose visitors call different operations; null when there is none.
  [[nodiscard]] const Collective* firstMixed() const;
  [[nodiscard]] const std::deque<ArrivalRow>& arrivals() const { return arrivals_; }
  [[nodiscard]] std::int64_t forgotten() const { return forgotten_; }

 private:
  Collective& at(std::uint64_t seq);
  void keepArrivals(const Collective& collective);

  std::int64_t world_size_;
  std::size_t most_open_;
  std::size_t most_arrivals_;
  std::map<std::uint64_t, Collective> open_;
  std::deque<ArrivalRow> arrivals_;
  std::int64_t last_arrival_ns_ = -1;
  std::int64_t forgotten_ = 0;
};

/// "all_reduce", "barrier", "broadcast".
const char* operationName(std::uint32_t op);

}  // namespace shardlens
