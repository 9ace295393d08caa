// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/hang.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

namespace shardlens::schedule {
namespace {

bool isIn(const Group& group, Rank rank) {
  return std::ranges::binary_search(group, rank);
}

/// Collectives that some ranks have called and others have not, where broadcasts let go. Bounds the memory.
constexpr std::size_t kMostAhead = 100'000;

/// The n-th collective of a group since the standstill, where broadcasts let go.
struct Instance {
  std::size_t callers = 0;
  Operation first;                  ///< as the first of them calls it
  bool all_alike = true;            ///< all callers match the first
  std::vector<Rank> inside;         ///< the callers that have not left
  std::map<Rank, Operation> begun;  ///< broadcasts that their source has called, by source
};

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
      if (auto went = advance(rank); !went) return went;
    }
    for (std::vector<Rank>& callers : callers_)
      std::ranges::sort(callers, [this](Rank a, Rank b) { return isBefore(a, b); });
    return {};
  }

  [[nodiscard]] bool haveAllFinished() const {
    return std::ranges::none_of(waits_in_, [](const auto& operation) { return operation.has_value(); });
  }

  /// Follows the ranks from the standstill, where every broadcast lets each rank go as early as MPI may, and notes who
  /// gets further and whether all finish. Leaves the ranks at the standstill. Where that is too long, any rank may.
  Result<void> letGo() {
    const std::vector<std::optional<Operation>> standstill = waits_in_;
    broadcasts_let_go_ = true;
    for (Rank rank{0}; rank.value < static_cast<std::int64_t>(waits_in_.size()); ++rank)
      if (waitsIn(rank)) enter(rank);
    const auto went = followReady();
    if (!went && went.error().code != ErrorCode::Unsupported) return went;
    is_followed_ = went.has_value();
    may_end_ = !is_followed_ || haveAllFinished();
    waits_in_ = standstill;
    for (std::size_t rank = 0; !is_followed_ && rank < waits_in_.size(); ++rank)
      may_go_on_[rank] = waits_in_[rank].has_value();
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
      const auto stuck = std::ranges::find(hang.absent, false, &Absent::may_go_on);
      if (stuck == hang.absent.end() && !hang.may_go_on) break;  // of these, no other is certain to stay
      path.push_back(rank);
      is_on_path[placeOf(rank)] = true;
      rank = speakerOf(stuck == hang.absent.end() ? hang.absent.front().rank : stuck->rank);
      hang = hangAt(rank);
    }
    if (is_on_path[placeOf(rank)])
      hang = hangAt(*std::min_element(std::ranges::find(path, rank), path.end(),
                                      [this](Rank a, Rank b) { return isBefore(a, b); }));
    hang.may_end = may_end_;
    hang.is_followed = is_followed_;
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

  /// Takes the rank to its next operation with others, or to its end.
  Result<void> advance(Rank rank) {
    auto next = next_(rank);
    while (next && *next && isLocal((*next)->kind)) next = next_(rank);
    if (!next) return next.error();
    waitsIn(rank) = *next;
    if (*next) enter(rank);
    return {};
  }

  /// Takes on whoever a broadcast lets go, in turns, so that none gets ahead without need.
  Result<void> followReady() {
    while (!ready_.empty()) {
      for (const Rank rank : std::exchange(ready_, {})) {
        if (auto went = advance(rank); !went) return went;
        if (instances_.size() > groups_.size() + kMostAhead) return tooLong();
      }
    }
    return {};
  }

  void enter(Rank rank) {
    if (!isMember(rank)) return;
    if (isMessage(waitsIn(rank)->kind)) {
      enterMessage(rank);
    } else if (broadcasts_let_go_) {
      enterInstance(rank);
    } else {
      enterCollective(rank);
    }
  }

  void release(std::span<const Rank> ranks) {
    if (over_) over_(ranks, *waitsIn(ranks.front()));
    for (const Rank rank : ranks) {
      waitsIn(rank).reset();
      if (broadcasts_let_go_) may_go_on_[placeOf(rank)] = true;
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

  /// As enterCollective(), where broadcasts let go. No collective of a group is half done at the standstill, so its
  /// members count from there alike.
  void enterInstance(Rank rank) {
    const Operation& own = *waitsIn(rank);
    const Group& group = groups_[own.group];
    const auto at = instances_.try_emplace({own.group, calls_[{own.group, rank}]++}).first;
    Instance& instance = at->second;
    if (instance.callers++ == 0) instance.first = own;
    instance.all_alike = instance.all_alike && match(instance.first, own);
    const bool is_source = own.peer == rank;
    if (is_source) instance.begun.emplace(rank, own);
    const bool is_full = instance.callers == group.size();
    const auto mustStay = [&](Rank one) {
      const Operation& its = *waitsIn(one);
      if (its.kind != Kind::Broadcast || !isIn(group, its.peer)) return !is_full || !instance.all_alike;
      const auto begun = instance.begun.find(its.peer);
      return begun == instance.begun.end() || !match(begun->second, its);
    };
    instance.inside.push_back(rank);
    const auto first = is_source || is_full ? instance.inside.begin() : instance.inside.end() - 1;
    const auto free = std::partition(first, instance.inside.end(), mustStay);
    release({free, instance.inside.end()});
    instance.inside.erase(free, instance.inside.end());
    if (is_full) instances_.erase(at);
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
    hang.calls = {operation};
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
    hang.calls.clear();
    for (const Rank rank : hang.waiting) hang.calls.push_back(*waitsIn(rank));
    if (hang.waiting.size() < callers.size()) hang.cause = Hang::Cause::Differs;
    for (const Rank rank : groups_[operation.group])
      if (!isIn(hang.waiting, rank)) hang.absent.push_back({rank, waitsIn(rank), mayGoOn(rank)});
    return hang;
  }

  const std::vector<Group>& groups_;
  const NextOperation& next_;
  const OperationOver& over_;
  std::vector<std::optional<Operation>> waits_in_;  ///< by rank; nothing of one that has finished
  std::vector<bool> may_go_on_;                     ///< by rank: it got further in letGo()
  std::vector<std::vector<Rank>> callers_;          ///< by group: the ranks that wait in its collective, earliest first
  std::vector<Rank> ready_;
  bool broadcasts_let_go_ = false;
  bool may_end_ = false;
  bool is_followed_ = true;
  /// In letGo(), by group and number, until all have called it.
  std::map<std::pair<std::size_t, std::size_t>, Instance> instances_;
  std::map<std::pair<std::size_t, Rank>, std::size_t> calls_;  ///< how many of a group's collectives the rank called
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

Error tooLong() {
  return Error{ErrorCode::Unsupported, "The schedule is too long to be followed.", {}, {}};
}

bool Hang::knowsPlace() const {
  return may_end || !may_go_on || std::ranges::any_of(absent, [this](const Absent& one) {
           return !one.may_go_on && one.waits_in && one.waits_in->moment == operation.moment;
         });
}

Result<bool> allFinish(std::int64_t world_size, const std::vector<Group>& groups, const NextOperation& next,
                       const OperationOver& over) {
  Job job(world_size, groups, next, over);
  if (auto ran = job.run(); !ran) return ran.error();
  return job.haveAllFinished();
}

Result<std::optional<Hang>> findHang(std::int64_t world_size, const std::vector<Group>& groups,
                                     const NextOperation& next) {
  const OperationOver nobody;
  Job job(world_size, groups, next, nobody);
  if (auto ran = job.run(); !ran) return ran.error();
  if (auto went = job.letGo(); !went) return went.error();
  return job.hang();
}

}  // namespace shardlens::schedule
