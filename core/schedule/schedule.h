// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/plan.h"
#include "core/schedule/hang.h"
#include "core/schedule/operation.h"
#include "core/spec/number_lists.h"
#include "core/spec/phase_condition.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace shardlens::schedule {

/// A line of the spec's schedule, or one of several that a preset stands for.
struct PlannedPhase {
  Operation operation;  ///< without what depends on rank and moment
  std::string group;    ///< by its name, or its ranks' lists; one that has all ranks is "world"
  Value peer;
  NumberLists values;          ///< by rank of the world; none: any
  Condition of_rank, of_time;  ///< both must hold
};

/// Where a rank is in its program.
struct Cursor {
  Moment moment;
  std::size_t phase = 0;      ///< of this moment, the next one
  std::int64_t batches = -1;  ///< of the rank in this epoch; -1: not asked yet
  bool has_finished = false;
};

/// Whether a line of the spec's schedule is a phase of this kind, or a preset that has one.
bool hasPhase(const PipelineSpec& spec, Kind kind);

/// What each rank of a plan does, operation by operation: the schedule of its spec, in as many steps as the rank has
/// batches.
class Schedule {
 public:
  explicit Schedule(Plan plan);

  [[nodiscard]] const Plan& plan() const { return plan_; }
  [[nodiscard]] const std::vector<Group>& groups() const { return groups_; }
  /// The rank's group of this name, that of a phase, as a number of groups(); nothing where lists of ranks leave it
  /// out.
  [[nodiscard]] std::optional<std::size_t> groupOf(const std::string& name, Rank rank) const;
  /// What a rank does at `at`, in order, where conditions allow it.
  [[nodiscard]] const std::vector<PlannedPhase>& phasesAt(At at) const { return phases_[static_cast<std::size_t>(at)]; }

  /// The operation of the phase, or nothing where its conditions do not hold.
  [[nodiscard]] std::optional<Operation> operation(const PlannedPhase& phase, Rank rank, const Moment& moment) const;
  /// The rank's next operation; nothing once it has finished. Takes one off `looks` for each phase and each step that
  /// it looks at, and fails when there are none left, or as Plan::shape() does.
  Result<std::optional<Operation>> next(Rank rank, Cursor& cursor, std::int64_t& looks) const;

 private:
  void add(const PipelineSpec::Phase& phase, std::size_t line);
  /// The groups of this name, or of these lists, by rank, as numbers of groups().
  void addGroups(const std::string& name);
  [[nodiscard]] bool holds(const ConditionTerm& term, const Group& group, Rank rank) const;
  static Rank peerOf(const PlannedPhase& phase, const Group& group, Rank rank);

  Plan plan_;
  std::vector<Group> groups_;
  std::map<std::string, std::vector<std::size_t>> groups_of_ranks_;  ///< by name; one number where there is one group
  std::array<std::vector<PlannedPhase>, 5> phases_;                  ///< by At
};

/// Whether a rank may leave what it is in, where each has left the first `left` of its operations that are not local,
/// by rank, and is in the next: all ranks of its group have called that, or the other side of the message has. A
/// broadcast may let a rank go sooner. False, too, where all ranks have finished. Fails as Schedule::next() does.
Result<bool> canAnyLeave(const Schedule& schedule, const std::vector<std::int64_t>& left);

/// Whether the terms about step and epoch hold.
bool holdsAt(const Condition& of_time, const Moment& moment);

/// Where the ranks of the plan come to a standstill (findHang()); nothing where all finish, or where the spec has no
/// schedule. Moments that are alike, and that all ranks get through, are followed once. Fails where that takes too
/// long.
Result<std::optional<Hang>> hangOf(const Plan& plan, const Work& work = {});

}  // namespace shardlens::schedule
