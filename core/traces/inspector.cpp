// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/record/frame.h"
#include "core/traces/readers.h"
#include "core/traces/trace_tree.h"
#include "core/traces/trace_words.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace shardlens::traces {
namespace {

constexpr std::int64_t kNsInUs = 1000;
constexpr std::int64_t kMostUs = std::int64_t{1} << 52;

/// Microseconds as nanoseconds; -1 when it is not there, or not credible.
std::int64_t timeOf(const TraceTree& tree, NodeId dict, std::string_view key) {
  const std::int64_t us = tree.whole(tree.find(dict, key)).value_or(0);
  return us > 0 && us < kMostUs ? kNsInUs * us : -1;
}

/// When the last kernel of the operation stopped; -1 when that is not told.
std::int64_t lastStop(const TraceTree& tree, NodeId times) {
  std::int64_t last = -1;
  for (const NodeId kernel : tree.items(tree.find(times, "kernel_events")))
    last = std::max(last, timeOf(tree, kernel, "kernel_stop_ts"));
  return last;
}

}  // namespace

bool InspectorLines::isLine(const TraceTree& tree) {
  return tree.root != TraceTree::kNone && tree.find(tree.root, "coll_perf") != TraceTree::kNone &&
         tree.find(tree.root, "header") != TraceTree::kNone;
}

void InspectorLines::addLine(const TraceTree& tree) {
  const NodeId header = tree.find(tree.root, "header");
  const NodeId metadata = tree.find(tree.root, "metadata");
  const NodeId perf = tree.find(tree.root, "coll_perf");
  const auto number = [&](NodeId dict, const char* key) { return tree.whole(tree.find(dict, key)).value_or(-1); };
  Line line;
  line.communicator = tree.text(tree.find(header, "id"));
  line.host = tree.text(tree.find(metadata, "hostname"));
  line.pid = number(metadata, "pid");
  line.member = number(header, "rank");
  line.size = number(header, "n_ranks");
  if (line.member < 0 || line.member >= frame::kMostRanks || line.size <= line.member || line.size > frame::kMostRanks)
    return;
  Call& call = line.call;
  call.op = operationNamed(tree.text(tree.find(perf, "coll"))).op;
  call.seq = static_cast<std::uint64_t>(std::max<std::int64_t>(0, number(perf, "coll_sn")));
  call.bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(0, number(perf, "coll_msg_size_bytes")));
  call.state = CallState::Completed;
  const NodeId times = tree.find(perf, "event_trace_ts");
  const std::int64_t took_ns = timeOf(tree, perf, "coll_exec_time_us");
  call.created_ns = timeOf(tree, times, "coll_start_ts");
  call.completed_ns = std::max(lastStop(tree, times), call.created_ns);
  if (call.created_ns < 0) {  // the line was written some time after
    call.completed_ns = timeOf(tree, metadata, "dump_timestamp_us");
    call.created_ns = call.completed_ns >= 0 ? call.completed_ns - std::max<std::int64_t>(took_ns, 0) : -1;
  }
  lines_.push_back(std::move(line));
}

std::size_t InspectorLines::add(std::string_view bytes) {
  std::size_t fault = std::string_view::npos;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
    const std::string_view text = bytes.substr(at, end - at);
    if (text.find_first_not_of(" \t\r") != std::string_view::npos) {
      const ParsedTrace parsed = readJson(text);
      if (parsed.fault.what.empty() && isLine(parsed.tree)) {
        addLine(parsed.tree);
      } else {
        fault = std::min(fault, at);
      }
    }
    at = end + 1;
  }
  return fault;
}

/// The communicator with the most ranks, the first of them by name.
const std::string* InspectorLines::largest() const {
  const Line* found = nullptr;
  for (const Line& line : lines_) {
    const auto before = [](const Line& a, const Line& b) {
      return std::tie(b.size, a.communicator) < std::tie(a.size, b.communicator);
    };
    if (found == nullptr || before(line, *found)) found = &line;
  }
  return found == nullptr ? nullptr : &found->communicator;
}

/// The ranks of the largest communicator that each process drives: mostly one.
std::map<InspectorLines::Process, std::set<std::int64_t>> InspectorLines::drivers(const std::string& world) const {
  std::map<Process, std::set<std::int64_t>> ranks;
  for (const Line& line : lines_) {
    if (line.communicator == world) ranks[{line.host, line.pid}].insert(line.member);
  }
  return ranks;
}

/// Puts the line to its rank.
void InspectorLines::use(const Line& line, std::int64_t rank, const std::string& group, RankTrace& trace) {
  trace.rank = rank;
  trace.host = line.host;
  trace.pid = line.pid;
  trace.is_sampled = true;
  auto place =
      std::find_if(trace.groups.begin(), trace.groups.end(), [&](const GroupFacts& one) { return one.name == group; });
  if (place == trace.groups.end()) place = trace.groups.insert(place, GroupFacts{group, {}, std::nullopt});
  trace.calls.push_back(line.call);
  trace.calls.back().group = static_cast<std::uint32_t>(place - trace.groups.begin());
}

ForeignJob InspectorLines::job() const {
  ForeignJob job;
  job.source = "NCCL Inspector";
  const std::string* const world = largest();
  if (world == nullptr) return job;
  const auto drivers_of = drivers(*world);
  std::map<std::int64_t, RankTrace> traces;
  std::map<std::string, Members> members;
  std::int64_t left_out = 0;
  for (const Line& line : lines_) {
    const bool is_world = line.communicator == *world;
    const auto found = drivers_of.find({line.host, line.pid});
    if (!is_world && (found == drivers_of.end() || found->second.size() != 1)) {
      ++left_out;
      continue;
    }
    const std::int64_t rank = is_world ? line.member : *found->second.begin();
    const std::string group = is_world ? "0" : line.communicator;
    if (is_world) job.world_size = std::max(job.world_size, line.size);
    members[group].ranks.insert(rank);
    members[group].size = line.size;
    use(line, rank, group, traces[rank]);
  }
  for (auto& [rank, trace] : traces) {
    for (GroupFacts& group : trace.groups) {
      // Only where every member has written a line is it known which ranks a communicator has.
      const Members& known = members[group.name];
      if (static_cast<std::int64_t>(known.ranks.size()) == known.size)
        group.members.emplace(known.ranks.begin(), known.ranks.end());
    }
    std::stable_sort(trace.calls.begin(), trace.calls.end(),
                     [](const Call& a, const Call& b) { return a.created_ns < b.created_ns; });
    job.ranks.push_back(std::move(trace));
  }
  job.notes.push_back(
      worded("traces",
             "NCCL Inspector writes the last finished operation of a communicator at intervals: others are missing, "
             "and what is not finished is not written. Without NCCL_INSPECTOR_DUMP_VERBOSE=1 operations are shown "
             "as ending when they were written."));
  if (left_out > 0)
    job.notes.push_back(
        filled(worded("traces",
                      "Lines of processes that drive several ranks, or none of the largest communicator, were left "
                      "out: %1."),
               std::to_string(left_out)));
  return job;
}

}  // namespace shardlens::traces
