// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/hang.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <tuple>

namespace shardlens::schedule {
namespace {

bool match(const Operation& a, const Operation& b) {
  return a.kind == b.kind && a.reduction == b.reduction && a.peer == b.peer &&
         (a.bytes == b.bytes || a.kind == Kind::AllToAll);
}

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
    return {};
  }

  /// Where the ranks stand that have not finished.
  [[nodiscard]] std::optional<Hang> hang() const {
    std::optional<Rank> first;
    for (Rank rank{0}; rank.value < static_cast<std::int64_t>(waits_in_.size()); ++rank) {
      if (waitsIn(rank) && (!first || isBefore(speakerOf(rank), *first))) first = speakerOf(rank);
    }
    if (!first) return std::nullopt;
    std::vector<Rank> path;
    std::vector<bool> is_on_path(waits_in_.size());
    for (Rank rank = *first;;) {
      path.push_back(rank);
      is_on_path[static_cast<std::size_t>(rank.value)] = true;
      Hang hang = hangAt(rank);
      const bool is_final = hang.cause != Hang::Cause::Absent ||
                            std::ranges::any_of(hang.absent, [](const Absent& one) { return !one.waits_in; });
      if (is_final) return hang;
      rank = speakerOf(hang.absent.front().rank);
      if (!is_on_path[static_cast<std::size_t>(rank.value)]) continue;
      return hangAt(*std::min_element(std::ranges::find(path, rank), path.end(),
                                      [this](Rank a, Rank b) { return isBefore(a, b); }));
    }
  }

 private:
  std::optional<Operation>& waitsIn(Rank rank) { return waits_in_[static_cast<std::size_t>(rank.value)]; }
  [[nodiscard]] const std::optional<Operation>& waitsIn(Rank rank) const {
    return waits_in_[static_cast<std::size_t>(rank.value)];
  }

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
    Hang hang{Hang::Cause::Absent, operation, {speaker}, {}};
    if (!isMember(speaker)) {
      hang.cause = Hang::Cause::NotMember;
      return hang;
    }
    if (isMessage(operation.kind)) {
      hang.absent.push_back({operation.peer, waitsIn(operation.peer)});
      if (answers(operation.peer, speaker)) hang.cause = Hang::Cause::Differs;
      return hang;
    }
    const std::vector<Rank>& callers = callers_[operation.group];
    hang.waiting.clear();
    std::ranges::copy_if(callers, std::back_inserter(hang.waiting), matching(speaker));
    std::ranges::sort(hang.waiting);
    if (hang.waiting.size() < callers.size()) hang.cause = Hang::Cause::Differs;
    for (const Rank rank : groups_[operation.group])
      if (!isIn(hang.waiting, rank)) hang.absent.push_back({rank, waitsIn(rank)});
    return hang;
  }

  const std::vector<Group>& groups_;
  const NextOperation& next_;
  const OperationOver& over_;
  std::vector<std::optional<Operation>> waits_in_;  ///< by rank; nothing of one that has finished
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

Result<std::optional<Hang>> findHang(std::int64_t world_size, const std::vector<Group>& groups,
                                     const NextOperation& next, const OperationOver& over) {
  Job job(world_size, groups, next, over);
  if (auto ran = job.run(); !ran) return ran.error();
  return job.hang();
}

}  // namespace shardlens::schedule
