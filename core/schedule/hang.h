// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/schedule/operation.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace shardlens::schedule {

/// What a rank does next; nothing once it has finished, after which it is not asked again.
using NextOperation = std::function<Result<std::optional<Operation>>(Rank)>;

/// Told of each operation when it is over, with the ranks that were in it; of a message the sender and the receiver, in
/// either order.
using OperationOver = std::function<void(std::span<const Rank>, const Operation&)>;

/// A rank that others wait for.
struct Absent {
  Rank rank;
  std::optional<Operation> waits_in;  ///< nothing: it has finished
  bool may_go_on = false;             ///< it gets further where every broadcast lets go

  bool operator==(const Absent&) const = default;
};

/// The first operation at which a job cannot go on.
struct Hang {
  enum class Cause {
    Absent,     ///< some rank of the group never comes
    Differs,    ///< what ranks call in one place differs, or its size does
    NotMember,  ///< the rank is not in the group, or sends to a rank that is no other one of it
  };
  Cause cause = Cause::Absent;
  Operation operation;         ///< as the earliest of the waiting ranks calls it
  std::vector<Rank> waiting;   ///< in it, ascending
  std::vector<Absent> absent;  ///< the others that it needs, ascending; of Differs some wait in the same place
  bool may_go_on = false;      ///< the waiting ranks, as Absent has it
  bool may_end = false;        ///< every rank finishes where every broadcast lets go
  /// False where it is too long to follow the ranks there; then `may_end` is set, and `may_go_on` of all that wait.
  bool is_followed = true;
  std::vector<Operation> calls = {};  ///< what each of the waiting ranks calls, in their order

  /// Whether the moment of `operation` is where the job hangs, or may hang. False where it hangs for certain, but each
  /// rank that is named there may get further first.
  [[nodiscard]] bool knowsPlace() const;

  bool operator==(const Hang&) const = default;
};

/// That a job has more operations than are followed.
Error tooLong();

/// Whether every rank finishes. Fails only as `next` does.
///
/// A rank waits in each operation until it is over. The n-th collective that a rank calls in a group is the n-th of
/// each other rank there; it is over when all are in it with the same operation, reduction, source and size (all_to_all
/// may differ in size). A send is over when its recv of the same size has begun: MPI_Ssend. A job whose sends rely on
/// buffers hangs here, though it may get through. As what ranks can do does not depend on who goes first, there is one
/// standstill, whatever the timing.
Result<bool> allFinish(std::int64_t world_size, const std::vector<Group>& groups, const NextOperation& next,
                       const OperationOver& over = {});

/// Where the job comes to a standstill; nothing where allFinish(). Fails as `next` does, but for `is_followed`.
///
/// MPI lets the source of a broadcast leave before the others are in it, and the others once the source is; it promises
/// neither that they leave nor that they wait. A schedule does not say who carries it out: the standstill is the one
/// where all wait. From there the ranks are followed on where every broadcast lets go as early as that. A rank without
/// `may_go_on` gets no further in either case, and without `may_end` the job hangs in either case. Where a rank gets
/// very far ahead of others there, or `next` fails with ErrorCode::Unsupported, that is not known (`is_followed`). A
/// job that gets through where all wait gets through in either case, too.
///
/// The operation is the earliest in program order of those in which ranks wait, first of those of whom some are
/// certain to stay, followed to where waiting ends: to one that a finished rank never joins, or in which ranks differ,
/// or in which ranks are certain to stay though all that they wait for may go on, or round a circle to its earliest.
Result<std::optional<Hang>> findHang(std::int64_t world_size, const std::vector<Group>& groups,
                                     const NextOperation& next);

}  // namespace shardlens::schedule
