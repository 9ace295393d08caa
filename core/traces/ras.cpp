// SPDX-License-Identifier: Apache-2.0
#include "core/record/frame.h"
#include "core/traces/readers.h"
#include "core/traces/trace_words.h"

#include <algorithm>
#include <cctype>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace shardlens::traces {
namespace {

/// What NCCL calls a rank by outside of a communicator.
struct DeviceProcess {
  std::string host;
  std::int64_t pid = 0;
  std::int64_t device = -1;  ///< -1: not told
  auto operator<=>(const DeviceProcess&) const =
      default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 takes <=> for a 0
};

/// The ranks of a job whose communicators number their own members: those of the first communicator are its ranks, and
/// processes that it does not have come after them.
class ProcessRanks {
 public:
  /// The members of a communicator by their number in it, the largest communicator first.
  void add(const std::map<std::int64_t, DeviceProcess>& members) {
    for (const auto& [place, process] : members) {
      const std::int64_t rank = is_numbered_ ? count_ : place;
      const auto [known, is_new] = rank_of_.try_emplace(process, rank);
      if (is_new) count_ = count_ > rank ? count_ : rank + 1;
    }
    is_numbered_ = is_numbered_ || !members.empty();
  }
  /// Nothing for a process that was not added.
  [[nodiscard]] std::optional<std::int64_t> of(const DeviceProcess& process) const {
    const auto found = rank_of_.find(process);
    return found == rank_of_.end() ? std::nullopt : std::optional(found->second);
  }
  [[nodiscard]] std::int64_t count() const { return count_; }

 private:
  std::map<DeviceProcess, std::int64_t> rank_of_;
  std::int64_t count_ = 0;
  bool is_numbered_ = false;
};

/// Operations of one kind that a rank has launched and others have not; more are not shown one by one.
constexpr std::uint64_t kMostAhead = 1000;

class RasReader {
 public:
  explicit RasReader(const TraceTree& tree) : tree_(tree) {}

  ForeignJob read() {
    job_.source = "NCCL RAS";
    job_.tells_times = false;
    const auto all = tree_.items(tree_.find(tree_.root, "communicators"));
    std::vector<NodeId> communicators(all.begin(), all.end());
    // The largest one first: it numbers the ranks.
    std::stable_sort(communicators.begin(), communicators.end(),
                     [this](NodeId a, NodeId b) { return sizeOf(a) > sizeOf(b); });
    for (const NodeId communicator : communicators) ranks_.add(membersOf(communicator));
    job_.world_size = ranks_.count();
    traces_.resize(static_cast<std::size_t>(job_.world_size));
    for (const NodeId communicator : communicators) use(communicator);
    for (RankTrace& trace : traces_) {
      if (!trace.groups.empty()) job_.ranks.push_back(std::move(trace));
    }
    return std::move(job_);
  }

 private:
  [[nodiscard]] std::int64_t number(NodeId dict, std::string_view key) const {
    return tree_.whole(tree_.find(dict, key)).value_or(-1);
  }
  [[nodiscard]] std::int64_t sizeOf(NodeId communicator) const {
    const auto present = tree_.items(tree_.find(communicator, "ranks")).size();
    const auto missing = tree_.items(tree_.find(communicator, "missing_ranks")).size();
    return static_cast<std::int64_t>(present + missing);
  }
  [[nodiscard]] DeviceProcess processOf(NodeId rank) const {
    return {std::string(tree_.text(tree_.find(rank, "host"))), number(rank, "pid"), number(rank, "cuda_dev")};
  }
  /// Of all its ranks, by their number in it.
  [[nodiscard]] std::map<std::int64_t, DeviceProcess> membersOf(NodeId communicator) const {
    std::map<std::int64_t, DeviceProcess> members;
    for (const char* key : {"ranks", "missing_ranks"}) {
      for (const NodeId rank : tree_.items(tree_.find(communicator, key))) {
        const std::int64_t place = number(rank, "rank");
        if (place >= 0 && place < frame::kMostRanks) members.emplace(place, processOf(rank));
      }
    }
    return members;
  }

  void use(NodeId communicator) {
    const auto processes = membersOf(communicator);
    GroupFacts group;
    group.name = std::string(tree_.text(tree_.find(communicator, "hash")));
    group.members.emplace();
    for (const auto& [place, process] : processes) {
      if (const auto rank = ranks_.of(process)) group.members->push_back(*rank);
    }
    std::sort(group.members->begin(), group.members->end());
    group.members->erase(std::unique(group.members->begin(), group.members->end()), group.members->end());
    if (group.members->empty()) return;
    const bool is_world = static_cast<std::int64_t>(group.members->size()) == job_.world_size && !has_world_;
    if (is_world) group.name = "0";
    has_world_ = has_world_ || is_world;
    const auto counts = countsOf(communicator);
    for (const NodeId rank : tree_.items(tree_.find(communicator, "ranks"))) addRank(rank, group, counts);
    for (const NodeId rank : tree_.items(tree_.find(communicator, "missing_ranks"))) addMissing(rank);
  }

  /// The fewest operations of each kind that a rank has launched.
  [[nodiscard]] std::map<std::string, std::int64_t> countsOf(NodeId communicator) const {
    std::map<std::string, std::int64_t> fewest;
    for (const NodeId rank : tree_.items(tree_.find(communicator, "ranks"))) {
      const auto items = tree_.items(tree_.find(rank, "collective_counts"));
      for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
        const std::int64_t count = tree_.whole(items[i + 1]).value_or(0);
        const auto [place, is_new] = fewest.try_emplace(std::string(tree_.text(items[i])), count);
        place->second = std::min(place->second, count);
      }
    }
    return fewest;
  }

  void addRank(NodeId rank, const GroupFacts& group, const std::map<std::string, std::int64_t>& fewest) {
    const DeviceProcess process = processOf(rank);
    const auto known = ranks_.of(process);  // none for an entry without a number, or with that of another entry
    if (!known || static_cast<std::size_t>(*known) >= traces_.size()) return;
    RankTrace& trace = traces_[static_cast<std::size_t>(*known)];
    trace.rank = *known;
    trace.host = process.host;
    trace.pid = process.pid;
    const auto place = static_cast<std::uint32_t>(trace.groups.size());
    trace.groups.push_back(group);
    std::vector<Call> ahead;
    const auto items = tree_.items(tree_.find(rank, "collective_counts"));
    for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
      const auto least =
          static_cast<std::uint64_t>(std::max<std::int64_t>(0, fewest.at(std::string(tree_.text(items[i])))));
      const auto count = static_cast<std::uint64_t>(std::max<std::int64_t>(0, tree_.whole(items[i + 1]).value_or(0)));
      Call call;
      call.op = operationNamed(tree_.text(items[i])).op;
      call.group = place;
      call.seq = least;
      call.state = CallState::Passed;
      if (least > 0) trace.calls.push_back(call);
      call.state = CallState::Scheduled;
      for (call.seq = least + 1; call.seq <= count && ahead.size() < kMostAhead; ++call.seq) ahead.push_back(call);
    }
    trace.calls.insert(trace.calls.end(), ahead.begin(), ahead.end());
  }

  void addMissing(NodeId rank) {
    const DeviceProcess process = processOf(rank);
    const auto known = ranks_.of(process);
    if (!known) return;
    const NodeId status = tree_.find(rank, "status");
    const bool is_dead = std::max(number(rank, "considered_dead"), number(status, "considered_dead")) > 0;
    const bool is_known = std::any_of(job_.missing.begin(), job_.missing.end(),
                                      [&](const MissingRank& one) { return one.rank == *known; });
    if (!is_known) job_.missing.push_back({*known, process.host, process.pid, is_dead});
  }

  const TraceTree& tree_;
  ForeignJob job_;
  ProcessRanks ranks_;
  std::vector<RankTrace> traces_;
  bool has_world_ = false;
};

}  // namespace

bool isRas(const TraceTree& tree) {
  return tree.root != TraceTree::kNone && tree.find(tree.root, "communicators") != TraceTree::kNone;
}

ForeignJob readRas(const TraceTree& tree) {
  return RasReader(tree).read();
}

std::string withCommas(std::string_view bytes) {
  constexpr std::string_view kKey = "\"status\"";
  std::string out;
  std::size_t from = 0;
  for (std::size_t at = bytes.find(kKey); at != std::string_view::npos; at = bytes.find(kKey, at + 1)) {
    std::size_t before = at;
    while (before > from && std::isspace(static_cast<unsigned char>(bytes[before - 1])) != 0) --before;
    if (before == from || std::isdigit(static_cast<unsigned char>(bytes[before - 1])) == 0) continue;
    out.append(bytes.substr(from, before - from)).append(",");
    from = before;
  }
  return out.append(bytes.substr(from));
}

}  // namespace shardlens::traces
