// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/record/frame.h"
#include "core/traces/foreign_job.h"
#include "core/traces/readers.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace shardlens::traces {
namespace {

constexpr std::uint32_t kNoGroup = UINT32_MAX;

bool isPair(const Call& call) {
  return call.op == SL_OP_SEND || call.op == SL_OP_RECV;
}

class Joiner {
 public:
  explicit Joiner(ForeignJob& job) : job_(job) {}

  void run() {
    std::stable_sort(job_.ranks.begin(), job_.ranks.end(),
                     [](const auto& a, const auto& b) { return a.rank < b.rank; });
    leaveOutRepeats();
    findWorld();
    for (const RankTrace& trace : job_.ranks) place_of_[trace.rank] = &trace;
    job_.groups.assign(1, GroupFacts{});
    job_.groups[0].members.emplace(static_cast<std::size_t>(job_.world_size));
    std::iota(job_.groups[0].members->begin(), job_.groups[0].members->end(), 0);
    for (const RankTrace& trace : job_.ranks) addGroups(trace);
    codes_.emplace(std::string(), 0);
    job_.codes.assign(1, {});
    for (RankTrace& trace : job_.ranks) use(trace);
    nameGroups();
    findCovered();
    for (RankTrace& trace : job_.ranks) {
      numberPairs(trace);
      setApart(trace);
    }
    note();
  }

 private:
  void leaveOutRepeats() {
    std::vector<RankTrace> once;
    for (RankTrace& trace : job_.ranks) {
      if (once.empty() || once.back().rank != trace.rank) {
        once.push_back(std::move(trace));
        continue;
      }
      job_.notes.push_back(filled(worded("traces", "%1 was left out: rank %2 is already in %3."), trace.file,
                                  std::to_string(trace.rank), once.back().file));
      job_.is_damaged = true;
    }
    job_.ranks = std::move(once);
  }

  void findWorld() {
    for (const RankTrace& trace : job_.ranks) {
      job_.world_size = std::max(job_.world_size, trace.rank + 1);
      for (const GroupFacts& group : trace.groups) {
        if (group.members) job_.world_size = std::max(job_.world_size, group.members->back() + 1);
      }
    }
    job_.world_size = std::min(job_.world_size, frame::kMostRanks);
  }

  [[nodiscard]] bool isWorld(const GroupFacts& group) const {
    if (group.name != "0" && group.desc != "default_pg" && !group.name.empty()) return false;
    return !group.members || static_cast<std::int64_t>(group.members->size()) == job_.world_size;
  }

  std::uint32_t numberOf(const GroupFacts& group) {
    if (isWorld(group)) return SL_WORLD;
    const auto [place, is_new] =
        number_of_.try_emplace({group.name, group.members.value_or(std::vector<std::int64_t>())},
                               static_cast<std::uint32_t>(job_.groups.size()));
    if (is_new) job_.groups.push_back(group);
    return place->second;
  }

  /// The groups whose members are told, so that a rank which only names one finds it.
  void addGroups(const RankTrace& trace) {
    for (const GroupFacts& group : trace.groups) {
      if (!group.members) continue;
      auto& named = by_name_[group.name];
      const std::uint32_t number = numberOf(group);
      if (std::find(named.begin(), named.end(), number) == named.end()) named.push_back(number);
    }
  }

  std::uint32_t numberFor(const RankTrace& trace, const GroupFacts& group) {
    if (group.members || isWorld(group)) return numberOf(group);
    std::uint32_t found = kNoGroup;
    for (const std::uint32_t one : by_name_[group.name]) {
      const auto& members = job_.groups[one].members;
      if (!std::binary_search(members->begin(), members->end(), trace.rank)) continue;
      found = found == kNoGroup ? one : kNoGroup - 1;
    }
    return found < kNoGroup - 1 ? found : numberOf(group);
  }

  void use(RankTrace& trace) {
    std::vector<std::uint32_t> groups;
    for (const GroupFacts& group : trace.groups) groups.push_back(numberFor(trace, group));
    std::vector<std::uint32_t> codes;
    for (std::string& code : trace.codes) {
      const auto [place, is_new] = codes_.try_emplace(std::move(code), static_cast<std::uint32_t>(job_.codes.size()));
      if (is_new) job_.codes.push_back(place->first);
      codes.push_back(place->second);
    }
    for (Call& call : trace.calls) {
      call.group = groups[call.group];
      call.code = codes[call.code];
      if (call.peer != SL_NO_PEER && call.peer >= static_cast<std::uint64_t>(job_.world_size)) call.peer = SL_NO_PEER;
    }
    trace.groups = {};
    trace.codes = {};
  }

  /// As a person calls them: by what they are for, with PyTorch's own name where that is not enough.
  void nameGroups() {
    std::map<std::string, int> count;
    for (const GroupFacts& group : job_.groups) ++count[group.desc];
    for (std::size_t i = 1; i < job_.groups.size(); ++i) {
      GroupFacts& group = job_.groups[i];
      if (group.desc.empty() || group.desc == "undefined") continue;
      group.name = count[group.desc] == 1 ? group.desc : group.desc + " " + group.name;
    }
  }

  /// From which number of a group on all buffers of its members hold everything.
  void findCovered() {
    for (const RankTrace& trace : job_.ranks) {
      if (!trace.is_wrapped) continue;
      std::map<std::uint32_t, std::uint64_t> oldest;
      for (const Call& call : trace.calls) {
        if (!isPair(call)) oldest.try_emplace(call.group, call.seq);
      }
      for (std::uint32_t group = 0; group < job_.groups.size(); ++group) {
        const auto& members = job_.groups[group].members;
        if (!members || !std::binary_search(members->begin(), members->end(), trace.rank)) continue;
        const auto found = oldest.find(group);
        std::uint64_t& from = covered_from_[group];
        from = std::max(from, found == oldest.end() ? UINT64_MAX : found->second);
      }
    }
  }

  [[nodiscard]] bool isWrapped(std::int64_t rank) const {
    const auto found = place_of_.find(rank);
    return found != place_of_.end() && found->second->is_wrapped;
  }

  /// Sends and recvs are joined by how many there were before between the same two: known only from the beginning.
  void numberPairs(RankTrace& trace) {
    std::map<std::tuple<std::uint32_t, std::uint16_t, std::uint32_t>, std::uint64_t> counts;
    for (Call& call : trace.calls) {
      if (!isPair(call)) continue;
      call.seq = counts[{call.group, call.op, call.peer}]++;
      if (call.peer == SL_NO_PEER || trace.is_wrapped || isWrapped(call.peer)) call.op = kShownOnly;
    }
  }

  /// Whether the absence of a member from this operation means something.
  [[nodiscard]] bool isCovered(const Call& call) const {
    const auto found = covered_from_.find(call.group);
    return found == covered_from_.end() || call.seq >= found->second;
  }

  void setApart(RankTrace& trace) {
    for (Call& call : trace.calls) {
      if (call.isOver() || isPair(call) || isCovered(call)) continue;
      const auto [place, is_new] = apart_.try_emplace(call.group, static_cast<std::uint32_t>(job_.groups.size()));
      if (is_new) job_.groups.push_back({job_.groups[call.group].name, {}, std::nullopt});
      call.group = place->second;
    }
  }

  void note() {
    std::vector<std::int64_t> without;
    std::vector<std::int64_t> wrapped;
    std::vector<std::string> unknown;
    bool has_all_times = true;
    std::size_t next = 0;
    for (std::int64_t rank = 0; rank < job_.world_size; ++rank) {
      if (next == job_.ranks.size() || job_.ranks[next].rank != rank) {
        without.push_back(rank);
        continue;
      }
      const RankTrace& trace = job_.ranks[next++];
      if (trace.is_wrapped) wrapped.push_back(rank);
      job_.is_damaged = job_.is_damaged || trace.is_cut;
      for (const std::string& name : trace.unknown_operations) {
        if (std::find(unknown.begin(), unknown.end(), name) == unknown.end()) unknown.push_back(name);
      }
      for (const Call& call : trace.calls)
        has_all_times = has_all_times && call.created_ns >= 0 && (!call.isOver() || call.completed_ns >= 0);
    }
    if (!without.empty() && job_.missing.empty())
      job_.notes.push_back(
          filled(worded("traces", "Of %1 in the job, %2 left no trace: it is not known what they did."),
                 wordedCount(job_.world_size, "rank"), listedRanks(without)));
    if (!wrapped.empty())
      job_.notes.push_back(
          filled(worded("traces",
                        "Older operations of %1 were overwritten in the buffer; their absence says nothing. "
                        "TORCH_FR_BUFFER_SIZE makes the buffer longer."),
                 listedRanks(wrapped)));
    if (!unknown.empty())
      job_.notes.push_back(
          filled(worded("traces", "These operations are shown, but not matched: %1."), join(unknown, ", ")));
    if (!has_all_times && job_.tells_times)
      job_.notes.push_back(
          worded("traces", "Some operations have no times: they are shown at the time of the one before."));
  }

  ForeignJob& job_;
  std::map<std::int64_t, const RankTrace*> place_of_;
  std::map<std::pair<std::string, std::vector<std::int64_t>>, std::uint32_t> number_of_;
  std::map<std::string, std::vector<std::uint32_t>> by_name_;
  std::unordered_map<std::string, std::uint32_t> codes_;
  std::map<std::uint32_t, std::uint64_t> covered_from_;  ///< by group
  std::map<std::uint32_t, std::uint32_t> apart_;
};

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

void joinRanks(ForeignJob& job) {
  Joiner(job).run();
}

std::vector<std::optional<ClockBound>> clockBounds(const ForeignJob& job) {
  GroupClocks clocks;
  for (std::size_t place = 0; place < job.ranks.size(); ++place) clocks.add(place, job.ranks[place]);
  return clocks.all(job.ranks.size());
}

}  // namespace shardlens::traces
