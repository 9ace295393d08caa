// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/group_table.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace shardlens {

struct Collective;

/// One collective, or several consecutive ones of which one was kept for all.
struct LostRow {
  std::int64_t from_ns = 0;  ///< the last arrival in the collective before; of the first, its own first arrival
  std::int64_t to_ns = 0;    ///< the last arrival in this one, when all could go
  std::uint32_t epoch = 0, step = 0;            ///< of its first collective, as its first member says
  std::uint32_t last_epoch = 0, last_step = 0;  ///< of its last
  bool last_is_after_steps = false;             ///< a member came to the last one after its epoch's steps
  float transfer_ms = 0;                        ///< from when all could go until they went, on average
  std::int64_t collectives = 1;                 ///< that it represents
  std::int64_t left_out = 0;                    ///< between these and those of the row before
  bool is_start = false;                        ///< as Pause has it
  double weight = 1;  ///< by which its waits are multiplied, so that they represent all of them

  [[nodiscard]] double ms() const { return static_cast<double>(to_ns - from_ns) / 1e6; }
};

/// All ranks waited long for one rank, once.
struct Pause {
  std::int64_t rank = 0;
  std::int64_t from_ns = 0, to_ns = 0;  ///< from when the next latest came until it did
  double lost_ms = 0;
  std::uint32_t epoch = 0, step = 0;
  bool after_steps = false;  ///< of that epoch
  bool is_start = false;     ///< the rank had not begun to load or compute by then, for the first time
};

/// Rows [begin, end).
struct RowRange {
  std::size_t begin = 0;
  std::size_t end = 0;

  [[nodiscard]] std::size_t size() const { return end - begin; }
  bool operator==(const RowRange&) const = default;
};

/// What a set of members owes over some rows.
struct Owed {
  double lost_ms =
      0;  ///< the time that all members together would not have waited if these had come no later than the rest
  double gain_ms = 0;  ///< by how much the job would have been shorter
};

/// The time that the members of one group lost by waiting for each other, collective by collective, over the whole run.
///
/// In one collective the wait of all is owed by the latest, down to the next latest: the time between these two is owed
/// by the latest alone, the time between the second and the third by those two together, and so on. Fixing a set of
/// members lets the collective go as soon as the latest of the others has come; that is the set's gain. Fixing one of
/// two slow members therefore gains the distance between them, and fixing both gains all of it.
///
/// A member that comes to a collective while it still waits in another one waits once: its wait in the later one begins
/// when the earlier one lets all go.
///
/// In a job whose ranks load or compute, waits for a member that was still starting belong to no row: its start says
/// nothing about its steps.
///
/// Memory is bounded. As long as the run is short each collective has a row of its own, and every sum is exact. When
/// the rows are full, neighbours in the older three quarters are merged in pairs: one of the two represents both, taken
/// with a probability that is its share of their wait, and its weight compensates for the other. So the time lost by
/// all is kept to the last digit however long the run becomes, a long pause is never thinned away, and the sum of any
/// set over any interval stays true on average. The choice does not depend on which member was late, so it favours
/// none.
class TimeLost {
 public:
  TimeLost() = default;
  TimeLost(Members members, std::size_t most_cells);

  /// A collective that all members have left, with comparable times. One before which no member did any work shows
  /// which rank was released first, not which is slow: it is left out unless a member came to it a tenth of a second
  /// late.
  void add(const Collective& collective);
  /// Counts a collective of the group that does not show who is late as left out.
  void leaveOut() { ++left_out_; }
  /// Merges rows, to make room for other groups. False when that would leave too few.
  bool shrink();

  [[nodiscard]] const Members& members() const { return members_; }
  [[nodiscard]] std::size_t memberCount() const { return members_ == nullptr ? 0 : members_->size(); }
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] std::size_t cells() const { return late_.size(); }  ///< that are kept
  [[nodiscard]] RowRange all() const { return {0, rows_.size()}; }
  [[nodiscard]] const LostRow& row(std::size_t index) const { return rows_[index]; }
  /// How late each member came after the first one, in milliseconds, by its place among the members.
  [[nodiscard]] std::span<const float> late(std::size_t index) const;
  /// The order in which they came: 0 for the first; equal times share the mean of their places. Doubled, to be whole.
  [[nodiscard]] std::span<const std::uint16_t> order(std::size_t index) const;
  /// The member that came last.
  [[nodiscard]] std::size_t lastOf(std::size_t index) const;

  /// The wait for the last member in this row.
  [[nodiscard]] Pause pauseAt(std::size_t index) const;
  /// The longest wait for a member that was still starting.
  [[nodiscard]] const std::optional<Pause>& atStart() const { return at_start_; }

  /// What all members together waited for the last one, with the row's weight.
  [[nodiscard]] double waitedMs(std::size_t index) const;
  /// The same over all rows.
  [[nodiscard]] double waitedMs() const;
  /// `is_in` says for each member whether it is one of the set. Nothing when all or none are.
  [[nodiscard]] Owed owed(RowRange range, const std::vector<bool>& is_in) const;
  /// The gain in one row, with its weight.
  [[nodiscard]] double gainIn(std::size_t index, const std::vector<bool>& is_in) const;
  [[nodiscard]] std::int64_t collectives(RowRange range) const;
  /// Those among them, and up to the last one, that are in no row.
  [[nodiscard]] std::int64_t leftOut(RowRange range) const;
  /// From the first row's beginning to the last row's end; 0 for no rows.
  [[nodiscard]] double milliseconds(RowRange range) const;
  /// The last `count` rows, or all.
  [[nodiscard]] RowRange newest(std::size_t count) const;

 private:
  void push(const Collective& collective, std::int64_t waited_until_ns);
  void addOrder();
  void dropStart();
  void merge(std::size_t into, std::size_t other);
  void move(std::size_t from, std::size_t to);
  [[nodiscard]] double wait(std::size_t index) const;
  [[nodiscard]] double draw();

  Members members_;
  std::size_t most_rows_ = 0;
  std::vector<LostRow> rows_;
  std::vector<float> late_;            ///< row by row
  std::vector<std::uint16_t> order_;   ///< row by row
  std::vector<std::uint32_t> sorted_;  ///< scratch
  std::int64_t last_to_ns_ = -1;
  std::int64_t left_out_ = 0;  ///< since the last row
  bool is_starting_ = true;    ///< few came so far, and none of them had begun to load or compute
  std::optional<Pause> at_start_;
  std::uint64_t draws_ = 0;
};

/// Time is lost by waiting although no rank is slow: much is lost, and the last one changes.
struct Wandering {
  std::int64_t from_ns = 0, to_ns = 0;
  std::int64_t collectives = 0, left_out = 0;  ///< left_out: as TimeLost has it
  double lost_ms = 0;                          ///< time of all ranks spent waiting
  double spread_ms = 0;                        ///< mean time from the middle arrival to the last
  double share = 0;                            ///< of the whole time: the part that passes between these two
  double most_last = 0;      ///< share of the collectives that the most frequent last rank entered last
  double best_alone_ms = 0;  ///< the most that fixing one rank gains
};

/// One member comes late now and then, and most of the waiting is for it. This is reported as an observation; `chance`
/// says how often it would happen if members were interchangeable.
struct SometimesLate {
  std::int64_t rank = 0;
  std::int64_t from_ns = 0, to_ns = 0;      ///< from before the first of these waits to the end of the last
  std::int64_t times = 0, collectives = 0;  ///< how often, of how many
  std::int64_t left_out = 0;                ///< as TimeLost has it
  std::uint32_t epoch = 0, step = 0;        ///< of the first time
  double typical_ms = 0;                    ///< median of: from when the next latest came until it did
  double lost_ms = 0, all_lost_ms = 0;      ///< of all ranks' waits: in these collectives, and in all
  double gain_ms = 0;                       ///< had it come with the next latest
  double share = 0;                         ///< of the whole time
  double chance = 1;
};

/// Looks at the fewest collectives that hold four fifths of all waiting: the member that came last in most of them, and
/// every collective in which a last member came later than half of what is usual in these (and than `least_ms`). Told
/// when they are less than two thirds of the collectives, and this member's are three or more that do not follow each
/// other, hold most of the waiting, and cost 5 % of the time and half a second; and when chance does this in less than
/// one run of 500.
std::optional<SometimesLate> sometimesLateOf(const TimeLost& lost, double least_ms);

/// Nothing when less than a fifth of the time is lost in this way, when the last one is typically less than `least_ms`
/// after the middle one, or in a run of less than 30 collectives or half a second.
std::optional<Wandering> wanderingOf(const TimeLost& lost, double least_ms);

/// Waits of two seconds and more for one rank, and ten times as long as a collective usually takes; of half a second
/// and more where those for the same rank take a twentieth of the run together.
std::vector<Pause> pausesOf(const TimeLost& lost);

}  // namespace shardlens
