// SPDX-License-Identifier: Apache-2.0
// findHang() against a simulation that knows nothing of who waits for whom: it moves tokens while any can move.
#include "core/schedule/hang.h"

#include "core/base/work.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>
#include <tuple>
#include <utility>

using namespace shardlens;
using namespace shardlens::schedule;

namespace {

using Programs = std::vector<std::vector<Operation>>;

struct Jobs {
  std::vector<Group> groups;
  Programs programs;
};

std::optional<Hang> found(const Jobs& job) {
  std::vector<std::size_t> places(job.programs.size());
  const auto hang = findHang(static_cast<std::int64_t>(places.size()), job.groups,
                             [&](Rank rank) -> Result<std::optional<Operation>> {
                               const auto& program = job.programs[static_cast<std::size_t>(rank.value)];
                               std::size_t& place = places[static_cast<std::size_t>(rank.value)];
                               return place == program.size() ? std::nullopt : std::optional(program[place++]);
                             });
  REQUIRE(hang);
  return *hang;
}

/// A token for each rank stands at its next operation; a set of tokens moves together when it may.
class Tokens {
 public:
  Tokens(const Jobs& job, std::mt19937_64& random) : job_(job), at_(job.programs.size()), random_(random) {}

  std::optional<Hang> run() {
    for (auto moves = allMoves(); !moves.empty(); moves = allMoves()) {
      for (const std::size_t rank : moves[random_() % moves.size()]) ++at_[rank];
    }
    std::vector<std::size_t> stuck;
    for (std::size_t rank = 0; rank < at_.size(); ++rank)
      if (op(rank) != nullptr) stuck.push_back(rank);
    if (stuck.empty()) return std::nullopt;
    letGo();
    if (!std::ranges::all_of(stuck, [this](std::size_t rank) { return mayGoOn(rank); }))
      std::erase_if(stuck, [this](std::size_t rank) { return mayGoOn(rank); });
    // Followed so often that it must be where the way ends, or on its circle.
    std::size_t here = earliest(stuck);
    for (std::size_t i = 0; i < at_.size(); ++i) here = onward(here);
    std::vector<std::size_t> circle = {here};
    for (std::size_t next = onward(here); next != here; next = onward(next)) circle.push_back(next);
    return verdict(earliest(circle));
  }

 private:
  [[nodiscard]] const Operation* op(std::size_t rank) const {
    const auto& program = job_.programs[rank];
    return at_[rank] == program.size() ? nullptr : &program[at_[rank]];
  }

  [[nodiscard]] bool mayGoOn(std::size_t rank) const { return may_go_on_.contains(rank); }

  /// Moves each token alone from here, where a broadcast lets its source go at once, and the others once the source has
  /// called it; notes which tokens move and whether all come to their ends.
  void letGo() {
    const std::vector<std::size_t> here = at_;
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t rank = 0; rank < at_.size(); ++rank) {
        if (op(rank) == nullptr || isOutside(rank) || !isFree(rank)) continue;
        if (isMessage(op(rank)->kind)) ++at_[static_cast<std::size_t>(op(rank)->peer.value)];
        ++at_[rank];
        moved = true;
      }
    }
    may_end_ = true;
    for (std::size_t rank = 0; rank < at_.size(); ++rank) {
      if (op(rank) != nullptr) may_end_ = false;
      if (at_[rank] != here[rank]) may_go_on_.insert(rank);
    }
    at_ = here;
  }

  /// Whether the rank's operation is local, a message that may be exchanged, or a collective that those whom it needs
  /// have called, as often as this rank has, or more often.
  [[nodiscard]] bool isFree(std::size_t rank) const {
    const Operation& own = *op(rank);
    if (isLocal(own.kind)) return true;
    if (isMessage(own.kind)) return absent(rank).empty();
    const auto number = callsOf(rank, own.group).size();
    std::vector<std::size_t> needed = members(rank);
    if (own.kind == Kind::Broadcast && has(own.group, own.peer.value))
      needed = {static_cast<std::size_t>(own.peer.value)};
    return std::all_of(needed.begin(), needed.end(), [&](std::size_t one) {
      const auto calls = callsOf(one, own.group);
      return calls.size() >= number && equal(*calls[number - 1], own);
    });
  }

  /// The collectives that the rank has called in the group, the one that it is in among them.
  [[nodiscard]] std::vector<const Operation*> callsOf(std::size_t rank, std::size_t group) const {
    std::vector<const Operation*> calls;
    const auto& program = job_.programs[rank];
    for (std::size_t i = 0; i < std::min(at_[rank] + 1, program.size()); ++i)
      if (!isLocal(program[i].kind) && !isMessage(program[i].kind) && program[i].group == group)
        calls.push_back(&program[i]);
    return calls;
  }

  static bool equal(const Operation& a, const Operation& b) {
    if (a.group != b.group || a.kind != b.kind || a.reduction != b.reduction || a.peer != b.peer) return false;
    return a.kind == Kind::AllToAll || a.bytes == b.bytes;
  }

  [[nodiscard]] bool has(std::size_t group, std::int64_t rank) const {
    const Group& ranks = job_.groups[group];
    return std::count(ranks.begin(), ranks.end(), Rank{rank}) == 1;
  }

  [[nodiscard]] bool isOutside(std::size_t rank) const {
    const Operation& own = *op(rank);
    const auto number = static_cast<std::int64_t>(rank);
    const bool to_nobody = isMessage(own.kind) && (own.peer.value == number || !has(own.group, own.peer.value));
    return !has(own.group, number) || to_nobody;
  }

  [[nodiscard]] std::vector<std::vector<std::size_t>> allMoves() const {
    std::vector<std::vector<std::size_t>> moves;
    for (std::size_t rank = 0; rank < at_.size(); ++rank) {
      if (op(rank) == nullptr) continue;
      if (isLocal(op(rank)->kind)) {
        moves.push_back({rank});
      } else if (!isOutside(rank) && absent(rank).empty()) {
        std::vector<std::size_t> together = {rank};
        if (isMessage(op(rank)->kind)) together.push_back(static_cast<std::size_t>(op(rank)->peer.value));
        if (!isMessage(op(rank)->kind)) together = members(rank);
        moves.push_back(together);
      }
    }
    return moves;
  }

  [[nodiscard]] std::vector<std::size_t> members(std::size_t rank) const {
    std::vector<std::size_t> all;
    for (const Rank one : job_.groups[op(rank)->group]) all.push_back(static_cast<std::size_t>(one.value));
    return all;
  }

  /// Those whose token must stand elsewhere than it does for the rank's to move.
  [[nodiscard]] std::vector<std::size_t> absent(std::size_t rank) const {
    const Operation& own = *op(rank);
    std::vector<std::size_t> out;
    if (isMessage(own.kind)) {
      const auto peer = static_cast<std::size_t>(own.peer.value);
      if (op(peer) == nullptr || !differs(rank, peer) || op(peer)->bytes != own.bytes) out.push_back(peer);
      return out;
    }
    for (const std::size_t one : members(rank))
      if (op(one) == nullptr || !equal(*op(one), own)) out.push_back(one);
    return out;
  }

  /// Whether `other` stands where the rank needs it; absent() says whether it has something else in its hands.
  [[nodiscard]] bool differs(std::size_t rank, std::size_t other) const {
    const Operation& own = *op(rank);
    if (op(other) == nullptr || op(other)->group != own.group) return false;
    const Operation& its = *op(other);
    if (!isMessage(own.kind)) return !isMessage(its.kind) && has(own.group, static_cast<std::int64_t>(other));
    return isMessage(its.kind) && its.kind != own.kind && its.peer.value == static_cast<std::int64_t>(rank);
  }

  /// The earliest of those that wait with the rank.
  [[nodiscard]] std::size_t earliest(const std::vector<std::size_t>& ranks) const {
    std::set<std::tuple<Moment, std::size_t, std::size_t>> all;
    for (const std::size_t rank : ranks) {
      all.insert({op(rank)->moment, op(rank)->phase, rank});
      if (isOutside(rank) || isMessage(op(rank)->kind)) continue;
      for (const std::size_t one : members(rank))
        if (one == rank || differs(rank, one) || (op(one) != nullptr && equal(*op(one), *op(rank))))
          all.insert({op(one)->moment, op(one)->phase, one});
    }
    return std::get<2>(*all.begin());
  }

  /// Who is to be asked next why the rank waits; itself where the answer is known.
  [[nodiscard]] std::size_t onward(std::size_t rank) const {
    if (isOutside(rank)) return rank;
    for (const std::size_t one : absent(rank))
      if (op(one) == nullptr || differs(rank, one)) return rank;
    for (const std::size_t one : absent(rank))
      if (!mayGoOn(one)) return earliest({one});
    return mayGoOn(rank) ? earliest({absent(rank).front()}) : rank;
  }

  [[nodiscard]] Hang verdict(std::size_t rank) const {
    Hang hang{Hang::Cause::Absent, *op(rank), {}, {}, mayGoOn(rank), may_end_};
    if (isOutside(rank) || isMessage(op(rank)->kind)) {
      hang.waiting = {Rank{static_cast<std::int64_t>(rank)}};
    } else {
      for (const std::size_t one : members(rank))
        if (op(one) != nullptr && equal(*op(one), *op(rank))) hang.waiting.push_back({static_cast<std::int64_t>(one)});
    }
    for (const Rank one : hang.waiting) hang.calls.push_back(*op(static_cast<std::size_t>(one.value)));
    if (isOutside(rank)) {
      hang.cause = Hang::Cause::NotMember;
      return hang;
    }
    for (const std::size_t one : absent(rank)) {
      if (differs(rank, one)) hang.cause = Hang::Cause::Differs;
      hang.absent.push_back({{static_cast<std::int64_t>(one)},
                             op(one) == nullptr ? std::nullopt : std::optional(*op(one)),
                             mayGoOn(one)});
    }
    return hang;
  }

  const Jobs& job_;
  std::vector<std::size_t> at_;
  std::set<std::size_t> may_go_on_;
  bool may_end_ = false;
  std::mt19937_64& random_;
};

/// Draws jobs that end: what happens is drawn once, and each rank does its part of it.
class RandomJob {
 public:
  explicit RandomJob(std::mt19937_64& random) : random_(random) {}

  Jobs next() {
    Jobs job;
    const std::int64_t ranks = 2 + below(5);
    job.programs.resize(static_cast<std::size_t>(ranks));
    job.groups = {{}, {}, {}, {}};
    for (Rank rank{0}; rank.value < ranks; ++rank) {
      job.groups[0].push_back(rank);
      job.groups[rank.value % 2 == 0 ? 1 : 2].push_back(rank);
      if (below(2) == 0) job.groups[3].push_back(rank);
    }
    for (std::int64_t event = 4 + below(20); event > 0; --event) add(job, event);
    return job;
  }

  /// Changes what one rank does in one place.
  void spoil(Jobs& job) {
    auto& program = job.programs[static_cast<std::size_t>(below(static_cast<std::int64_t>(job.programs.size())))];
    if (program.empty()) return;
    const auto place = below(static_cast<std::int64_t>(program.size()));
    Operation& operation = program[static_cast<std::size_t>(place)];
    switch (below(7)) {
      case 0:
        program.erase(program.begin() + place);
        break;
      case 1:
        program.insert(program.begin() + place, Operation(operation));
        break;
      case 2:
        operation.bytes += 8;
        break;
      case 3:
        operation.group = static_cast<std::size_t>(below(4));
        break;
      case 4:
        operation.kind = static_cast<Kind>(below(11));
        if (isMessage(operation.kind)) operation.peer = Rank{below(static_cast<std::int64_t>(job.programs.size()))};
        break;
      case 5:
        std::swap(operation, program[static_cast<std::size_t>(below(static_cast<std::int64_t>(program.size())))]);
        break;
      default:
        program.resize(static_cast<std::size_t>(place));
    }
  }

 private:
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(n)); }

  void add(Jobs& job, std::int64_t left) {
    const auto program = [&](Rank rank) -> auto& {
      return job.programs[static_cast<std::size_t>(rank.value)];
    };
    Operation operation;
    operation.group = static_cast<std::size_t>(below(4));
    operation.moment = {Epoch{0}, At::Step, Step{(24 - left) / 3}};
    operation.phase = static_cast<std::size_t>(24 - left) % 3;
    operation.bytes = below(3);
    operation.kind = below(3) == 0 ? Kind::Broadcast : static_cast<Kind>(below(11));
    const Group& group = job.groups[operation.group];
    if (group.empty()) return;
    const Rank one = group[static_cast<std::size_t>(below(static_cast<std::int64_t>(group.size())))];
    if (isLocal(operation.kind)) return program(one).push_back(operation);
    if (!isMessage(operation.kind)) {
      if (operation.kind == Kind::AllReduce) operation.reduction = static_cast<Reduction>(1 + below(3));
      if (operation.kind == Kind::Broadcast) operation.peer = one;
      for (const Rank rank : group) program(rank).push_back(operation);
      return;
    }
    const Rank other = group[static_cast<std::size_t>(below(static_cast<std::int64_t>(group.size())))];
    if (one == other) return;
    operation.kind = Kind::Send;
    operation.peer = other;
    program(one).push_back(operation);
    operation.kind = Kind::Recv;
    operation.peer = one;
    program(other).push_back(operation);
  }

  std::mt19937_64& random_;
};

Operation of(Kind kind, std::size_t group, std::int64_t step, std::int64_t peer = -1) {
  Operation operation;
  operation.kind = kind;
  operation.group = group;
  operation.peer = Rank{peer};
  operation.moment = {Epoch{0}, At::Step, Step{step}};
  return operation;
}

}  // namespace

TEST_CASE("jobs that end are silent, and of those that hang the first operation and the absent ranks are the same") {
  std::mt19937_64 random(31);
  RandomJob jobs(random);
  int hangs = 0;
  int may_go_on = 0;
  int may_end = 0;
  std::set<Hang::Cause> causes;
  for (int i = 0; i < 1000; ++i) {
    CAPTURE(i);
    Jobs job = jobs.next();
    CHECK_FALSE(found(job).has_value());
    CHECK_FALSE(Tokens(job, random).run().has_value());
    if (i % 2 == 0) continue;
    for (int tried = 0; tried < 100 && !Tokens(job, random).run(); ++tried) jobs.spoil(job);
    const auto expected = Tokens(job, random).run();
    CHECK(found(job) == expected);
    if (!expected) continue;
    ++hangs;
    const bool has_mark = expected->may_go_on || std::ranges::any_of(expected->absent, &Absent::may_go_on);
    may_go_on += has_mark && !expected->may_end ? 1 : 0;
    may_end += expected->may_end ? 1 : 0;
    causes.insert(expected->cause);
  }
  CHECK(hangs > 450);
  CHECK(may_go_on > 10);
  CHECK(may_end > 0);
  CHECK(causes.size() == 3);
}

TEST_CASE("a rank that has finished is absent, however far back the others wait") {
  // Rank 0 waits for rank 1, which waits for rank 2.
  const Jobs job{{{{0}, {1}}, {{1}, {2}}},
                 {{of(Kind::Barrier, 0, 0)}, {of(Kind::Barrier, 1, 1), of(Kind::Barrier, 0, 2)}, {}}};
  const auto hang = found(job);
  REQUIRE(hang);
  CHECK(hang->operation == of(Kind::Barrier, 1, 1));
  CHECK(hang->waiting == std::vector<Rank>{{1}});
  CHECK(hang->absent == std::vector<Absent>{{{2}, {}}});
}

TEST_CASE("ranks that wait together may call from different places of their programs") {
  const Group all = {{0}, {1}, {2}};
  const auto hang = found({{all}, {{of(Kind::Barrier, 0, 4)}, {of(Kind::Barrier, 0, 2)}, {}}});
  REQUIRE(hang);
  CHECK(hang->operation == of(Kind::Barrier, 0, 2));
  CHECK(hang->waiting == std::vector<Rank>{{0}, {1}});
  CHECK(hang->calls == std::vector<Operation>{of(Kind::Barrier, 0, 4), of(Kind::Barrier, 0, 2)});
}

TEST_CASE("waiting in a circle over several groups is found, and its earliest operation named") {
  const Jobs job{{{{0}, {1}}, {{1}, {2}}, {{0}, {2}}},
                 {{of(Kind::Barrier, 0, 4), of(Kind::Barrier, 2, 6)},
                  {of(Kind::Barrier, 1, 3), of(Kind::Barrier, 0, 4)},
                  {of(Kind::Barrier, 2, 5), of(Kind::Barrier, 1, 6)}}};
  const auto hang = found(job);
  REQUIRE(hang);
  CHECK(hang->cause == Hang::Cause::Absent);
  CHECK(hang->operation == of(Kind::Barrier, 1, 3));
  CHECK(hang->absent == std::vector<Absent>{{{2}, of(Kind::Barrier, 2, 5)}});
}

TEST_CASE("all ranks that send before they receive wait for each other") {
  const Group both = {{0}, {1}};
  Jobs job{{both},
           {{of(Kind::Send, 0, 0, 1), of(Kind::Recv, 0, 0, 1)}, {of(Kind::Send, 0, 0, 0), of(Kind::Recv, 0, 0, 0)}}};
  const auto hang = found(job);
  REQUIRE(hang);
  CHECK(hang->waiting == std::vector<Rank>{{0}});
  CHECK(hang->absent == std::vector<Absent>{{{1}, of(Kind::Send, 0, 0, 0)}});
  std::swap(job.programs[1][0], job.programs[1][1]);
  CHECK_FALSE(found(job));
}

TEST_CASE("a source that alone broadcasts may go on, and its job may end") {
  const Jobs job{{{{0}, {1}}}, {{of(Kind::Broadcast, 0, 0, 0)}, {}}};
  const auto hang = found(job);
  REQUIRE(hang);
  CHECK(hang->waiting == std::vector<Rank>{{0}});
  CHECK(hang->may_go_on);
  CHECK(hang->may_end);
  const Jobs of_another{job.groups, {{of(Kind::Broadcast, 0, 0, 1)}, {}}};
  CHECK_FALSE(found(of_another)->may_go_on);
  CHECK_FALSE(found(of_another)->may_end);
}

TEST_CASE("who has the values of a broadcast may go on without the last rank, and so may who waits for it") {
  const Group all = {{0}, {1}, {2}};
  const Operation broadcast = of(Kind::Broadcast, 0, 1, 0);
  const Jobs job{{all, {{1}, {2}}},
                 {{broadcast}, {broadcast, of(Kind::Barrier, 1, 2)}, {of(Kind::Barrier, 1, 2), broadcast}}};
  const auto hang = found(job);
  REQUIRE(hang);
  CHECK(hang->may_end);
  CHECK(hang->waiting == std::vector<Rank>{{0}, {1}});
  CHECK(hang->absent == std::vector<Absent>{{{2}, of(Kind::Barrier, 1, 2), true}});
}

TEST_CASE("where a source may go on, those that never get further still hang") {
  // Rank 0 broadcasts in place of the barrier of the others; rank 3 waits for the source in another group.
  const Jobs job{{{{0}, {1}, {2}}, {{0}, {3}}},
                 {{of(Kind::Broadcast, 0, 0, 0), of(Kind::Barrier, 1, 1)},
                  {of(Kind::Barrier, 0, 2)},
                  {of(Kind::Barrier, 0, 2)},
                  {of(Kind::Barrier, 1, 1)}}};
  const auto hang = found(job);
  REQUIRE(hang);
  CHECK(hang->cause == Hang::Cause::Differs);
  CHECK(hang->operation == of(Kind::Broadcast, 0, 0, 0));
  CHECK(hang->may_go_on);
  CHECK_FALSE(hang->may_end);
  CHECK(hang->absent == std::vector<Absent>{{{1}, of(Kind::Barrier, 0, 2)}, {{2}, of(Kind::Barrier, 0, 2)}});
}

TEST_CASE("a job hangs for certain where what a broadcast lets go never does what the others wait for") {
  const Group all = {{0}, {1}, {2}, {3}};
  const Operation broadcast = of(Kind::Broadcast, 0, 0, 0);
  for (const Operation& other : {of(Kind::Recv, 0, 0, 0), of(Kind::Barrier, 1, 0)}) {
    const auto hang = found({{all, {{0}, {1}}}, {{broadcast}, {other}, {}, {}}});
    REQUIRE(hang);
    CHECK(hang->operation == other);
    CHECK_FALSE(hang->may_go_on);
    CHECK_FALSE(hang->may_end);
    CHECK(hang->absent == std::vector<Absent>{{{0}, broadcast, true}});
  }
  const Jobs hangs_later{{all}, {{broadcast, of(Kind::Barrier, 0, 1)}, {}, {}, {}}};
  const auto later = found(hangs_later);
  REQUIRE(later);
  CHECK(later->operation == broadcast);
  CHECK(later->may_go_on);
  CHECK_FALSE(later->may_end);
}

TEST_CASE("a job only may hang where a source gets ahead of the others without end") {
  const auto hang = findHang(2, {{{0}, {1}}}, [](Rank rank) -> Result<std::optional<Operation>> {
    return rank.value == 0 ? std::optional(of(Kind::Broadcast, 0, 0, 0)) : std::nullopt;
  });
  REQUIRE(hang);
  REQUIRE(*hang);
  CHECK((*hang)->operation == of(Kind::Broadcast, 0, 0, 0));
  CHECK((*hang)->may_go_on);
  CHECK((*hang)->may_end);
  CHECK_FALSE((*hang)->is_followed);
  CHECK((*hang)->absent == std::vector<Absent>{{{1}, {}}});
}

TEST_CASE("a job is not said to hang where it was stopped behind the standstill") {
  bool is_asked_again = false;
  const auto hang = findHang(2, {{{0}, {1}}}, [&](Rank rank) -> Result<std::optional<Operation>> {
    if (rank.value == 1) return std::optional<Operation>();
    if (std::exchange(is_asked_again, true)) return cancelled();
    return std::optional(of(Kind::Broadcast, 0, 0, 0));
  });
  REQUIRE_FALSE(hang);
  CHECK(hang.error().code == ErrorCode::Cancelled);
}
