// SPDX-License-Identifier: Apache-2.0
#include "core/traces/clock_bounds.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace shardlens::traces {
namespace {

bool isMeeting(const Call& call) {
  switch (call.op) {
    case SL_OP_BARRIER:
    case SL_OP_ALLREDUCE:
    case SL_OP_ALLGATHER:
    case SL_OP_REDUCE_SCATTER:
    case SL_OP_ALLTOALL:
      return call.isOver() && call.created_ns >= 0 && call.completed_ns >= call.created_ns;
    default:
      return false;
  }
}

/// The least and the greatest that one clock minus another can be.
struct Bounds {
  std::int64_t least = std::numeric_limits<std::int64_t>::min() / 4;
  std::int64_t greatest = std::numeric_limits<std::int64_t>::max() / 4;

  void narrow(const Call& leader, const Call& member) {
    least = std::max(least, member.created_ns - leader.completed_ns);
    greatest = std::min(greatest, member.completed_ns - leader.created_ns);
  }
  [[nodiscard]] bool isKnown() const {
    return least <= greatest && least > std::numeric_limits<std::int64_t>::min() / 8 &&
           greatest < std::numeric_limits<std::int64_t>::max() / 8;
  }
  [[nodiscard]] ClockBound bound() const {
    const std::int64_t offset = least <= 0 && greatest >= 0 ? 0 : least + (greatest - least) / 2;
    return {offset, std::max(greatest - offset, offset - least)};
  }
};

/// The first rank of each group stands for it: the others are compared with that one.
class GroupClocks {
 public:
  void add(std::size_t place, const RankTrace& trace) {
    addHost(place, trace);
    for (const Call& call : trace.calls) {
      if (trace.is_sampled || !isMeeting(call)) continue;
      Group& group = groups_[call.group];
      if (group.leader == kNoLeader) group.leader = place;
      if (group.leader == place) {
        group.calls.try_emplace(call.seq, call);
        continue;
      }
      const auto found = group.calls.find(call.seq);
      if (found == group.calls.end() || found->second.op != call.op) continue;
      if (group.newest != place) group.bounds = &bounds_[{group.leader, place}];
      group.newest = place;
      group.bounds->narrow(found->second, call);
    }
  }

  /// Goes from the first rank to those that have been compared with a known one.
  [[nodiscard]] std::vector<std::optional<ClockBound>> all(std::size_t count) const {
    std::vector<std::optional<ClockBound>> known(count);
    if (count == 0) return known;
    known[0].emplace();
    for (bool is_better = true; is_better;) {
      is_better = false;
      for (const auto& [pair, bounds] : bounds_) {
        if (!bounds.isKnown()) continue;
        const ClockBound step = bounds.bound();
        is_better = improve(known[pair.first], known[pair.second], {step.offset_ns, step.error_ns}) || is_better;
        is_better = improve(known[pair.second], known[pair.first], {-step.offset_ns, step.error_ns}) || is_better;
      }
    }
    return known;
  }

 private:
  /// The ranks of one host have one clock.
  void addHost(std::size_t place, const RankTrace& trace) {
    if (trace.host.empty()) return;
    const auto [first, is_new] = first_of_host_.try_emplace(trace.host, place);
    if (!is_new) bounds_[{first->second, place}] = {0, 0};
  }
  static bool improve(const std::optional<ClockBound>& from, std::optional<ClockBound>& to, const ClockBound& step) {
    if (!from || (to && to->error_ns <= from->error_ns + step.error_ns)) return false;
    to = ClockBound{from->offset_ns + step.offset_ns, from->error_ns + step.error_ns};
    return true;
  }

  static constexpr std::size_t kNoLeader = SIZE_MAX;
  struct Group {
    std::size_t leader = kNoLeader;
    std::unordered_map<std::uint64_t, Call> calls;  ///< of the leader
    std::size_t newest = kNoLeader;                 ///< whom `bounds` are about
    Bounds* bounds = nullptr;
  };
  std::map<std::string, std::size_t> first_of_host_;
  std::unordered_map<std::uint32_t, Group> groups_;
  std::map<std::pair<std::size_t, std::size_t>, Bounds> bounds_;
};

}  // namespace

std::vector<std::optional<ClockBound>> clockBounds(const ForeignJob& job) {
  GroupClocks clocks;
  for (std::size_t place = 0; place < job.ranks.size(); ++place) clocks.add(place, job.ranks[place]);
  return clocks.all(job.ranks.size());
}

}  // namespace shardlens::traces
