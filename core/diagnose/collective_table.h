// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/group_table.h"
#include "core/diagnose/operation.h"
#include "core/diagnose/time_lost.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace shardlens {

/// When ranks recently waited for others: a rank that waited for a message is not to blame for being late to the next
/// collective. A few dozen waits of each rank are kept, and no short ones.
class WaitLog {
 public:
  void add(std::int64_t rank, const Interval& wait);
  /// Removes a wait that was added; does nothing when it is no longer there.
  void remove(std::int64_t rank, const Interval& wait);
  /// For how long the rank waited between these moments, whatever it waited for.
  [[nodiscard]] std::int64_t within(std::int64_t rank, std::int64_t after_ns, std::int64_t until_ns) const;

 private:
  std::map<std::int64_t, std::deque<Interval>> waits_;  ///< by rank, in the order in which they were told
};

/// One call of a collective, as the ranks' program makes it again and again.
struct Call {
  std::uint16_t op = 0;
  std::uint64_t bytes = 0;  ///< 0: not told, or ranks may differ

  bool operator==(const Call&) const = default;
};

/// What all members of a group called, in their order: the last some hundred calls.
class CallHistory {
 public:
  void add(const Call& call);
  /// Which of two calls came next, each time that the group had made the same calls before as by now: those of the
  /// history and then `since`. As many of these calls count as were made twice before. Nothing where that was
  /// neither, or not always the same.
  [[nodiscard]] std::optional<Call> usual(const std::vector<Call>& since, const Call& one, const Call& other) const;

 private:
  std::deque<Call> calls_;
};

/// One rank's visit to one operation. Times are of the run's reference clock; -1 = not yet.
struct Visit {
  std::int64_t rank = -1;
  std::int64_t enter_ns = -1;
  std::int64_t leave_ns = -1;
  Interval alone;           ///< the last time that the rank was in this operation and in nothing else; set when it left
  std::uint64_t bytes = 0;  ///< that it gives or takes; 0: not told
  std::uint32_t epoch = 0;
  std::uint32_t step = 0;
  std::uint32_t clock =
      0;                ///< the clock of these times: 0 = the reference; the times of others cannot be compared with it
  bool sends = false;   ///< of a send and its recv: this is the send
  bool worked = false;  ///< the rank loaded or computed since its last operation
  std::int64_t started_ns = -1;  ///< when it did so for the first time; -1: it had not
  bool after_steps = false;      ///< the rank had no batch left: what it says is its last step is over
  bool is_lost = false;  ///< it is over, although the record that says so, and perhaps that of its beginning, is lost

  [[nodiscard]] bool isInside() const { return enter_ns >= 0 && leave_ns < 0 && !is_lost; }
};

/// One operation over all ranks that take part in it.
struct Collective {
  OperationKey key;
  Members members;            ///< null: not known, so it is never complete and never judged
  std::uint64_t bytes = 0;    ///< what the first who said a size gave
  std::int64_t root = -1;     ///< -1: it has none, or no record said which
  std::vector<Visit> visits;  ///< by rank: one for each member, or for each visitor while members are not known
  std::size_t entered = 0;
  std::size_t left = 0;    ///< of these, as far as is known
  std::size_t absent = 0;  ///< members that came and went without a record that was kept
  std::int64_t first_enter_ns = -1;
  std::int64_t last_enter_ns = -1;  ///< of those who have come

  /// What the visitors' Visit::alone has no room for: earlier such times.
  struct Earlier {
    std::int64_t rank = -1;
    Interval alone;
  };
  std::vector<Earlier> earlier;

  /// It has a root, so that members need not wait for all, and yet each was in it, and in nothing else, until the last
  /// one had come. Set once all have left, and only where the first one waited for longer than the data takes to pass
  /// through all members one by one, each in the time from the last arrival to the end.
  bool held_all = false;

  /// The rank's visit; null when it is no member, or when it has not come and the members are not known.
  [[nodiscard]] const Visit* visitOf(std::int64_t rank) const;
  [[nodiscard]] bool hasEntered(std::int64_t rank) const;
  /// Whether the arrival of each member is known.
  [[nodiscard]] bool knowsArrivals() const { return members != nullptr && entered == members->size(); }
  /// Whether all times are of one clock.
  [[nodiscard]] bool isComparable() const;
  /// When this visitor no longer had to wait for others; known once all have left. The time before it is waiting, the
  /// time after it is transfer. If not all arrivals are known, it may have been later.
  [[nodiscard]] std::int64_t releaseOf(const Visit& visit) const;
  /// Members that this visitor waits for and that have not come.
  [[nodiscard]] std::vector<std::int64_t> missingFor(const Visit& visit) const;
  /// Those of missingFor() without which releaseOf() is not known: until they come, all of the visitor's time is
  /// waiting.
  [[nodiscard]] std::vector<std::int64_t> awaitedBy(const Visit& visit) const;
};

/// Ranks of one group that are in two different collectives: neither can ever be complete.
struct Mixed {
  std::uint32_t group = SL_WORLD;
  const Collective* one = nullptr;
  const Collective* other = nullptr;
  std::vector<std::int64_t> only_one;    ///< ranks that came to `one` and never to `other`
  std::vector<std::int64_t> only_other;  ///< and the reverse
};

/// Joins what ranks report about their operations by (group, op, seq). Keeps operations that are not complete, and the
/// time lost in complete ones. Memory is bounded: if there are too many, the oldest incomplete one is forgotten.
class CollectiveTable {
 public:
  /// `excuses_waits`: a rank that was late to a collective because it waited for others before is not counted as late.
  /// The lateness of ranks that report their phases is judged by these.
  explicit CollectiveTable(std::int64_t world_size = 0, bool excuses_waits = false);

  struct Entry {
    std::int64_t rank = 0;
    const sl_record& record;
    std::uint32_t clock = 0;
    bool worked = false;
    bool after_steps = false;
    std::int64_t started_ns = -1;
  };
  void enter(const Entry& entry, const GroupTable& groups);
  /// The operations that are complete now: this one when it was the last member to leave it, and earlier ones that a
  /// rank with lost records must have left, too. `alone`: when the rank was in this operation and in nothing else.
  std::vector<Collective> leave(std::int64_t rank, const sl_record& record, std::span<const Interval> alone);
  /// The members of this group are known from now on, or no longer: open operations are judged again. Returns those
  /// that turn out to be complete.
  std::vector<Collective> learn(std::uint32_t group, const Members& members);
  /// Records of this rank were lost, so its absence is no longer evidence.
  void lose(std::int64_t rank) { lossy_.insert(rank); }
  [[nodiscard]] bool hasLost(std::int64_t rank) const { return lossy_.contains(rank); }
  /// The job is over: ranks with lost records have left whatever they were in. Returns what is complete with that.
  std::vector<Collective> end();

  /// By key.
  [[nodiscard]] const std::map<OperationKey, Collective>& open() const { return open_; }
  /// Null when no rank has entered it, or all have left.
  [[nodiscard]] const Collective* find(const OperationKey& key) const;
  [[nodiscard]] std::optional<Mixed> firstMixed() const;
  /// Of the two, the collective that the group came to next whenever it had made the same calls before; null where that
  /// is not known.
  [[nodiscard]] const Collective* usual(const Mixed& mixed) const;
  /// The first collective to which ranks gave different sizes where all must give the same; null: none.
  [[nodiscard]] const Collective* uneven() const;
  /// The size that all gave to it whenever the group had made the same calls before; 0: not known.
  [[nodiscard]] std::uint64_t usualBytes() const { return usual_bytes_; }
  /// Of collectives in which all waited for all, by group.
  [[nodiscard]] const std::map<std::uint32_t, TimeLost>& timeLost() const { return time_lost_; }
  [[nodiscard]] std::int64_t forgotten() const { return forgotten_; }

 private:
  using Kind = std::pair<std::uint32_t, std::uint16_t>;  ///< group and operation
  using Place = std::map<OperationKey, Collective>::iterator;

  void pass(std::int64_t rank, const OperationKey& key, std::vector<Collective>& complete);
  void markPassed(Collective& collective);
  void closeFor(std::int64_t rank, Place place, std::vector<Collective>& complete);
  void completeAt(Place place, std::vector<Collective>& complete);
  Collective& at(const OperationKey& key, const GroupTable& groups);
  void forgetOldest();
  Collective takeOut(Place found);
  void compareSizes(Collective& collective, const Visit& fresh);
  void logWaits(const Collective& collective);
  [[nodiscard]] Collective excused(const Collective& collective);
  void keepTimeLost(const Collective& collective);
  void shrinkLargest();
  [[nodiscard]] std::vector<std::int64_t> cameOnlyTo(const Collective& one, const Collective& other) const;
  [[nodiscard]] std::vector<const Collective*> openBefore(const Collective& collective, std::int64_t rank) const;

  std::int64_t world_size_;
  bool excuses_waits_ = false;
  std::optional<OperationKey> uneven_key_;
  std::optional<Collective> uneven_;  ///< once it is over
  std::uint64_t usual_bytes_ = 0;
  std::map<std::uint32_t, CallHistory> history_;  ///< by group
  WaitLog waits_;
  std::map<std::uint32_t, std::int64_t> met_ns_;  ///< by group, when all had come to the last collective
  std::map<OperationKey, Collective> open_;
  std::map<std::uint64_t, OperationKey> by_age_;
  std::map<OperationKey, std::uint64_t> age_of_;
  std::uint64_t next_age_ = 0;
  std::size_t open_cells_ = 0;
  std::map<std::uint32_t, TimeLost> time_lost_;
  std::size_t lost_cells_ = 0;  ///< of all groups
  std::set<std::int64_t> lossy_;
  std::map<Kind, std::map<std::int64_t, std::uint64_t>> passed_;  ///< by lossy rank: what it has left, up to here
  std::set<std::uint32_t> forgetful_;  ///< groups of which an incomplete collective was forgotten
  std::int64_t forgotten_ = 0;
};

}  // namespace shardlens
