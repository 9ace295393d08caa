// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/group_table.h"
#include "core/diagnose/operation.h"
#include "core/diagnose/time_lost.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace shardlens {

/// One rank's visit to one operation. Times are of the run's reference clock; -1 = not yet.
struct Visit {
  std::int64_t rank = -1;
  std::int64_t enter_ns = -1;
  std::int64_t leave_ns = -1;
  std::int64_t waits_from_ns =
      -1;  ///< from here on the rank was in this operation and in nothing else; set when it left
  std::uint32_t epoch = 0;
  std::uint32_t step = 0;
  std::uint32_t clock =
      0;                ///< the clock of these times: 0 = the reference; the times of others cannot be compared with it
  bool sends = false;   ///< of a send and its recv: this is the send
  bool worked = false;  ///< the rank loaded or computed since its last operation

  [[nodiscard]] bool isInside() const { return enter_ns >= 0 && leave_ns < 0; }
};

/// One operation over all ranks that take part in it.
struct Collective {
  OperationKey key;
  Members members;            ///< null: not known, so it is never complete and never judged
  std::int64_t root = -1;     ///< -1: it has none, or no record said which
  std::vector<Visit> visits;  ///< by rank: one for each member, or for each visitor while members are not known
  std::size_t entered = 0;
  std::size_t left = 0;
  std::int64_t first_enter_ns = -1;
  std::int64_t last_enter_ns = -1;  ///< of those who have come

  /// The rank's visit; null when it is no member, or has not come while members are not known.
  [[nodiscard]] const Visit* visitOf(std::int64_t rank) const;
  [[nodiscard]] bool hasEntered(std::int64_t rank) const;
  /// All times are of one clock.
  [[nodiscard]] bool isComparable() const;
  /// When this visitor no longer had to wait for others, once all have left: the time before is waiting, the time after
  /// is transfer.
  [[nodiscard]] std::int64_t releaseOf(const Visit& visit) const;
  /// Members that this visitor waits for and that have not come.
  [[nodiscard]] std::vector<std::int64_t> missingFor(const Visit& visit) const;
};

/// Ranks of one group that are in two different collectives: neither can ever be complete.
struct Mixed {
  std::uint32_t group = SL_WORLD;
  const Collective* one = nullptr;
  const Collective* other = nullptr;
  std::vector<std::int64_t> only_one;    ///< ranks that came to `one` and never to `other`
  std::vector<std::int64_t> only_other;  ///< and the reverse
};

/// Joins what ranks say about their operations by (group, op, seq). Keeps those that are not complete, and the time
/// lost in those that are. Bounded: when there are too many, the oldest incomplete one is forgotten.
class CollectiveTable {
 public:
  explicit CollectiveTable(std::int64_t world_size = 0);

  struct Entry {
    std::int64_t rank = 0;
    const sl_record& record;
    std::uint32_t clock = 0;
    bool worked = false;
  };
  void enter(const Entry& entry, const GroupTable& groups);
  /// The operation, when this was the last member to leave it. `waits_from_ns` as in Visit.
  std::optional<Collective> leave(std::int64_t rank, const sl_record& record, std::int64_t waits_from_ns);
  /// The members of this group are known from now on, or no longer: open operations are judged again. Returns those
  /// that turn out to be complete.
  std::vector<Collective> learn(std::uint32_t group, const Members& members);
  /// Records of this rank were lost, so its absence is no longer evidence.
  void lose(std::int64_t rank) { lossy_.insert(rank); }

  /// By key.
  [[nodiscard]] const std::map<OperationKey, Collective>& open() const { return open_; }
  /// Null when no rank has entered it, or all have left.
  [[nodiscard]] const Collective* find(const OperationKey& key) const;
  [[nodiscard]] std::optional<Mixed> firstMixed() const;
  /// For collectives in which all wait for all, by group.
  [[nodiscard]] const std::map<std::uint32_t, TimeLost>& timeLost() const { return time_lost_; }
  [[nodiscard]] std::int64_t forgotten() const { return forgotten_; }

 private:
  Collective& at(const OperationKey& key, const GroupTable& groups);
  void forgetOldest();
  Collective takeOut(std::map<OperationKey, Collective>::iterator found);
  void keepTimeLost(const Collective& collective);
  void shrinkLargest();
  [[nodiscard]] std::vector<std::int64_t> cameOnlyTo(const Collective& one, const Collective& other) const;

  std::int64_t world_size_;
  std::map<OperationKey, Collective> open_;
  std::map<std::uint64_t, OperationKey> by_age_;
  std::map<OperationKey, std::uint64_t> age_of_;
  std::uint64_t next_age_ = 0;
  std::size_t open_cells_ = 0;
  std::map<std::uint32_t, TimeLost> time_lost_;
  std::size_t lost_cells_ = 0;  ///< of all groups
  std::set<std::int64_t> lossy_;
  std::set<std::uint32_t> forgetful_;  ///< groups of which an incomplete collective was forgotten
  std::int64_t forgotten_ = 0;
};

}  // namespace shardlens
