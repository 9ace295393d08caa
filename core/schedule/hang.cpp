// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/hang.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <tuple>

namespace shardlens::schedule {
namespace {

bool isIn(const Group& group, Rank rank) {
  return std::ranges::binary_search(group, rank);
}

/// The ranks of a job, each in one operation.
class Job {
 public:
  Job(std::int64_t world_size, const std::vector<Group>& groups, const NextOperation& next, const OperationOver& over)
      : groups_(groups),
        next_(next),
        over_(over),
        waits_in_(static_cast<std::size_t>(world_size)),
        may_go_on_(waits_in_.size()),
        callers_(groups.size()) {}

  /// Until no rank can go on.
  Result<void> run() {
    for (std::size_t rank = waits_in_.size(); rank-- > 0;) ready_.push_back(Rank{static_cast<std::int64_t>(rank)});
    while (!ready_.empty()) {
      const Rank rank = ready_.back();
      ready_.pop_back();
      auto next = next_(rank);
      while (next && *next && isLocal((*next)->kind)) next = next_(rank);
      if (!next) return next.error();
      waitsIn(rank) = *next;
      if (!*next || !isMember(rank)) continue;
      if (isMessage((*next)->kind)) {
        enterMessage(rank);
      } else {
        enterCollective(rank);
      }
    }
    for (std::vector<Rank>& callers : callers_)
      std::ranges::sort(callers, [this](Rank a, Rank b) { return isBefore(a, b); });
    while (findMovable()) {
    }
    return {};
  }

  /// Where the ranks stand that have not finished.
  [[nodiscard]] std::optional<Hang> hang() const {
    std::optional<Rank> first;
    for (Rank rank{0}; rank.value < static_cast<std::int64_t>(waits_in_.size()); ++rank) {
      if (waitsIn(rank) && (!first || isToldBefore(rank, *first))) first = rank;
    }
    if (!first) return std::nullopt;
    std::vector<Rank> path;
    Rank rank = speakerOf(*first);
    Hang hang = hangAt(rank);
    std::vector<bool> is_on_path(waits_in_.size());
    const auto hasFinished = [](const Absent& one) { return !one.waits_in; };
    while (hang.cause == Hang::Cause::Absent && std::ranges::none_of(hang.absent, hasFinished) &&
           !is_on_path[placeOf(rank)]) {
      path.push_back(rank);
      is_on_path[placeOf(rank)] = true;
      const auto stuck = std::ranges::find(hang.absent, false, &Absent::may_go_on);
      rank = speakerOf(stuck == hang.absent.end() ? hang.absent.front().rank : stuck->rank);
      hang = hangAt(rank);
    }
    if (is_on_path[placeOf(rank)])
      hang = hangAt(*std::min_element(std::ranges::find(path, rank), path.end(),
                                      [this](Rank a, Rank b) { return isBefore(a, b); }));
    hang.may_end = mayGoOn(*first);
    return hang;
  }

 private:
  static std::size_t placeOf(Rank rank) { return static_cast<std::size_t>(rank.value); }
  std::optional<Operation>& waitsIn(Rank rank) { return waits_in_[placeOf(rank)]; }
  [[nodiscard]] const std::optional<Operation>& waitsIn(Rank rank) const { return waits_in_[placeOf(rank)]; }
  [[nodiscard]] bool mayGoOn(Rank rank) const { return may_go_on_[placeOf(rank)]; }

  /// Whether the rank may call what it is in.
  [[nodiscard]] bool isMember(Rank rank) const {
    const Operation& operation = *waitsIn(rank);
    const Group& group = groups_[operation.group];
    return isIn(group, rank) && (!isMessage(operation.kind) || (isIn(group, operation.peer) && operation.peer != rank));
  }

  void release(std::span<const Rank> ranks) {
    if (over_) over_(ranks, *waitsIn(ranks.front()));
    for (const Rank rank : ranks) {
      waitsIn(rank).reset();
      ready_.push_back(rank);
    }
  }

  /// Whether a rank calls what `rank` calls.
  [[nodiscard]] auto matching(Rank rank) const {
    return [this, rank](Rank other) { return match(*waitsIn(other), *waitsIn(rank)); };
  }

  void enterCollective(Rank rank) {
    const std::size_t number = waitsIn(rank)->group;
    std::vector<Rank>& callers = callers_[number];
    callers.push_back(rank);
    if (callers.size() < groups_[number].size() || !std::ranges::all_of(callers, matching(rank))) return;
    release(callers);
    callers.clear();
  }

  void enterMessage(Rank rank) {
    const Rank peer = waitsIn(rank)->peer;
    if (!answers(peer, rank) || waitsIn(peer)->bytes != waitsIn(rank)->bytes) return;
    release(std::array{rank, peer});
  }

  /// Whether `peer` is in the other half of the message that `rank` is in.
  [[nodiscard]] bool answers(Rank peer, Rank rank) const {
    const std::optional<Operation>& other = waitsIn(peer);
    const Operation& own = *waitsIn(rank);
    return other && isMessage(other->kind) && other->kind != own.kind && other->peer == rank &&
           other->group == own.group;
  }

  /// Whether `other` keeps the rank where it is: it has finished, calls something else in this place, or cannot go on
  /// to it.
  [[nodiscard]] bool isHeldBy(Rank rank, Rank other) const {
    const std::optional<Operation>& its = waitsIn(other);
    if (!its) return true;
    const Operation& own = *waitsIn(rank);
    const bool is_there = isMessage(own.kind) ? answers(other, rank) : !isMessage(its->kind) && its->group == own.group;
    return is_there ? !match(*its, own) : !mayGoOn(other);
  }

  /// Notes who may go on: the source of a broadcast, who has its values, and who waits only for ranks that may. Whether
  /// there were more of them.
  bool findMovable() {
    bool found = false;
    const auto note = [&](Rank rank, bool may_go_on) {
      if (!may_go_on || mayGoOn(rank)) return;
      may_go_on_[placeOf(rank)] = found = true;
    };
    for (std::size_t number = 0; number < groups_.size(); ++number) {
      const Group& group = groups_[number];
      const std::vector<Rank>& callers = callers_[number];
      const bool is_held =
          !callers.empty() && std::ranges::any_of(group, [&](Rank other) { return isHeldBy(callers.front(), other); });
      for (const Rank rank : callers) {
        const Operation& own = *waitsIn(rank);
        const bool has_source = own.kind == Kind::Broadcast && isIn(group, own.peer);
        note(rank, has_source ? own.peer == rank || !isHeldBy(rank, own.peer) : !is_held);
      }
    }
    for (Rank rank{0}; rank.value < static_cast<std::int64_t>(waits_in_.size()); ++rank) {
      if (waitsIn(rank) && isMessage(waitsIn(rank)->kind) && isMember(rank))
        note(rank, !isHeldBy(rank, waitsIn(rank)->peer));
    }
    return found;
  }

  /// First come ranks that are certain to stay.
  [[nodiscard]] bool isToldBefore(Rank a, Rank b) const {
    return mayGoOn(a) == mayGoOn(b) ? isBefore(speakerOf(a), speakerOf(b)) : mayGoOn(b);
  }

  /// The earliest of the ranks that wait where `rank` does.
  [[nodiscard]] Rank speakerOf(Rank rank) const {
    const Operation& operation = *waitsIn(rank);
    return isMessage(operation.kind) || !isMember(rank) ? rank : callers_[operation.group].front();
  }

  [[nodiscard]] bool isBefore(Rank a, Rank b) const {
    const Operation& one = *waitsIn(a);
    const Operation& other = *waitsIn(b);
    return std::tie(one.moment, one.phase, a) < std::tie(other.moment, other.phase, b);
  }

  [[nodiscard]] Hang hangAt(Rank speaker) const {
    const Operation& operation = *waitsIn(speaker);
    Hang hang{Hang::Cause::Absent, operation, {speaker}, {}, mayGoOn(speaker)};
    if (!isMember(speaker)) {
      hang.cause = Hang::Cause::NotMember;
      return hang;
    }
    if (isMessage(operation.kind)) {
      hang.absent.push_back({operation.peer, waitsIn(operation.peer), mayGoOn(operation.peer)});
      if (answers(operation.peer, speaker)) hang.cause = Hang::Cause::Differs;
      return hang;
    }
    const std::vector<Rank>& callers = callers_[operation.group];
    hang.waiting.clear();
    std::ranges::copy_if(callers, std::back_inserter(hang.waiting), matching(speaker));
    std::ranges::sort(hang.waiting);
    if (hang.waiting.size() < callers.size()) hang.cause = Hang::Cause::Differs;
    for (const Rank rank : groups_[operation.group])
      if (!isIn(hang.waiting, rank)) hang.absent.push_back({rank, waitsIn(rank), mayGoOn(rank)});
    return hang;
  }

  const std::vector<Group>& groups_;
  const NextOperation& next_;
  const OperationOver& over_;
  std::vector<std::optional<Operation>> waits_in_;  ///< by rank; nothing of one that has finished
  std::vector<bool> may_go_on_;                     ///< by rank, at the standstill
  std::vector<std::vector<Rank>> callers_;          ///< by group: the ranks that wait in its collective, earliest first
  std::vector<Rank> ready_;
};

}  // namespace

std::string_view nameOf(Kind kind) {
  constexpr std::array<std::string_view, 11> kNames = {"load",           "compute",    "host",      "all_reduce",
                                                       "reduce_scatter", "all_gather", "broadcast", "all_to_all",
                                                       "barrier",        "send",       "recv"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view nameOf(Reduction reduction) {
  constexpr std::array<std::string_view, 4> kNames = {"", "sum", "avg", "max"};
  return kNames[static_cast<std::size_t>(reduction)];
}

bool match(const Operation& a, const Operation& b) {
  return a.kind == b.kind && a.reduction == b.reduction && a.peer == b.peer &&
         (a.bytes == b.bytes || a.kind == Kind::AllToAll);
}

Result<std::optional<Hang>> findHang(std::int64_t world_size, const std::vector<Group>& groups,
                                     const NextOperation& next, const OperationOver& over) {
  Job job(world_size, groups, next, over);
  if (auto ran = job.run(); !ran) return ran.error();
  return job.hang();
}

}  // namespace shardlens::schedule
